import { describe, expect, test } from "vitest";
import { ok } from "../merchant/answers.ts";
import { merchantWith } from "./verifying-merchant.ts";

describe("an event that is dropped", () => {
  test("never arrives, and is on record with the fault that swallowed it", async () => {
    const { sim, merchant, types } = await merchantWith([{ kind: "webhook.drop", event: "payment_intent.succeeded" }]);
    await merchant.pay({});
    await sim.clock.advance("1 day");
    expect(types()).toEqual(["processing"]);
    expect(sim.webhooks.events()).toMatchObject([
      { type: "payment_intent.processing", status: "delivered" },
      { type: "payment_intent.succeeded", status: "dropped", fault: "fault_1", attempts: 0 },
    ]);
    expect(String(sim.journal)).toMatch(/payment_intent\.succeeded evt_\w+ is dropped by fault_1/);
  });

  test("comes when it is sent again by hand", async () => {
    const { sim, merchant, types } = await merchantWith([{ kind: "webhook.drop", event: "payment_intent.succeeded" }]);
    await merchant.pay({});
    await sim.clock.settle();
    sim.webhooks.redeliver(sim.webhooks.events({ type: "payment_intent.succeeded" })[0]?.id ?? "");
    await sim.clock.settle();
    expect(types()).toEqual(["processing", "succeeded"]);
    expect(sim.webhooks.events()[1]).toMatchObject({ status: "delivered" });
  });

  test("is chosen by what it is about, and others are not touched", async () => {
    const { sim, merchant, received } = await merchantWith([]);
    const [first, second] = [await merchant.createIntent(), await merchant.createIntent({ externalId: "order-2" })];
    sim.faults.add({ kind: "webhook.drop", resource: first.id });
    sim.faults.add({ kind: "webhook.drop", resource: "order-2", event: "*.succeeded" });
    for (const { id } of [first, second]) ok(await merchant.confirm(id));
    await sim.clock.settle();
    expect(received.map(({ event }) => event)).toMatchObject([
      { type: "payment_intent.processing", data: { id: second.id } },
    ]);
  });

  test("is chosen by the invoice or the intent that a subscription's event tells of", async () => {
    const { sim, merchant, types } = await merchantWith([]);
    const { id } = await merchant.start();
    const invoice = sim.invoices.last();
    sim.faults.add({ kind: "webhook.drop", event: "subscription.invoice.*", resource: invoice?.id ?? "" });
    sim.faults.add({ kind: "webhook.drop", event: "*.processing", resource: invoice?.paymentIntent.id ?? "" });
    ok(await merchant.processPayment(id));
    await sim.clock.settle();
    expect(types()).toEqual(["succeeded", "activated"]);
  });
});

test("an event that is delayed comes later, and says when it happened", async () => {
  const { sim, merchant, received, types, seconds } = await merchantWith([
    { kind: "webhook.delay", event: "*.processing", delay: "1 hour" },
  ]);
  await merchant.pay({});
  await sim.clock.advance("59 minutes 59 seconds");
  expect(types()).toEqual(["succeeded"]);
  await sim.clock.advance("1 second");
  expect(types()).toEqual(["succeeded", "processing"]);
  expect(seconds()).toEqual([0, 3600]);
  expect(received[1]?.event?.createdAt).toBe("2026-01-01T00:00:00.000Z");
  expect(String(sim.journal)).toContain("is queued until 2026-01-01 01:00:00.000Z");
});

describe("an event that is duplicated", () => {
  test("comes again with the same id and the same bytes, even if it was delivered", async () => {
    const { sim, merchant, received, types } = await merchantWith([
      { kind: "webhook.duplicate", event: "*.succeeded" },
    ]);
    await merchant.pay({});
    await sim.clock.settle();
    expect(types()).toEqual(["processing", "succeeded", "succeeded"]);
    expect(received[2]?.body).toBe(received[1]?.body);
    expect(sim.webhooks.events()).toMatchObject([{ attempts: 1 }, { attempts: 2, status: "delivered" }]);
  });

  test("comes as often and as late as was asked for", async () => {
    const { sim, merchant, types, seconds } = await merchantWith([
      { kind: "webhook.duplicate", event: "*.succeeded", copies: 3, delay: "1 day" },
    ]);
    await merchant.pay({});
    await sim.clock.advance("1 week");
    expect(types()).toEqual(["processing", "succeeded", "succeeded", "succeeded", "succeeded"]);
    expect(seconds()).toEqual([0, 0, 86_400, 2 * 86_400, 3 * 86_400]);
  });

  test("keeps its retries: a copy that fails leads to none, a copy that is delivered ends them", async () => {
    const { sim, merchant, seconds } = await merchantWith(
      [{ kind: "webhook.duplicate", event: "*.requires_action", copies: 2, delay: "1 second" }],
      { answer: (_, count) => new Response(null, { status: count < 3 ? 500 : 200 }) },
    );
    await merchant.pay({}, "pm_display_details");
    await sim.clock.advance("30 minutes");
    expect(seconds()).toEqual([0, 1, 2]);
    expect(sim.webhooks.events()[0]).toMatchObject({ status: "delivered", attempts: 3 });
  });

  test("stops coming once the merchant has answered 410", async () => {
    const { sim, merchant, types } = await merchantWith([{ kind: "webhook.duplicate", delay: "1 second" }], {
      answer: () => new Response(null, { status: 410 }),
    });
    await merchant.pay({});
    await sim.clock.advance("1 day");
    expect(types()).toEqual(["processing", "succeeded"]);
  });
});

test("the same event comes under a new id as well", async () => {
  const { sim, merchant, received } = await merchantWith([
    { kind: "webhook.new-id", event: "*.succeeded", delay: "5 seconds" },
  ]);
  await merchant.pay({});
  await sim.clock.advance("5 seconds");
  const [, first, second] = received.map(({ event }) => event);
  expect(second).toEqual({ ...first, id: second?.id });
  expect(second?.id).toMatch(/^evt_[A-Za-z0-9]{24}$/);
  expect(second?.id).not.toBe(first?.id);
  expect(received[2]?.second).toBe(5);
  expect(sim.webhooks.events()[2]).toMatchObject({ status: "delivered", fault: "fault_1" });
});

test("an event with extra fields has the same ones on every attempt", async () => {
  const { sim, merchant, received } = await merchantWith(
    [
      { kind: "webhook.extra-fields", event: "*.requires_action" },
      { kind: "webhook.extra-fields", fields: { livemode: false, nested: { list: [1, null] } } },
    ],
    { answer: (_, count) => new Response(null, { status: count === 1 ? 500 : 200 }) },
  );
  await merchant.pay({}, "pm_display_details");
  await sim.clock.advance("2 seconds");
  expect(received).toHaveLength(2);
  expect(received[0]?.event).toMatchObject({
    type: "payment_intent.requires_action",
    unexpected_field: expect.any(String) as string,
    livemode: false,
    nested: { list: [1, null] },
  });
  expect(received[1]?.body).toBe(received[0]?.body);
});

describe("an event that is made up comes right after the true one, truly signed", () => {
  test("of an unknown type", async () => {
    const { sim, merchant, received } = await merchantWith([
      { kind: "webhook.unknown-type", event: "*.processing" },
      { kind: "webhook.unknown-type", event: "*.processing", type: "payment_intent.flagged" },
    ]);
    await merchant.pay({});
    await sim.clock.settle();
    expect(received.map(({ event }) => event?.type)).toEqual([
      "payment_intent.processing",
      "payment_intent.reviewed",
      "payment_intent.flagged",
      "payment_intent.succeeded",
    ]);
    expect(received[1]?.event?.["data"]).toEqual(received[0]?.event?.["data"]);
    expect(String(sim.journal)).toMatch(/payment_intent\.reviewed evt_\w+ is queued, made up by fault_1/);
  });

  test("about an unknown object, all of whose ids have the right shape", async () => {
    const { sim, merchant, received } = await merchantWith([
      { kind: "webhook.unknown-object", event: "payment_intent.succeeded" },
      { kind: "webhook.unknown-object", event: "checkout.completed" },
    ]);
    await merchant.pay({ externalId: "order-1", metadata: { id: "mine" } });
    const { checkoutUrl } = await merchant.createCheckout({ externalId: "order-2", amount: 5000 });
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();

    const events = received.map(({ event }) => event);
    const [intent, stranger] = events.filter((event) => event?.type === "payment_intent.succeeded");
    expect(stranger).toMatchObject({
      data: {
        id: expect.stringMatching(/^pi_\w{24}$/) as string,
        attributes: { amount: 10000, metadata: { id: "mine" } },
      },
    });
    const { id } = (stranger?.["data"] ?? {}) as { id?: string };
    expect(sim.intents.get(id ?? "")).toBeUndefined();
    expect(JSON.stringify(stranger)).not.toContain("order-1");
    expect(stranger?.id).not.toBe(intent?.id);

    const [session, strangeSession] = events.filter((event) => event?.type === "checkout.completed");
    expect(strangeSession?.["sessionToken"]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(strangeSession?.["sessionToken"]).not.toBe(session?.["sessionToken"]);
    expect(strangeSession).toMatchObject({ status: "completed", amount: 5000 });
  });

  test("about another merchant's object, signed for this one", async () => {
    const { sim, merchant, received } = await merchantWith([]);
    const { id: theirs } = await merchant.createIntent({ externalId: "order-9" });
    sim.faults.add({ kind: "webhook.unknown-object", event: "payment_intent.succeeded", object: theirs });
    await merchant.pay({});
    await sim.clock.settle();
    const ids = received
      .filter(({ event }) => event?.type === "payment_intent.succeeded")
      .map(({ event }) => (event?.["data"] as { id: string } | undefined)?.id);
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(theirs);
    expect(sim.intents.get(theirs)?.status).toBe("requires_payment_method");
  });

  test("and also in the place of a true one that is dropped after it", async () => {
    const { sim, merchant, types } = await merchantWith([
      { kind: "webhook.new-id", event: "*.succeeded" },
      { kind: "webhook.drop", event: "*.succeeded" },
    ]);
    await merchant.pay({});
    await sim.clock.settle();
    expect(types()).toEqual(["processing", "succeeded"]);
    expect(sim.webhooks.events().map(({ status }) => status)).toEqual(["delivered", "dropped", "delivered"]);
  });
});

test("an event without a receiver is not an occasion for any fault", async () => {
  const { sim, merchant } = await merchantWith([{ kind: "webhook.drop" }, { kind: "webhook.refused" }], {
    options: { webhookUrl: undefined } as never,
  });
  await merchant.pay({});
  await sim.clock.settle();
  expect(sim.webhooks.events().map(({ status }) => status)).toEqual(["no-receiver", "no-receiver"]);
  expect(sim.faults.unused()).toHaveLength(2);
});
