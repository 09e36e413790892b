import { postgresStore } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { Pool } from "pg";
import type { PoolClient } from "pg";
import { callsOf } from "../../../exam/honest/service-calls.ts";

/** An order. Each round of it has a payment of its own. */
interface Row {
  readonly id: string;
  readonly amount: number;
  readonly status: "placed" | "paid" | "failed";
  readonly parcels: number;
  readonly round: number;
  readonly intent: string | null;
}

/** Work that was promised in the transaction that made it necessary. */
interface Message {
  readonly id: number;
  readonly topic: "ask" | "ship";
  readonly about: string;
  readonly since: string;
}

const TABLES = `
  create table orders (id text primary key, amount integer not null, status text not null default 'placed', parcels integer not null default 0,
    round integer not null default 1, intent text unique);
  create table inbox (event text primary key);
  create table outbox (id integer generated always as identity primary key, topic text not null, about text not null references orders,
    since bigint not null, due bigint not null, unique (topic, about))`;

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const ENDED = new Set(["failed", "canceled"]);

/** Runs statements that are committed together or not at all. */
async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/**
 * A shop on PostgreSQL. What it has to do is written into its outbox in the transaction that makes it necessary, and a relay does it. An event is
 * written into the inbox once, and only has the shop ask.
 */
function openOutboxShop({ sim, fetch, timeout, now, store: pool, url }: Opening<Pool>) {
  const call = callsOf({ sim, fetch, timeout });
  const moment = (): number => now().getTime();

  const orderOf = async (id: string): Promise<Row | undefined> =>
    (await pool.query<Row>("select * from orders where id = $1", [id])).rows[0];

  const promise = (client: PoolClient, topic: Message["topic"], about: string) =>
    client.query(
      "insert into outbox (topic, about, since, due) values ($1, $2, $3, $3) on conflict (topic, about) do update set due = $3",
      [topic, about, moment()],
    );

  /** Claims a due message for some minutes. Other relays leave it alone meanwhile. */
  const take = async (): Promise<Message | undefined> =>
    (
      await pool.query<Message>(
        `update outbox set due = $1 where id = (select id from outbox where due <= $2 order by due, id limit 1 for update skip locked)
         returning id, topic, about, since`,
        [moment() + 10 * MINUTE, moment()],
      )
    ).rows[0];

  /** Writes down what the service says of the payment of an order. */
  const ask = async ({ id, about, since }: Message): Promise<void> => {
    const { intent } = (await orderOf(about)) ?? {};
    const { data } = intent
      ? await call<{ status: string }>("GET", `/api/payment-intent/${intent}/status`)
      : { data: { status: "requires_payment_method" } };
    const status = data?.status ?? "";
    const isIdle = status === "requires_payment_method" && moment() - Number(since) > DAY;
    if (status !== "succeeded" && !ENDED.has(status) && !isIdle) return;
    await inTransaction(pool, async (client) => {
      await client.query("delete from outbox where id = $1", [id]);
      if (ENDED.has(status))
        await client.query("update orders set status = 'failed' where intent = $1 and status = 'placed'", [intent]);
      if (status !== "succeeded") return;
      const paid = await client.query("update orders set status = 'paid' where intent = $1 and status <> 'paid'", [
        intent,
      ]);
      if (paid.rowCount === 1) await promise(client, "ship", about);
    });
  };

  const ship = ({ id, about }: Message): Promise<void> =>
    inTransaction(pool, async (client) => {
      const done = await client.query("delete from outbox where id = $1", [id]);
      if (done.rowCount === 1) await client.query("update orders set parcels = parcels + 1 where id = $1", [about]);
    });

  const relay = async (): Promise<void> => {
    for (let message = await take(); message !== undefined; message = await take()) {
      // What fails stays in the outbox, and is due again in some minutes.
      await (message.topic === "ask" ? ask(message) : ship(message)).catch(() => undefined);
    }
  };

  const place = (id: string): Promise<unknown> =>
    inTransaction(pool, async (client) => {
      await client.query("insert into orders (id, amount) values ($1, 92000) on conflict do nothing", [id]);
      await client.query(
        "update orders set status = 'placed', round = round + 1, intent = null where id = $1 and status = 'failed'",
        [id],
      );
      await promise(client, "ask", id);
    });

  const pay = async (id: string, paymentMethodId: string): Promise<Response> => {
    if ((await orderOf(id)) !== undefined) await relay();
    if ((await orderOf(id))?.status !== "paid") await place(id);
    const { status, round, amount, intent: known } = (await orderOf(id)) as Row;
    if (status === "paid") return Response.json({ status });
    const key = `${id}/${round}`;
    const addresses = { returnUrl: `${url}/orders/${id}`, webhookUrl: `${url}/hooks` };
    const fields = { amount, externalId: key, description: "A lantern", ...addresses };
    const intent = known ?? (await call<{ id: string }>("POST", "/api/payment-intent", fields, key)).data?.id;
    await pool.query("update orders set intent = $2 where id = $1 and round = $3 and intent is null", [
      id,
      intent,
      round,
    ]);
    const { redirectUrl } = await call("POST", `/api/payment-intent/${intent}/confirm`, { paymentMethodId });
    await inTransaction(pool, (client) => promise(client, "ask", id));
    return Response.json({ next: redirectUrl });
  };

  const receive = async (request: Request): Promise<Response> => {
    const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now }).catch(() => undefined);
    if (event === undefined) return new Response(null, { status: 401 });
    const about = "data" in event ? event.data.id : "";
    await inTransaction(pool, async (client) => {
      const added = await client.query("insert into inbox values ($1) on conflict do nothing", [event.id]);
      const { rows } = await client.query<Row>("select id from orders where intent = $1", [about]);
      if (added.rowCount === 1 && rows[0] !== undefined) await promise(client, "ask", rows[0].id);
    });
    return new Response(null, { status: 204 });
  };

  const answer = async (request: Request): Promise<Response> => {
    const [, page, id = ""] = new URL(request.url).pathname.split("/");
    if (page === "hooks") return receive(request);
    if (page === "relay") await relay();
    if (page === "orders" && request.method === "POST") return pay(id, await request.text());
    return Response.json((await orderOf(id)) ?? {});
  };

  return (request: Request): Promise<Response> =>
    answer(request).catch((error: unknown) => new Response(String(error), { status: 503 }));
}

/** The exam of this shop, whose PostgreSQL listens in a folder. */
export function examOfOutboxShop(folder: string): ExamOptions<Pool> {
  return {
    store: postgresStore({
      connect: (database) => new Pool({ host: folder, user: "postgres", database, max: 4 }),
      create: (pool) => pool.query(TABLES),
    }),
    open: openOutboxShop,
    acts: {
      order: ({ visit, id, method }) => visit(`/orders/${id}`, { method: "POST", body: method }),
      payAgain: ({ visit, id, method }) => visit(`/orders/${id}`, { method: "POST", body: method }),
      look: ({ visit, id }) => visit(`/orders/${id}`),
    },
    books: async ({ store: pool }) => ({
      orders: (await pool.query<Row>("select * from orders order by id")).rows.map(
        ({ id, status, amount, parcels }) => ({
          id,
          status,
          amount,
          fulfilments: parcels,
        }),
      ),
    }),
    jobs: [{ every: "5 minutes", run: ({ visit }) => visit("POST", "/relay", {}) }],
  };
}
