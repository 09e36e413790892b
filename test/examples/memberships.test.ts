import { expect, test } from "vitest";
import type { Membership } from "../../examples/express-shop/memberships.ts";
import { customer, openDoor, SHOP_URL, type Door } from "./shop-door.ts";

const reader = { plan: "reader", customer, paymentMethodId: "pm_card_approved" };

interface EventDetails {
  readonly id?: string;
  readonly createdAt?: string;
  readonly externalId?: string;
  readonly plan?: { readonly name: string; readonly amount: number };
}

/** A subscription event about a membership, as the service writes it. */
function eventOf(membership: Membership, type: string, about: EventDetails = {}): object {
  const { id = type, createdAt = "2026-01-02T00:00:00.000Z", ...attributes } = about;
  return {
    id: `evt_${id}`,
    type: `subscription.${type}`,
    createdAt,
    data: {
      id: membership.subscriptionId,
      type: "subscription",
      attributes: { externalId: membership.id, plan: { name: "reader", amount: 19_900 }, ...attributes },
    },
  };
}

async function join({ ask }: Door): Promise<Membership> {
  return (await ask("POST", "/memberships", reader)).answer;
}

async function libraryOf({ ask }: Door, { id }: Membership): Promise<number> {
  return (await ask("GET", `/members/${id}/library`)).status;
}

test.for([
  ["incomplete", [], 403],
  ["active", ["activated"], 200],
  ["past_due", ["activated", "past_due"], 200],
  ["unpaid", ["activated", "past_due", "unpaid"], 403],
  ["active", ["activated", "past_due", "unpaid", "activated"], 200],
  ["cancelled", ["activated", "cancelled"], 403],
] as const)("a membership that is %s after %j finds the library: %i", async ([status, types, expected]) => {
  const door = await openDoor();
  const membership = await join(door);
  for (const [index, type] of types.entries())
    expect(await door.post(eventOf(membership, type, { id: `${index}` }))).toBe(200);
  expect((await door.ask("GET", `/memberships/${membership.id}`)).answer.status).toBe(status);
  expect(await libraryOf(door, membership)).toBe(expected);
});

test("no answer of the service opens the library, and none closes it", async () => {
  const door = await openDoor();
  const membership = await join(door);
  expect(door.sim.intents.last()?.status).toBe("processing");
  expect(await libraryOf(door, membership)).toBe(403);
  await door.sim.clock.settle();
  expect(await libraryOf(door, membership)).toBe(200);
  const left = await door.ask("DELETE", `/memberships/${membership.id}?reason=Moving`);
  expect(left).toMatchObject({ status: 202, answer: { status: "active" } });
  expect(await libraryOf(door, membership)).toBe(200);
  await door.sim.clock.settle();
  expect(await libraryOf(door, membership)).toBe(403);
  expect(door.sim.subscriptions.last()?.cancellationReason).toBe("Moving");
});

test("an event that happened before what is known changes nothing, and one that comes twice is applied once", async () => {
  const door = await openDoor();
  const membership = await join(door);
  await door.post(eventOf(membership, "activated", { createdAt: "2026-02-03T00:00:00.000Z" }));
  expect(await door.post(eventOf(membership, "unpaid"))).toBe(200);
  expect(await libraryOf(door, membership)).toBe(200);
  await door.post(eventOf(membership, "activated", { createdAt: "2026-02-03T00:00:00.000Z" }));
  expect(door.log).toEqual([`${membership.id} is active`, "subscription.activated is a duplicate and changes nothing"]);
});

test("a cancelled membership stays cancelled", async () => {
  const door = await openDoor();
  const membership = await join(door);
  await door.post(eventOf(membership, "cancelled"));
  await door.post(eventOf(membership, "activated", { createdAt: "2026-03-01T00:00:00.000Z" }));
  expect(await libraryOf(door, membership)).toBe(403);
});

test.for([
  ["another membership", { externalId: "member_0002" }],
  ["another price", { plan: { name: "reader", amount: 1 } }],
  ["a plan that is not sold", { plan: { name: "toString", amount: 19_900 } }],
] as const)("a right signature on %s opens nothing", async ([, attributes]) => {
  const door = await openDoor();
  const membership = await join(door);
  expect(await door.post(eventOf(membership, "activated", attributes))).toBe(200);
  expect(await libraryOf(door, membership)).toBe(403);
});

test("a wrong signature opens nothing, and a subscription that the shop does not know is worth a retry", async () => {
  const door = await openDoor();
  const membership = await join(door);
  expect(await door.post(eventOf(membership, "activated"), { secret: "whsec_another" })).toBe(401);
  expect(await door.post(eventOf({ ...membership, subscriptionId: "sub_unknown" }, "activated"))).toBe(404);
  expect(await libraryOf(door, membership)).toBe(403);
});

test.for([
  ["a plan that is not sold", { ...reader, plan: "toString" }],
  ["no customer", { plan: "reader" }],
] as const)("a membership of %s is refused, and the service hears nothing of it", async ([, body]) => {
  const { ask, calls } = await openDoor();
  expect(await ask("POST", "/memberships", body)).toMatchObject({ status: 400 });
  expect(calls()).toEqual([]);
});

test("what the service refuses is told to the member, with the membership to try again with", async () => {
  const { ask } = await openDoor();
  const empty = await ask("POST", "/memberships", { ...reader, paymentMethodId: "pm_card_insufficient_funds" });
  expect(empty).toMatchObject({ status: 402, answer: { id: "member_0001", status: "incomplete" } });
  expect(await ask("POST", "/memberships/member_0001/card", { paymentMethodId: "pm_gcash" })).toMatchObject({
    status: 400,
  });
  expect(await ask("POST", "/memberships/member_0001/plan", { plan: "scholar" })).toMatchObject({ status: 409 });
  expect(await ask("POST", "/memberships/member_0001/card", { paymentMethodId: "pm_card_approved" })).toMatchObject({
    status: 200,
  });
});

test("a plan is made at the service once, however many members want it", async () => {
  const { sim, ask } = await openDoor();
  await Promise.all([ask("POST", "/memberships", reader), ask("POST", "/memberships", reader)]);
  expect(sim.plans.list()).toMatchObject([{ name: "reader", amount: 19_900, interval: "month" }]);
  expect(sim.subscriptions.list()).toHaveLength(2);
});

test("a member who owes several months is led to the challenge of a new card, and then owes nothing", async () => {
  const { sim, ask } = await openDoor();
  const { answer: joined } = await ask("POST", "/memberships", {
    ...reader,
    paymentMethodId: "pm_card_declines_renewals",
  });
  await sim.clock.advance("3 months");
  expect(sim.invoices.list().filter(({ status }) => status === "open").length).toBeGreaterThan(1);
  const { answer } = await ask("POST", `/memberships/${joined.id}/card`, { paymentMethodId: "pm_card_challenge" });
  await sim.customer.authenticate(answer.redirectUrl ?? "");
  await sim.clock.settle();
  expect(sim.invoices.list().every(({ status }) => status === "paid")).toBe(true);
  expect((await ask("GET", `/memberships/${joined.id}`)).answer.status).toBe("active");
});

test("a customer who comes back from the bank sees the truth of the moment", async () => {
  const { sim, ask, visit } = await openDoor();
  const challenged = { ...reader, paymentMethodId: "pm_card_challenge" };
  const { answer } = await ask("POST", "/memberships", challenged);
  const { redirectedTo } = await sim.customer.authenticate(answer.redirectUrl ?? "");
  expect(redirectedTo).toContain(`${SHOP_URL}/members/${answer.id}`);
  expect(await visit(`/members/${answer.id}?status=succeeded`)).toContain(`${answer.id}: incomplete`);
});

test("a cancellation whose answer is not JSON does not count as done", async () => {
  const door = await openDoor();
  await join(door);
  door.sim.faults.add({ kind: "request.malformed", route: "subscription.cancel", times: 1 });
  expect(await door.ask("DELETE", "/memberships/member_0001")).toMatchObject({ status: 502 });
  expect((await door.ask("DELETE", "/memberships/member_0001")).status).toBe(202);
});
