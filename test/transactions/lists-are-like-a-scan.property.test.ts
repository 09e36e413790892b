import { createSimulator } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";
import { transact, transactionsOf } from "./transactions.ts";
import { halfOf } from "../half-of.ts";

const METHODS = ["pm_card_approved", "pm_gcash", "pm_card_challenge", "pm_card_stolen"];

/** Both merchants of a world. */
type Shops = readonly [Merchant, Merchant];

const place = fc.nat(1);
const method = fc.constantFrom(...METHODS);
const externalId = fc.constantFrom("order-1", "order-2", "order-3");
const acts = fc.oneof(
  fc.record({ kind: fc.constant("sessions"), place, method, externalId, count: fc.constantFrom(1, 3, 40) }),
  fc.record({ kind: fc.constant("intents"), place, method, externalId, count: fc.constantFrom(1, 3, 40) }),
  fc.record({ kind: fc.constant("subscriptions"), place, method, count: fc.constantFrom(1, 4) }),
  fc.record({ kind: fc.constant("cancel"), place }),
  fc.record({ kind: fc.constant("refused"), place }),
  fc.record({ kind: fc.constant("time"), span: fc.constantFrom("1 minute", "1 day", "32 days") }),
  fc.record({ kind: fc.constantFrom("restore", "fork", "copy") }),
);
type Act = typeof acts extends fc.Arbitrary<infer Value> ? Value : never;
const query = fc.record({
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.oneof(fc.nat(5), fc.nat(100)),
  external_id: fc.option(externalId, { nil: undefined }),
  pick: fc.nat(),
});
type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

/** Declines are part of the random world. */
const tolerate = async (call: Promise<unknown>): Promise<unknown> => call.catch(() => {});

async function perform(shops: Shops, one: Act): Promise<Shops> {
  const [{ sim }] = shops;
  if ("count" in one) {
    const merchant = shops[one.place] as Merchant;
    for (let nth = 0; nth < one.count; nth += 1) {
      const paymentMethodId = nth % 5 === 4 ? undefined : one.method;
      if (one.kind === "subscriptions") {
        const { id } = await merchant.start();
        if (paymentMethodId !== undefined)
          await tolerate(merchant.client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId }));
      } else if (one.kind === "intents") {
        const body = "externalId" in one ? { externalId: one.externalId, webhookUrl: HOOKS } : {};
        await tolerate(transact(merchant, body, paymentMethodId));
      } else {
        const body = "externalId" in one ? { externalId: one.externalId } : {};
        const { sessionToken } = await merchant.createCheckout(body);
        if (paymentMethodId !== undefined) await merchant.processCheckout(sessionToken, paymentMethodId);
      }
    }
  } else if (one.kind === "cancel" && "place" in one) {
    const { client } = shops[one.place] as Merchant;
    for (const { id } of (await client.subscriptions.list({ status: "active" })).items)
      await client.subscriptions.cancel(id);
  } else if (one.kind === "refused" && "place" in one) {
    await (shops[one.place] as Merchant).call("POST", "/api/checkout", { amount: 0 });
  } else if ("span" in one) await sim.clock.advance(one.span);
  else if (one.kind === "restore") sim.restore(structuredClone(sim.snapshot()));
  else {
    const next = one.kind === "fork" ? sim.fork() : createSimulator({ webhookUrl: HOOKS, keep: 40 });
    if (one.kind === "copy") next.restore(structuredClone(sim.snapshot()));
    const [first, second] = await Promise.all(shops.map(async (shop) => shop.in(next)));
    first?.connect(answer);
    return [first as Merchant, second as Merchant];
  }
  return shops;
}

/** Takes two webhooks of three. */
const answer = (_: unknown, count: number): Response => new Response(null, { status: count % 3 === 0 ? 500 : 200 });

function newest<Row>(rows: readonly Row[], isWanted: (row: Row) => boolean): Row[] {
  return rows.filter(isWanted).toReversed();
}

/** Compares every list and reader with all that there is of its kind. */
async function compare({ sim, client, credentials: { merchantId } }: Merchant, asked: Query): Promise<void> {
  const { limit, offset, external_id, pick } = asked;
  const wordOf = <Word>(words: readonly Word[]): Word | undefined => words[pick % (words.length + 1)];

  const session = wordOf(["pending", "processing", "completed", "failed", "cancelled", "expired"] as const);
  const sessions = newest(
    sim.checkouts.list(),
    (each) =>
      each.merchantId === merchantId &&
      (session === undefined || each.status === session) &&
      (external_id === undefined || each.externalId === external_id),
  );
  const page = await client.transactions.listPaymentSessions({ limit, offset, status: session, external_id });
  expect(page.items.map(({ id }) => id)).toEqual(sessions.slice(offset, offset + limit).map(({ id }) => id));
  expect([page.total, page.hasMore]).toEqual([sessions.length, offset + page.items.length < sessions.length]);

  const status = wordOf(["incomplete", "active", "past_due", "unpaid", "cancelled", "incomplete_cancelled"] as const);
  const subscriptions = newest(
    sim.subscriptions.list(),
    (each) => each.merchantId === merchantId && (status === undefined || each.status === status),
  );
  const listed = await client.subscriptions.list({ limit, status });
  expect(listed.items.map(({ id }) => id)).toEqual(subscriptions.slice(0, limit).map(({ id }) => id));
  expect(listed.hasMore).toBe(subscriptions.length > limit);

  const plans = newest(sim.plans.list(), (each) => each.merchantId === merchantId);
  const after = wordOf(plans)?.id;
  const rest = plans.slice(after === undefined ? 0 : plans.findIndex(({ id }) => id === after) + 1);
  const planPage = await client.plans.list({ limit, after });
  expect(planPage.items.map(({ id }) => id)).toEqual(rest.slice(0, limit).map(({ id }) => id));
  expect(planPage.hasMore).toBe(rest.length > limit);

  const events = sim.webhooks.events();
  const type = wordOf([
    "payment_intent.*",
    "subscription.activated",
    "*.payment_failed",
    "checkout.completed",
  ] as const);
  const isOfType = (of: string): boolean => type === undefined || new RegExp(`^${type.replace("*", ".*")}$`).test(of);
  expect(sim.webhooks.events({ type })).toEqual(events.filter((event) => isOfType(event.type)));
  const attempts = sim.webhooks.attempts();
  const failed = events.filter(({ id }) => attempts.findLast(({ eventId }) => eventId === id)?.delivered === false);
  expect(sim.webhooks.failures().map(({ eventId }) => eventId)).toEqual(failed.map(({ id }) => id));
  const event = wordOf(events);
  if (event !== undefined)
    expect(sim.webhooks.attempts({ eventId: event.id })).toEqual(
      attempts.filter(({ eventId }) => eventId === event.id),
    );

  for (const reader of [sim.intents, sim.checkouts, sim.subscriptions, sim.invoices, sim.transactions]) {
    const all = reader.list() as readonly { readonly status: string }[];
    for (const pattern of ["*i*", "*e*", "*", ...new Set(all.map((each) => each.status))]) {
      const matching = all.filter((each) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(each.status));
      expect(reader.list({ status: pattern as "*" })).toEqual(matching);
      expect(reader.last({ status: pattern as "*" })).toEqual(matching.at(-1));
    }
    expect(reader.last()).toEqual(all.at(-1));
  }
}

test("every list and reader finds what a scan of all finds, whatever happened to the world", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(40, undefined),
      fc.array(fc.tuple(acts, fc.option(query, { nil: undefined })), { minLength: 6, maxLength: 12, size: "max" }),
      query,
      async (keep, history, last) => {
        const merchant = await Merchant.open(keep === undefined ? {} : { keep }, answer);
        let shops: Shops = [merchant, await merchant.neighbour()];
        for (const [one, asked] of history) {
          shops = await perform(shops, one);
          if (asked !== undefined) for (const shop of shops) await compare(shop, asked);
        }
        for (const shop of shops) {
          await compare(shop, last);
          const own = shop.sim.transactions.list().map(({ id }) => id);
          const listed = (await transactionsOf(shop)).map(({ id }) => id);
          expect(listed).toEqual(own.toReversed().filter((id) => listed.includes(id)));
        }
      },
    ),
    halfOf({ numRuns: 8, seed: 20_260_101 }),
  );
});
