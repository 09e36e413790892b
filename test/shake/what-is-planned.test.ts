import type { SimulatedOptions } from "centavo/testing";
import { expect, test } from "vitest";
import { planOfTest } from "../../src/shake/plan-of-test.ts";
import type { PassedCall, PassedEvent, TestRecord } from "../../src/testing/shake/test-record.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const HOUR = 3_600_000;

/** A test in which a merchant reads five times, pays twice, and hears of both. */
const record: TestRecord = {
  test: { title: "a test", ordinal: 1, key: "key" },
  outcome: { is: "passed" },
  from: 0,
  to: 100 * HOUR,
  calls: [
    ...[1, 2, 3, 4, 5].map((occurrence) => call("payment-intent.status", occurrence)),
    ...[1, 2].map((occurrence) => call("payment-intent.confirm", occurrence)),
  ],
  events: [1, 2].map(event),
  payments: [],
  charges: [],
  acts: 2,
  ownStrikes: [],
  refusedVisits: 0,
  booksRead: [],
  entries: 0,
};

function call(route: string, occurrence: number): PassedCall {
  return {
    route,
    occurrence,
    at: HOUR,
    path: "/",
    by: "merchant",
    status: 200,
    isFollowed: true,
    acts: 0,
  };
}

function event(occurrence: number): PassedEvent {
  const attempts = [{ occurrence, at: HOUR, status: 200, struckBy: [], hadFailingCall: false, isHeldUp: false }];
  return { id: `evt_${occurrence}`, type: "checkout.completed", occurrence, at: HOUR, attempts, status: "delivered" };
}

/** At which of the calls or events a trouble is made. */
function placesOf(trouble: string, subject: string): readonly number[] {
  return planOfTest(record, new Set(), false)
    .placed.filter(({ trouble: { name }, point }) => name === trouble && point.subject === subject)
    .map(({ point }) => point.occurrence);
}

test.for([
  ["request.status 503", "payment-intent.status", [1, 2]],
  ["response.truncated", "payment-intent.status", [1]],
  ["response.lost", "payment-intent.confirm", [1, 2]],
  ["response.late 3s", "payment-intent.confirm", [1, 2]],
  ["webhook.duplicate", "checkout.completed", [1, 2]],
  ["webhook.wrong-secret", "checkout.completed", [1]],
  ["webhook.stale-timestamp", "checkout.completed", [1]],
  ["webhook.unknown-object", "checkout.completed", [1]],
] as const)("%s is made at %s %o, and nowhere else", ([trouble, subject, places]) => {
  expect(placesOf(trouble, subject)).toEqual(places);
});

test("an unknown type of event follows one event of each resource, whatever its type is", () => {
  const events = ["checkout.processing", "checkout.completed", "subscription.activated"];
  const { placed } = planOfTest(
    { ...record, events: events.map((type, index) => Object.assign(event(1), { id: `evt_${index}`, type })) },
    new Set(),
    false,
  );
  expect(
    placed.filter(({ trouble }) => trouble.name === "webhook.unknown-type").map(({ point }) => point.subject),
  ).toEqual(["checkout.processing", "subscription.activated"]);
});

test("lost answers of charges come first, then those of other calls, then events that come twice", () => {
  const calls = ["payment-intent.create", "payment-intent.confirm"].map((route) => call(route, 1));
  const { placed } = planOfTest({ ...record, calls, events: [event(1)] }, new Set(), false);
  expect(placed.slice(0, 3).map(({ trouble, point }) => `${trouble.name} at ${point.subject}`)).toEqual([
    "response.lost at payment-intent.confirm",
    "response.lost at payment-intent.create",
    "webhook.duplicate at checkout.completed",
  ]);
});

test("a test that is edited keeps its key, where the runner tells its title", async () => {
  const keyOf = async (own: Suite[string]): Promise<string | undefined> => {
    const suite = { name: undefined } as unknown as SimulatedOptions;
    const { plain } = await shakenIn({ "a customer pays": own }, { suite, isWanted: () => false });
    return plain[0]?.test.key;
  };
  const before = await keyOf(async ({ client }) => void (await client.paymentIntents.create({ amount: 49_900 })));
  const after = await keyOf(async ({ client }) => void (await client.paymentIntents.create({ amount: 59_900 })));
  expect(before).toMatch(/^\w{16}$/);
  expect(after).toBe(before);
});
