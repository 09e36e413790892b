import { CentavoError } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("canceling as the service's back office", () => {
  test("ends an intent that nobody confirmed", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    expect(shop.sim.intents.cancel(id)).toMatchObject({ id, status: "canceled" });
    expect((await shop.intentStatus(id)).status).toBe("canceled");
    await shop.sim.clock.settle();
    expect(shop.eventTypes).toEqual(["payment_intent.canceled"]);
  });

  test("answers a copy: what a test does to it reaches neither the event nor the journal", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent({ metadata: { order: "1" } });
    Object.assign(shop.sim.intents.cancel(id).metadata ?? {}, { order: "changed" });
    expect(JSON.stringify([shop.sim.webhooks.events(), shop.sim.journal.entries])).not.toContain("changed");
  });

  test("ends an intent with an open challenge, takes its deadline off the clock, and closes its page", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    const { redirectUrl } = ok(await shop.confirm(id, "gcash"));
    await shop.sim.clock.settle();
    shop.sim.intents.cancel(id);
    await shop.sim.clock.settle();
    expect(shop.sim.clock.pending()).toEqual([]);
    expect(await shop.sim.customer.authenticate(redirectUrl)).toEqual({ status: "canceled" });
    expect(shop.eventTypes).toEqual(["payment_intent.requires_action", "payment_intent.canceled"]);
  });

  test.each([
    ["processing", "pm_card_approved", false],
    ["succeeded", "pm_card_approved", true],
    ["failed", "pm_card_stolen", true],
  ])("is refused once the intent is %s, naming the state", async (state, method, settled) => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    await shop.confirm(id, method);
    if (settled) await shop.sim.clock.settle();
    const before = shop.sim.intents.get(id);
    expect(() => shop.sim.intents.cancel(id)).toThrow(
      expect.objectContaining({
        code: "INVALID_STATE",
        message: expect.stringContaining(`the intent is ${state}`) as string,
      }),
    );
    expect(shop.sim.intents.get(id)).toEqual(before);
  });

  test("is refused a second time, and for an unknown intent", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    shop.sim.intents.cancel(id);
    expect(() => shop.sim.intents.cancel(id)).toThrow(/is canceled/);
    expect(() => shop.sim.intents.cancel("pi_unknown")).toThrow(CentavoError);
    expect(() => shop.sim.intents.cancel("pi_unknown")).toThrow(/no such payment intent/);
  });

  test("is refused for an intent that a checkout session embeds, naming the way out", async () => {
    const shop = await Merchant.open();
    const { checkoutUrl } = await shop.createCheckout();
    const { id } = shop.sim.intents.last() ?? { id: "" };
    expect(() => shop.sim.intents.cancel(id)).toThrow(/sim\.customer\.cancel\(checkoutUrl\)/);
    expect((await shop.sim.customer.pay(checkoutUrl, "card")).status).toBe("processing");
  });
});
