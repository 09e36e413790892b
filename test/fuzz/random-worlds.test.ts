import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkoutEventTypes } from "../../src/service/checkout/schema.ts";
import { intentEventTypes } from "../../src/service/payment-intents/schema.ts";
import { subscriptionEventTypes } from "../../src/service/subscriptions/schema.ts";
import { keepsItsPromises } from "./properties.ts";
import { randomScript } from "./random-world.ts";

const SEED = 20_260_101;
const WORLDS = 80;

test(`${WORLDS} random worlds from the seed ${SEED} keep their promises, and announce all there is to announce`, async () => {
  const announced = new Set<string>();
  const property = fc.asyncProperty(randomScript, async (script) => {
    const sim = await keepsItsPromises(script);
    for (const { type } of sim.webhooks.events()) announced.add(type);
  });
  await fc.assert(property, { seed: SEED, numRuns: WORLDS });
  const types = [...intentEventTypes, ...checkoutEventTypes, ...subscriptionEventTypes];
  expect(types.filter((type) => !announced.has(type))).toEqual([]);
}, 300_000);
