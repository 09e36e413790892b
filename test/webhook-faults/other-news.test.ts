import { expect, test } from "vitest";
import { merchantWith } from "./verifying-merchant.ts";

test("an event about another object comes in place of the true one, correctly signed", async () => {
  const { sim, merchant, received } = await merchantWith([]);
  const { id: theirs } = await merchant.createIntent({ externalId: "order-9" });
  sim.faults.add({ kind: "webhook.other-object", event: "payment_intent.succeeded", object: theirs });
  await merchant.pay({ externalId: "order-1" });
  await sim.clock.settle();
  const told = received.map(({ event }) => event).filter((event) => event?.type === "payment_intent.succeeded");
  expect(told).toMatchObject([{ data: { id: theirs, attributes: { status: "succeeded", amount: 10000 } } }]);
  expect(JSON.stringify(told)).not.toContain("order-1");
  expect(sim.intents.get(theirs)?.status).toBe("requires_payment_method");
  expect(sim.intents.last()).toMatchObject({ externalId: "order-1", status: "succeeded" });
});

test("an event says another amount, the same on every attempt, and the books do not", async () => {
  const { sim, merchant, received } = await merchantWith(
    [{ kind: "webhook.other-value", event: "*.succeeded", field: "amount", by: 1 }],
    { answer: (_, count) => new Response(null, { status: count === 2 ? 500 : 200 }) },
  );
  await merchant.pay({});
  await sim.clock.advance("1 minute");
  expect(received.map(({ event }) => event)).toMatchObject([
    { type: "payment_intent.processing", data: { attributes: { amount: 10000 } } },
    { type: "payment_intent.succeeded", data: { attributes: { amount: 10001 } } },
    { type: "payment_intent.succeeded", data: { attributes: { amount: 10001 } } },
  ]);
  expect(received[2]?.body).toBe(received[1]?.body);
  expect(sim.intents.last()?.amount).toBe(10000);
});

test("an event without the field is not an occasion", async () => {
  const { sim, merchant } = await merchantWith([
    { kind: "webhook.other-value", field: "status", by: 1 },
    { kind: "webhook.other-value", field: "plan", to: "gold" },
  ]);
  await merchant.pay({});
  await sim.clock.settle();
  expect(sim.faults.unused()).toHaveLength(2);
});

test.for([
  [{ field: "amount" }, "either by"],
  [{ field: "amount", by: 1, to: 2 }, "either by"],
  [{ field: "amount", by: 0 }, "changes nothing"],
  [{ field: "createdAt", to: "today" }, "with which every event begins"],
] as const)("%o is refused", async ([fields, message]) => {
  const { sim } = await merchantWith([]);
  expect(() => sim.faults.add({ kind: "webhook.other-value", ...fields })).toThrow(message);
});
