import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answersWell } from "./requests/answers-well.ts";
import { everyStatus, statusesIn } from "./requests/every-status.ts";
import { randomRequest } from "./requests/random-request.ts";

const SEED = 20_260_101;
const WORLDS = 40;
const REQUESTS_OF_A_WORLD = 15;

const world = await everyStatus();

test("the world that the requests go to has every resource in every status", () => {
  const statuses = Object.entries(statusesIn(world.sim)).map(([name, seen]) => [name, [...seen].toSorted()]);
  expect(Object.fromEntries(statuses)).toEqual({
    intents: [
      "canceled",
      "failed",
      "processing",
      "requires_action",
      "requires_confirmation",
      "requires_payment_method",
      "succeeded",
    ],
    checkouts: ["cancelled", "completed", "expired", "failed", "pending", "processing"],
    subscriptions: ["active", "cancelled", "incomplete", "incomplete_cancelled", "past_due", "unpaid"],
    invoices: ["open", "paid", "void"],
    transactions: ["canceled", "expired", "failed", "pending", "processing", "succeeded"],
  });
});

test(`${WORLDS * REQUESTS_OF_A_WORLD} random requests from the seed ${SEED} are answered as declared, and refused without a trace`, async () => {
  const answered = new Set<number>();
  const requests = fc.array(randomRequest(world), { minLength: REQUESTS_OF_A_WORLD, maxLength: REQUESTS_OF_A_WORLD });
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      for (const status of (await answersWell(world, all)).statuses) answered.add(status);
    }),
    { seed: SEED, numRuns: WORLDS },
  );
  expect([...answered]).toEqual(expect.arrayContaining([200, 204, 400, 401, 402, 404, 405, 409, 413, 415]));
});

test("the first payment on a hosted page while the processor is down leaves its trace, and the page says so", async () => {
  const [session] = world.sim.checkouts.list({ status: "pending" });
  const pay = {
    method: "POST",
    path: `/pay/${session?.sessionToken}`,
    part: "api",
    caller: "merchant",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "action=pay&method=pm_card_processor_unavailable",
    isIdempotent: false,
  } as const;
  expect((await answersWell(world, [pay, pay])).statuses).toEqual([400, 303]);
});
