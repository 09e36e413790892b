import { createSimulator, type Fault, type Simulator } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { halfOf } from "../half-of.ts";

/** One act of a merchant, its customer or its clock; a number picks the object. */
interface Act {
  readonly name: keyof typeof ACTS;
  readonly pick: number;
}

const METHODS = [
  "pm_card_approved",
  "pm_card_challenge",
  "pm_card_generic_decline",
  "pm_card_insufficient_funds",
  "pm_card_processor_unavailable",
  "pm_gcash",
];
const CARDS = ["pm_card_approved", "pm_card_recovers", "pm_card_declines_renewals", "pm_card_challenge"];
const ADVANCES = ["1 second", "20 minutes", "1 day", "9 days"];

const one = <Value>(values: readonly Value[], pick: number): Value | undefined =>
  values[pick % Math.max(1, values.length)];

const ACTS = {
  createIntent: async (merchant: Merchant, pick: number) => merchant.createIntent({ externalId: `order-${pick}` }),
  confirm: async (merchant: Merchant, pick: number) => {
    const intents = merchant.sim.intents.list().filter(({ purpose }) => purpose === "payment_intent");
    const { body } = await merchant.confirm(one(intents, pick)?.id ?? "pi_nobody", one(METHODS, pick) ?? "");
    const redirectUrl = body.data?.redirectUrl ?? body.redirectUrl;
    if (redirectUrl !== undefined && pick % 3 > 0)
      await (pick % 3 === 1
        ? merchant.sim.customer.authenticate(redirectUrl)
        : merchant.sim.customer.failAuthentication(redirectUrl));
  },
  createCheckout: async (merchant: Merchant) => merchant.createCheckout(),
  process: async (merchant: Merchant, pick: number) =>
    merchant.processCheckout(
      one(merchant.sim.checkouts.list(), pick)?.sessionToken ?? "nobody",
      one(METHODS, pick) ?? "",
    ),
  subscribe: async (merchant: Merchant, pick: number) => {
    const plan = await merchant.call("POST", "/api/subscription/plans", {
      name: "Club",
      amount: 900,
      interval: "week",
    });
    const contact = { name: "Ana Reyes", email: "ana@example.com" };
    const { body } = await merchant.call("POST", "/api/subscription/initiate", { planId: plan.body.data.id, contact });
    const payment = { subscriptionId: body.data.id, paymentMethodId: one(CARDS, pick) };
    await merchant.call("POST", "/api/subscription/process-payment", payment);
  },
  logIn: async (merchant: Merchant) => merchant.logIn(),
  advance: async (merchant: Merchant, pick: number) => merchant.sim.clock.advance(one(ADVANCES, pick) ?? "1 second"),
  settle: async (merchant: Merchant) => merchant.sim.clock.settle(),
};

const act: fc.Arbitrary<Act> = fc.record({
  name: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  pick: fc.nat(20),
});

/** Faults on every part of the service, so that every place that can fire one is reached. */
const kind: fc.Arbitrary<Fault> = fc.constantFrom<Fault>(
  { kind: "request.status", status: 503 },
  { kind: "response.lost" },
  { kind: "response.late", delay: "1 hour" },
  { kind: "processor.decline", code: "blocked" },
  { kind: "processor.unavailable" },
  { kind: "processor.stuck" },
  { kind: "processor.late", delay: "1 day" },
  { kind: "webhook.drop" },
  { kind: "webhook.duplicate" },
  { kind: "webhook.delay", delay: "1 day" },
  { kind: "webhook.reorder", within: "1 day" },
  { kind: "webhook.wrong-secret" },
  { kind: "webhook.refused" },
  { kind: "webhook.slow", delay: "1 day" },
  { kind: "clock.skew", by: "1 hour" },
);
/** Why it does not fire: its selector matches nothing, its window is not now, its occasion never comes, or its probability is 0. */
const reason = fc.constantFrom<object>(
  { merchant: "mer_nobody" },
  { from: "2100-01-01" },
  { from: "2099-01-01", until: "2100-01-01" },
  { after: 1_000_000 },
  { nth: 1_000_000 },
  { probability: 0 },
  { probability: 0, merchant: "mer_nobody" },
);
const neverBiting = fc.tuple(kind, reason).map(([fault, why]): Fault => Object.assign({}, fault, why));

/** Ids, times, counters and everything else of a world but the faults themselves. */
function lookAt(sim: Simulator): unknown {
  const { world } = sim.snapshot();
  const { faults: _, ...tables } = world.tables;
  return {
    ...world,
    tables,
    streams: Object.fromEntries(Object.entries(world.streams).filter(([name]) => !name.startsWith("fault/"))),
    journal: world.journal
      .filter(({ kind: of }) => of !== "fault")
      .map(({ at, kind: of, details }) => ({ at, of, details })),
  };
}

async function live(acts: readonly Act[], faults: readonly Fault[]): Promise<Simulator> {
  const sim = createSimulator({
    webhookUrl: "https://shop.example/hooks",
    assumptions: { "webhook.stamp": "virtual", "auth.token-lifetime": "1000 days" },
  });
  const stamps: string[] = [];
  sim.connect("https://shop.example", (request) => {
    stamps.push(request.headers.get("x-webhook-signature") ?? "");
    return new Response(null, { status: stamps.length % 5 === 0 ? 500 : 200 });
  });
  for (const fault of faults) sim.faults.add(fault);
  const merchant = await Merchant.of(sim);
  for (const { name, pick } of acts) await ACTS[name](merchant, pick);
  return sim;
}

test("faults that never fire change nothing else: the same ids, times, tokens, stamps and chance", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 20, maxLength: 30 }),
      fc.array(neverBiting, { minLength: 1, maxLength: 6 }),
      async (acts, faults) => {
        const [right, planned] = [await live(acts, []), await live(acts, faults)];
        expect(planned.faults.unused()).toHaveLength(faults.length);
        expect(lookAt(planned)).toEqual(lookAt(right));
      },
    ),
    halfOf({ numRuns: 12, seed: 20_260_101 }),
  );
});

test("and the history that shows it holds plenty that a fault could change", async () => {
  const acts = Array.from({ length: 96 }, (_, index): Act => {
    const names = Object.keys(ACTS) as (keyof typeof ACTS)[];
    return { name: names[index % names.length] ?? "settle", pick: index + Math.floor(index / names.length) };
  });
  const sim = await live(acts, []);
  expect(new Set(sim.intents.list().map(({ status }) => status)).size).toBeGreaterThan(3);
  expect(sim.webhooks.attempts().filter(({ delivered }) => !delivered).length).toBeGreaterThan(3);
  expect(sim.invoices.list().length).toBeGreaterThan(10);
});
