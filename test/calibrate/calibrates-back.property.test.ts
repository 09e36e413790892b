import type { AssumptionOverrides } from "centavo";
import { assumptionTable } from "centavo";
import { calibrate } from "centavo/calibrate";
import { createClient } from "centavo/client";
import type { Exchange } from "centavo/calibrate";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { alternativesOf } from "../../src/kit/assumptions/alternatives.ts";
import type { Choice } from "../../src/kit/assumptions/entry.ts";
import { isNight } from "../by-night.ts";
import { contradictions } from "../contract/contradictions.ts";
import { RECEIVER, recorded } from "./recorded.ts";
import type { Recorded } from "./recorded.ts";

contradictions.isPaused = true;

const contact = { name: "Ana Cruz", email: "ana@customer.example" };
/** A service may require any of these. */
const whole = {
  description: "Shoes",
  contact: { ...contact, phone: "+639170000000" },
  metadata: { size: "42" },
  returnUrl: "https://shop.example/thanks",
  webhookUrl: RECEIVER,
};

type Client = ReturnType<typeof createClient>;

/** What merchants and customers do. Each is whole, so that any of them may come in any order. */
const acts = {
  "a paid checkout": async (client: Client, { sim }: Recorded) => {
    const session = await client.checkout.create({ ...whole, externalId: "order-1", amount: 25_000, contact });
    await sim.customer.pay(session.checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    await client.checkout.poll(session.sessionToken);
  },
  "a cancelled checkout": async (client: Client, { sim }: Recorded) => {
    const session = await client.checkout.create({ ...whole, externalId: "order-2", amount: 31_000, contact });
    await sim.customer.cancel(session.checkoutUrl);
    await client.checkout.poll(session.sessionToken);
  },
  "an intent that needs a challenge": async (client: Client, { sim }: Recorded) => {
    const { id } = await client.paymentIntents.create({ ...whole, amount: 10_000, externalId: "order-3" });
    const confirmed = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
    await sim.customer.authenticate(confirmed.redirectUrl);
    await sim.clock.settle();
    await client.paymentIntents.status(id);
  },
  "a decline": async (client: Client) => {
    const { id } = await client.paymentIntents.create({ ...whole, amount: 12_300, externalId: "order-4" });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_insufficient_funds" });
  },
  "a wrong amount": async (client: Client) => client.paymentIntents.create({ ...whole, amount: 0 }),
  "an unknown session": async (client: Client) => client.checkout.poll("nothing"),
  "a subscription": async (client: Client, { sim }: Recorded) => {
    const plan = await client.plans.create({ name: "Gold", amount: 50_000, interval: "month" });
    const { id } = await client.subscriptions.initiate({ planId: plan.id, contact });
    await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    await client.subscriptions.get(id);
  },
  "a list": async (client: Client) => client.transactions.list(),
} as const;
type Act = keyof typeof acts;

/** By day a few rows differ, and by night any number of them. */
const overrides: fc.Arbitrary<AssumptionOverrides> = fc
  .record(
    Object.fromEntries(
      Object.entries(assumptionTable).flatMap(([id, row]) => {
        const others = row.values === "fixed" ? [] : alternativesOf(row as Choice).map(({ value }) => value);
        return others.length === 0 ? [] : [[id, fc.constantFrom(...others)]];
      }),
    ),
    { requiredKeys: [] },
  )
  .chain((all) => fc.subarray(Object.entries(all), { maxLength: isNight ? Object.keys(all).length : 3 }))
  .map((chosen) => Object.fromEntries(chosen));

async function record(assumptions: AssumptionOverrides, story: readonly Act[]) {
  return recorded(assumptions, async (world) => {
    const { sim, fetch } = world;
    const client = createClient({ baseUrl: sim.baseUrl, fetch, ...sim.credentials, assumptions });
    // The service may refuse any of it.
    for (const act of story) await acts[act](client, world).catch(() => undefined);
  });
}

test("a world under random values is calibrated back to values that answer the same", async () => {
  const story = fc.uniqueArray(fc.constantFrom(...(Object.keys(acts) as Act[])), {
    minLength: 1,
    maxLength: isNight ? 8 : 2,
  });
  await fc.assert(
    fc.asyncProperty(overrides, story, async (assumptions, does) => {
      const exchanges = await record(assumptions, does);
      const found = await calibrate(exchanges);
      expect(found.drift).toEqual([]);
      const again = await record({ ...assumptions, ...unseenLeftOut(found.assumptions, assumptions) }, does);
      expect(again.map(sentByService)).toEqual(exchanges.map(sentByService));
    }),
    { numRuns: isNight ? 60 : 3, seed: 39 },
  );
});

function sentByService({ kind, request, answer }: Exchange) {
  return kind === "delivery" ? request.body : answer;
}

/** Returns the values that were found; a row that no exchange shows has its default, which answers the same here. */
function unseenLeftOut(found: AssumptionOverrides, given: AssumptionOverrides): AssumptionOverrides {
  const table = assumptionTable as Readonly<Record<string, unknown>>;
  const defaults = Object.keys(given).map((id) => [id, (table[id] as Choice).value]);
  return { ...Object.fromEntries(defaults), ...found } as AssumptionOverrides;
}
