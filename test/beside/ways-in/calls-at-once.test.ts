import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../../merchant.ts";
import { clientsThrough, type Client } from "./clients.ts";
import { echoService } from "../../ways-in/echo-service.ts";
import { ways } from "../../ways-in/ways.ts";

const RUNS = 10;
const RUNS_OF_A_CLIENT = 2;

interface Call {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Makes one call, and returns its parsed answer. */
type Send = (path: string, call: Call) => Promise<unknown>;

/** A simulator of two merchants, with the headers of each. */
interface World {
  readonly sim: Simulator;
  readonly headers: readonly [Record<string, string>, Record<string, string>];
}

/** The kinds of body that `fetch` takes. */
const kinds: readonly ((text: string) => BodyInit)[] = [
  (text) => text,
  (text) => new TextEncoder().encode(text),
  (text) => new Blob([text]),
  (text) => new Blob([text, " "]).stream(),
  (text) => new Response(text).body as BodyInit,
];

/** Over plain HTTP, because no way in differs by it, and a socket has no other. */
async function openWorld(): Promise<World> {
  const sim = createSimulator({ baseUrl: "http://api.pay.example" });
  const first = await Merchant.of(sim);
  const second = await first.neighbour();
  const headersOf = ({ authorization }: Merchant) => ({ authorization, "content-type": "application/json" });
  return { sim, headers: [headersOf(first), headersOf(second)] };
}

/** Has two merchants create, read and confirm payments with twenty calls at once, and returns the digest. */
async function digestOf({ sim, headers }: World, send: Send): Promise<string> {
  const merchantOf = (index: number) => headers[index % 2 === 0 ? 0 : 1];
  const create = async (index: number) =>
    (await send("/api/payment-intent", {
      method: "POST",
      headers: merchantOf(index),
      body: JSON.stringify({ amount: 10_000 + index }),
    })) as { readonly data: { readonly id: string } };
  const read = (index: number, path: string) => send(path, { method: "GET", headers: merchantOf(index) });
  const confirm = (index: number, id: string) =>
    send(`/api/payment-intent/${id}/confirm`, {
      method: "POST",
      headers: merchantOf(index),
      body: JSON.stringify({ paymentMethodId: "pm_card_approved" }),
    });

  const created = await Promise.all(Array.from({ length: 5 }, async (_, index) => create(index)));
  await Promise.all(
    created.flatMap(({ data: { id } }, index) => [
      create(index + 1),
      read(index, `/api/payment-intent/${id}/status`),
      confirm(index, id),
      read(index, `/api/transactions?limit=${index + 1}`),
    ]),
  );
  await sim.clock.settle();
  return sim.journal.digest();
}

/** The digest of calls with texts, in memory: what every way in has to come to. */
async function digestInMemory(): Promise<string> {
  const world = await openWorld();
  return digestOf(world, async (path, call) => (await world.sim.fetch(path, call)).json());
}

const table = ways.flatMap((way) =>
  (clientsThrough[way.name] ?? []).map((client) => ({ through: way.name, by: client.name, way, client })),
);

describe("calls that are made at once are answered in the order in which they were made", () => {
  test.for(ways)("through $name, with every kind of body, in many runs", async (way) => {
    const digests = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const world = await openWorld();
      await using open = await way.open(world.sim);
      let posts = 0;
      const send: Send = async (path, { body, ...call }) => {
        const kind = kinds[posts % kinds.length];
        if (body !== undefined) posts += 1;
        const init = { ...call, duplex: "half", ...(body === undefined ? {} : { body: kind?.(body) }) };
        return (await open.fetch(open.url + path, init as RequestInit)).json();
      };
      digests.add(await digestOf(world, send));
    }
    expect([...digests]).toEqual([await digestInMemory()]);
  });

  test.for(table)("through $through, by $by", async ({ way, client }) => {
    const digests = new Set<string>();
    for (let run = 0; run < RUNS_OF_A_CLIENT; run += 1) {
      const world = await openWorld();
      await using open = await way.open(world.sim);
      digests.add(await digestOf(world, sendBy(client, open.url)));
    }
    expect([...digests]).toEqual([await digestInMemory()]);
  });
});

function sendBy(client: Client, url: string): Send {
  return async (path, call) => JSON.parse((await client.call(url + path, call)).body) as unknown;
}

const post = (headers: Record<string, string>, body: BodyInit): RequestInit & { duplex: "half" } => ({
  method: "POST",
  headers,
  body,
  duplex: "half",
});

describe.each(ways)("through $name, a call whose body does not come", ({ open }) => {
  test("holds up no other call, and is answered once its body is there", async () => {
    const { sim, headers } = await openWorld();
    await using way = await open(sim);
    const url = `${way.url}/api/payment-intent`;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const late = way.fetch(url, post(headers[0], readable));
    const early = await way.fetch(url, post(headers[1], '{"amount":20000}'));
    expect(early.status).toBe(200);
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('{"amount":10000}'));
    await writer.close();
    expect((await late).status).toBe(200);
    expect(sim.intents.list().map(({ amount }) => amount)).toEqual([20_000, 10_000]);
  });

  test("holds up no other call when it breaks off", async () => {
    const { sim, headers } = await openWorld();
    await using way = await open(sim);
    const url = `${way.url}/api/payment-intent`;
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error("no signal")),
    });
    const call = way.fetch(url, post(headers[0], broken));
    const next = way.fetch(url, post(headers[1], '{"amount":20000}'));
    await expect(call).rejects.toThrow();
    expect((await next).status).toBe(200);
    expect(sim.intents.list().map(({ amount }) => amount)).toEqual([20_000]);
  });

  test("holds up no other call when its client gives up", async () => {
    const { sim, headers } = await openWorld();
    await using way = await open(sim);
    const url = `${way.url}/api/payment-intent`;
    const leaving = new AbortController();
    const call = way.fetch(url, { ...post(headers[0], new ReadableStream()), signal: leaving.signal });
    const next = way.fetch(url, post(headers[1], '{"amount":20000}'));
    leaving.abort();
    await expect(call).rejects.toThrow();
    expect((await next).status).toBe(200);
    expect(sim.intents.list().map(({ amount }) => amount)).toEqual([20_000]);
  });
});

test.for(table)("through $through, the service sees the headers alone that $by sent", async ({ way, client }) => {
  const service = echoService();
  await using open = await way.open(service);
  await client.call(`${open.url}/api/thing`, { headers: { "x-own": "kept" } });
  const [seen] = service.seen;
  expect(seen?.headers).toMatchObject({ "x-own": "kept" });
  expect(Object.keys(seen?.headers ?? {}).filter((name) => name.includes("centavo"))).toEqual([]);
});
