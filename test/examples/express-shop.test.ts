import { expect, test } from "vitest";
import { customer, openDoor, SHOP_URL, succeeded } from "./shop-door.ts";

const book = { sku: "book", customer, paymentMethodId: "pm_card_approved" };

test("an order is priced by the shop, not by the customer", async () => {
  const { send } = await openDoor();
  const { status, order } = await send("POST", "/orders", { ...book, quantity: 2, amount: 1 });
  expect({ status, amount: order.amount }).toEqual({ status: 201, amount: 99_800 });
});

test.for([
  ["a thing that the shop does not sell", { ...book, sku: "toString" }],
  ["no quantity", { ...book, quantity: 0 }],
  ["no customer", { sku: "book" }],
] as const)("an order of %s is refused, and the service hears nothing of it", async ([, body]) => {
  const { send, calls } = await openDoor();
  expect(await send("POST", "/orders", body)).toMatchObject({ status: 400 });
  expect(calls()).toEqual([]);
});

test("the redirect's address is not believed", async () => {
  const { send, visit } = await openDoor();
  const { order } = await send("POST", "/orders", { ...book, paymentMethodId: "pm_card_challenge" });
  expect(await visit(`/return?order=${order.id}&status=succeeded`)).toContain(`${order.id}: requires_action`);
  expect((await send("GET", `/orders/${order.id}`)).order.status).toBe("requires_action");
});

test("the access token is got once, and renewed only when it has expired", async () => {
  const { sim, send, calls } = await openDoor();
  await send("POST", "/orders", book);
  await send("POST", "/orders", book);
  expect(calls().filter((call) => call === "POST /oauth")).toHaveLength(1);
  await sim.clock.advance("1 hour");
  expect((await send("POST", "/orders", book)).status).toBe(201);
  expect(calls().filter((call) => call === "POST /oauth")).toHaveLength(2);
});

test("creating is repeatable, as its idempotency key is the order", async () => {
  const { sim, send } = await openDoor();
  const { order } = await send("POST", "/orders", { sku: "book", customer });
  const first = await send("POST", `/orders/${order.id}/checkout`);
  const second = await send("POST", `/orders/${order.id}/checkout`);
  expect(second.order.payments).toEqual(first.order.payments);
  expect(sim.checkouts.list()).toHaveLength(1);
});

test("when the service fails, the customer may try again and the order stays pending", async () => {
  const { send, log } = await openDoor();
  expect(await send("POST", "/orders", { ...book, paymentMethodId: "pm_card_processor_unavailable" })).toMatchObject({
    status: 502,
  });
  expect((await send("GET", "/orders/order_0001")).order.status).toBe("pending");
  expect(log).toEqual([expect.stringContaining("could not go on")]);
});

test("a customer who comes back sees the truth of the moment", async () => {
  const { sim, send } = await openDoor();
  const { order } = await send("POST", "/orders", { ...book, paymentMethodId: "pm_gcash" });
  const visit = await sim.customer.authenticate(order.redirectUrl ?? "");
  expect(visit.redirectedTo).toContain(`${SHOP_URL}/return?order=${order.id}`);
  expect((await send("GET", `/orders/${order.id}`)).order.status).toBe("pending");
});

test.for([
  ["a payment intent", "payment_intent.*", { paymentMethodId: "pm_card_approved" }],
  ["a checkout", "checkout.*", {}],
] as const)("the job asks for an order that was paid by %s, of which no event told", async ([, event, method]) => {
  const { sim, send, visit } = await openDoor();
  sim.faults.add({ kind: "webhook.drop", event });
  const { order } = await send("POST", "/orders", { sku: "book", customer, ...method });
  if (event === "checkout.*") {
    const led = await send("POST", `/orders/${order.id}/checkout`);
    await sim.customer.pay(led.order.redirectUrl ?? "", "pm_card_approved");
  }
  await sim.clock.settle();
  expect((await send("GET", `/orders/${order.id}`)).order.status).not.toBe("paid");
  await visit("/jobs/refresh", "POST");
  expect((await send("GET", `/orders/${order.id}`)).order.status).toBe("paid");
});

test("an event about an order is applied once", async () => {
  const { send, post, log } = await openDoor();
  const { order } = await send("POST", "/orders", book);
  expect([await post(succeeded(order)), await post(succeeded(order))]).toEqual([200, 200]);
  expect(log).toEqual([`${order.id} is paid`, "payment_intent.succeeded is a duplicate and changes nothing"]);
});

test.for([
  ["another merchant's secret", { secret: "whsec_another" }],
  ["an old stamp", { age: 301 }],
  ["a stamp from the future", { age: -301 }],
] as const)("an event with %s is refused", async ([, signed]) => {
  const { send, post } = await openDoor();
  const { order } = await send("POST", "/orders", book);
  expect(await post(succeeded(order), signed)).toBe(401);
  expect((await send("GET", `/orders/${order.id}`)).order.status).toBe("pending");
});

test.for([
  ["another amount", { amount: 1 }],
  ["another order", { externalId: "order_0002" }],
] as const)("a right signature on %s pays nothing", async ([, attributes]) => {
  const { send, post } = await openDoor();
  const { order } = await send("POST", "/orders", book);
  expect(await post(succeeded(order, attributes))).toBe(200);
  expect((await send("GET", `/orders/${order.id}`)).order.status).toBe("pending");
});

test.for([
  ["a list", []],
  ["an event without an id", { type: "payment_intent.succeeded" }],
  ["a payment without its data", { id: "evt_1", type: "payment_intent.succeeded", data: null }],
  ["a subscription without its plan", { id: "evt_1", type: "subscription.activated", data: { attributes: {} } }],
] as const)("a right signature on %s is refused, without a crash", async ([, event]) => {
  const { post, log } = await openDoor();
  expect(await post(event)).toBe(400);
  expect(log).toEqual([expect.stringContaining("is malformed")]);
});

test("an event about a payment that the shop does not know is worth a retry", async () => {
  const { send, post } = await openDoor();
  const { order } = await send("POST", "/orders", book);
  expect(await post(succeeded({ ...order, payments: [] }))).toBe(404);
});

test("a paid order stays paid when late events come, and late money counts", async () => {
  const { send, post } = await openDoor();
  const { order } = await send("POST", "/orders", book);
  await post({ ...succeeded(order, { status: "failed" }), id: "evt_1" });
  await post({ ...succeeded(order), id: "evt_2" });
  await post({ ...succeeded(order, { status: "processing" }), id: "evt_3" });
  expect((await send("GET", `/orders/${order.id}`)).order.status).toBe("paid");
});
