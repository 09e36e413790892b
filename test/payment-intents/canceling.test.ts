import { CentavoError } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("canceling as the service's back office", () => {
  test("ends an unconfirmed intent", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    expect(merchant.sim.intents.cancel(id)).toMatchObject({ id, status: "canceled" });
    expect((await merchant.intentStatus(id)).status).toBe("canceled");
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["payment_intent.canceled"]);
  });

  test("answers a copy: what a test does to it reaches neither the event nor the journal", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent({ metadata: { order: "1" } });
    Object.assign(merchant.sim.intents.cancel(id).metadata ?? {}, { order: "changed" });
    expect(JSON.stringify([merchant.sim.webhooks.events(), merchant.sim.journal.entries])).not.toContain("changed");
  });

  test("ends an intent with an open challenge, takes its deadline off the clock, and closes its page", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const { redirectUrl } = ok(await merchant.confirm(id, "gcash"));
    await merchant.sim.clock.settle();
    merchant.sim.intents.cancel(id);
    await merchant.sim.clock.settle();
    expect(merchant.sim.clock.pending()).toEqual([]);
    expect(await merchant.sim.customer.authenticate(redirectUrl)).toEqual({ status: "canceled" });
    expect(merchant.eventTypes).toEqual(["payment_intent.requires_action", "payment_intent.canceled"]);
  });

  test.each([
    ["processing", "pm_card_approved", false],
    ["succeeded", "pm_card_approved", true],
    ["failed", "pm_card_stolen", true],
  ])("is refused once the intent is %s, naming the state", async (state, method, settled) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, method);
    if (settled) await merchant.sim.clock.settle();
    const before = merchant.sim.intents.get(id);
    expect(() => merchant.sim.intents.cancel(id)).toThrow(
      expect.objectContaining({
        code: "INVALID_STATE",
        message: expect.stringContaining(`the intent is ${state}`) as string,
      }),
    );
    expect(merchant.sim.intents.get(id)).toEqual(before);
  });

  test("is refused a second time, and for an unknown intent", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    merchant.sim.intents.cancel(id);
    expect(() => merchant.sim.intents.cancel(id)).toThrow(/is canceled/);
    expect(() => merchant.sim.intents.cancel("pi_unknown")).toThrow(CentavoError);
    expect(() => merchant.sim.intents.cancel("pi_unknown")).toThrow(/no payment intent has this id/);
  });

  test("is refused for an intent that a checkout session embeds, naming the way out", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const { id } = merchant.sim.intents.last() ?? { id: "" };
    expect(() => merchant.sim.intents.cancel(id)).toThrow(/sim\.customer\.cancel\(checkoutUrl\)/);
    expect((await merchant.sim.customer.pay(checkoutUrl, "card")).status).toBe("processing");
  });
});
