import { CentavoError } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

test("a handler may call the API back while it is being called", async () => {
  const seen: string[] = [];
  const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "1 second" } }, async ({ body }) => {
    const event = JSON.parse(body) as { data: { id: string } };
    seen.push((await merchant.intentStatus(event.data.id)).status);
    return new Response();
  });
  const { sim } = merchant;
  await merchant.pay();
  await sim.clock.advance("1 second");
  expect(seen).toEqual(["processing", "succeeded"]);
  expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
});

test("a handler may move the very payment that it is told about; what follows is delivered in the same settle, in order", async () => {
  const merchant = await Merchant.open({}, async ({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
    if (type === "payment_intent.requires_action") await sim.customer.authenticate(data.id);
    return new Response();
  });
  const { sim } = merchant;
  const id = await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  await sim.clock.settle();
  expect(merchant.eventTypes).toEqual([
    "payment_intent.requires_action",
    "payment_intent.processing",
    "payment_intent.succeeded",
  ]);
  expect((await merchant.intentStatus(id)).status).toBe("succeeded");
});

test("a handler may make a second payment, whose events come after those that wait", async () => {
  const merchant = await Merchant.open({}, async (_, count) => {
    if (count === 1) await merchant.pay();
    return new Response();
  });
  const { sim } = merchant;
  await merchant.pay();
  await sim.clock.settle();
  expect(merchant.eventTypes).toEqual(
    ["processing", "succeeded", "processing", "succeeded"].map((status) => `payment_intent.${status}`),
  );
});

test("a handler that moves the clock, which waits for it, is refused, and its failure is recorded", async () => {
  const merchant = await Merchant.open({}, async () => {
    await sim.clock.advance("1 second");
    return new Response();
  });
  const { sim } = merchant;
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  await sim.clock.settle();
  const [attempt] = sim.webhooks.attempts();
  expect(attempt).toMatchObject({ delivered: false, answer: { reason: "threw" } });
  expect(attempt?.answer).toHaveProperty("message", expect.stringContaining("cannot move it"));
  expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
});

test("the refusal has the code CLOCK_BUSY", async () => {
  let refusal: unknown;
  const merchant = await Merchant.open({}, async () => {
    refusal = await sim.clock.settle().catch((error: unknown) => error);
    return new Response();
  });
  const { sim } = merchant;
  await merchant.pay();
  await sim.clock.settle();
  expect(refusal).toBeInstanceOf(CentavoError);
  expect(refusal).toMatchObject({ code: "CLOCK_BUSY" });
  expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
});
