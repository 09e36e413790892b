import { describe, expect, test } from "vitest";
import { type Arrival, Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

describe("an event", () => {
  test("is queued by what happened and sent when the clock next settles, never inside the request", async () => {
    const merchant = await Merchant.open();
    const { sim, arrivals } = merchant;
    const id = await merchant.pay();
    expect(arrivals).toEqual([]);
    expect(sim.webhooks.events()).toMatchObject([
      { type: "payment_intent.processing", status: "pending", attempts: 0, url: HOOKS },
    ]);

    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
    expect(sim.webhooks.events()).toMatchObject([
      { type: "payment_intent.processing", status: "delivered", attempts: 1 },
      { type: "payment_intent.succeeded", status: "delivered", attempts: 1 },
    ]);
    expect(JSON.parse(arrivals[1]?.body ?? "")).toMatchObject({
      id: sim.webhooks.events()[1]?.id,
      createdAt: "2026-01-01T00:00:00.000Z",
      data: { id, type: "payment_intent", attributes: { status: "succeeded", amount: 10000 } },
    });
    expect(arrivals[1]?.headers.get("content-type")).toBe("application/json");
  });

  test("of something that did not happen in the end is never sent", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await expect(merchant.createIntent({ webhookUrl: HOOKS, amount: 0 })).rejects.toThrow();
    expect(sim.webhooks.events()).toEqual([]);
    expect(sim.clock.pending()).toEqual([]);
  });

  test("of a checkout session goes to the session's webhookUrl", async () => {
    const merchant = await Merchant.open();
    const { sim, arrivals } = merchant;
    const { checkoutUrl } = await merchant.createCheckout();
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.completed"]);
    expect(JSON.parse(arrivals[1]?.body ?? "")).toMatchObject({ status: "completed", externalId: "order-1" });
  });
});

test("events arrive one at a time, in the order in which they happened, even if the receiver takes time to answer", async () => {
  let open = 0;
  let most = 0;
  const merchant = await Merchant.open({}, async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return new Response();
  });
  const { sim, arrivals } = merchant;
  const ids = [await merchant.pay(), await merchant.pay(), await merchant.pay()];
  await sim.clock.settle();

  const subjects = arrivals.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  expect(most).toBe(1);
  expect(merchant.eventTypes).toEqual([
    ...ids.map(() => "payment_intent.processing"),
    ...ids.map(() => "payment_intent.succeeded"),
  ]);
  expect(subjects).toEqual([...ids, ...ids]);
});

test("a delivery that fails does not hold back the next event", async () => {
  const merchant = await Merchant.open({}, (_, count) => new Response(null, { status: count === 1 ? 500 : 200 }));
  const { sim } = merchant;
  await merchant.pay();
  await sim.clock.settle();
  expect(sim.webhooks.events()).toMatchObject([
    { type: "payment_intent.processing", status: "pending" },
    { type: "payment_intent.succeeded", status: "delivered" },
  ]);
  await sim.clock.advance("2 seconds");
  expect(merchant.eventTypes).toEqual([
    "payment_intent.processing",
    "payment_intent.succeeded",
    "payment_intent.processing",
  ]);
});

test("the body is frozen when the event happens: every attempt sends the same bytes, even if the payment has changed", async () => {
  const merchant = await Merchant.open({}, (_, count) => new Response(null, { status: count < 4 ? 500 : 200 }));
  const { sim, arrivals } = merchant;
  await merchant.pay({ webhookUrl: HOOKS, metadata: { größe: "15 / 16 é" } }, "pm_card_challenge");
  await sim.clock.settle();
  sim.intents.cancel(sim.intents.last()?.id ?? "");
  await sim.clock.advance("10 seconds");

  const attempts = arrivals.filter(({ body }) => body.includes("requires_action"));
  expect(attempts).toHaveLength(3);
  expect(new Set(attempts.map(({ body }: Arrival) => body)).size).toBe(1);
  expect(attempts[0]?.body).toContain('"status":"requires_action"');
});
