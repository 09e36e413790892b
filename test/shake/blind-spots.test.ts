import { expect, test } from "vitest";
import type { TestParts } from "centavo/testing";
import { openSmallShop } from "../exam/small-shop.ts";
import type { Orders } from "../exam/small-shop.ts";
import type { Suite } from "./in-process.ts";
import { shakenIn } from "./in-process.ts";

const url = "https://shop.example";
const BLIND = /^(?:processor\.decline|webhook\.drop$|(?:webhook|response)\.other)/;

/** Sells something in the small shop, and returns its order. */
async function sell({ sim, network, visit }: Pick<TestParts, "sim" | "network" | "visit">) {
  const store: Orders = new Map();
  const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
  sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]));
  await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
  await sim.clock.settle();
  return store.get("order-1");
}

const looksAtNothing: Suite[string] = async ({ sim, network, visit }) => {
  expect(await sell({ sim, network, visit })).toMatchObject({ id: "order-1", amount: 49_900 });
};
const looksAtTheOrder: Suite[string] = async ({ sim, network, visit }) => {
  expect(await sell({ sim, network, visit })).toMatchObject({ status: "paid" });
};

/** Shakes a suite for its blind spots alone. */
async function blindSpotsIn(suite: Suite) {
  const { blindSpots, findings } = await shakenIn(suite, {
    blindSpots: true,
    isWanted: ({ trouble }) => BLIND.test(trouble.name),
  });
  expect(findings).toEqual([]);
  return blindSpots ?? { open: [], closed: -1 };
}

test("a test that looks at nothing notices neither a decline nor a lost event, and the lines say what would", async () => {
  const { open, closed } = await blindSpotsIn({ "a customer pays": looksAtNothing });
  expect(closed).toBe(0);
  expect(open.map(({ sentence }) => sentence)).toEqual([
    "No test would notice that a decline in the answer is taken for a payment.",
    "No test would notice that a decline that comes after the answer is taken for a payment.",
    "No test would notice that the event payment_intent.succeeded never comes, or is never handled.",
    "No test would notice that the answer of payment-intent.create says one centavo more than was asked for.",
  ]);
  expect(open[1]).toMatchObject({
    at: "POST /api/payment-intent/{intentId}/confirm",
    trouble: "The customer's payment is declined later.",
    tests: [{ test: "a customer pays" }],
  });
  expect(open[1]?.lines).toEqual([
    'sim.faults.add({ kind: "processor.decline", code: "generic_decline", customer: "present", nth: 1 });',
    '// … what the test "a customer pays" does …',
    "expect(sim.faults.unused()).toEqual([]);",
    'expect(sim.intents.last()?.status).toBe("failed");',
    'expect(/* what your shop says of order-1 */).toBe("not paid");',
  ]);
});

test("one test that looks at the order closes the blind spots of the others", async () => {
  const { open, closed } = await blindSpotsIn({ "looks at nothing": looksAtNothing, "looks at it": looksAtTheOrder });
  expect(open.map(({ sentence }) => sentence)).toEqual([
    // The shop does not look at amounts, and no test plans that they differ.
    "No test would notice that the event payment_intent.succeeded says one centavo more than the order costs.",
    "No test would notice that the answer of payment-intent.create says one centavo more than was asked for.",
  ]);
  expect(closed).toBe(4);
});

test("a test that reads the service's books alone guards nothing that the merchant does", async () => {
  const { open } = await blindSpotsIn({
    "reads the attempts": async ({ sim, network, visit }) => {
      await sell({ sim, network, visit });
      expect(sim.webhooks.events().map(({ type }) => type)).toContain("payment_intent.succeeded");
    },
    "looks at nothing": looksAtNothing,
  });
  expect(open.map(({ sentence }) => sentence)).toContain(
    "No test would notice that the event payment_intent.succeeded never comes, or is never handled.",
  );
});

test("nothing is told of a decline that the merchant never learns of", async () => {
  const { open } = await blindSpotsIn({
    "the clock stands still": async ({ sim, network, visit }) => {
      const store: Orders = new Map();
      const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
      sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]));
      await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
      expect(store.size).toBe(1);
    },
  });
  expect(open.map(({ sentence }) => sentence)).toEqual([
    "No test would notice that the answer of payment-intent.create says one centavo more than was asked for.",
  ]);
});

test("a suite is not asked for its blind spots by default", async () => {
  const { blindSpots, judged } = await shakenIn(
    { "looks at nothing": looksAtNothing },
    { isWanted: ({ trouble }) => BLIND.test(trouble.name) },
  );
  expect(blindSpots).toBeUndefined();
  expect(judged.map(({ placed }) => placed.duty)).not.toContain("must be noticed");
});
