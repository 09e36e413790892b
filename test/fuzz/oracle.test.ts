import { readdirSync, readFileSync } from "node:fs";
import { testMethods } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { randomStory } from "./oracle/steps.ts";
import { behaviours } from "./oracle/test-methods.ts";
import { agrees } from "./stories/agrees.ts";

const SEED = 20_260_101;
const STORIES = 40;
const ORACLE = new URL("oracle/", import.meta.url);

/** What the stories must come to, or they would prove little. */
const MET = {
  payments: [
    "requires_payment_method",
    "requires_confirmation",
    "requires_action",
    "processing",
    "succeeded",
    "failed",
    "canceled",
  ],
  sessions: ["pending", "processing", "completed", "failed", "cancelled", "expired"],
  subscriptions: ["incomplete", "incomplete_cancelled", "active", "past_due", "unpaid", "cancelled"],
  invoices: ["open", "paid", "void"],
  transactions: ["pending", "processing", "succeeded", "failed", "canceled", "expired"],
  answers: [
    "3D_SECURE_REQUIRED",
    "INSUFFICIENT_FUNDS",
    "INTENT_ALREADY_CONFIRMED",
    "INTERNAL_ERROR",
    "INVALID_STATE",
    "PAYMENT_METHOD_INVALID",
    "SESSION_NOT_FOUND",
    "VALIDATION_ERROR",
  ],
  events: [
    ...["requires_action", "processing", "succeeded", "failed", "canceled"].map((word) => `payment_intent.${word}`),
    ...["processing", "completed", "failed", "cancelled", "expired"].map((word) => `checkout.${word}`),
    ...["activated", "past_due", "unpaid", "cancelled", "invoice.paid", "invoice.payment_failed"].map(
      (word) => `subscription.${word}`,
    ),
  ],
};

test(`in ${STORIES} random stories from the seed ${SEED}, the service does in every step what the oracle says`, async () => {
  const met = new Set<string>();
  const property = fc.asyncProperty(randomStory, async (story) => {
    for (const word of (await agrees(story)).met) met.add(word);
  });
  await fc.assert(property, { seed: SEED, numRuns: STORIES });
  const all = Object.entries(MET).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));
  expect(all.filter((word) => !met.has(word))).toEqual([]);
});

test("the oracle knows every test method", () => {
  expect(Object.keys(behaviours).toSorted()).toEqual(testMethods.map(({ id }) => id).toSorted());
});

test.for(readdirSync(ORACLE))("the oracle shares no code with the service: %s", (file) => {
  const imported = readFileSync(new URL(file, ORACLE), "utf8").matchAll(/^import .*from "(.+)";$/gm);
  const allowed = /^(?:\.\/[\w-]+\.ts|fast-check)$/;
  expect([...imported].map(([, name = ""]) => name).filter((name) => !allowed.test(name))).toEqual([]);
});
