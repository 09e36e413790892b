import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

describe("payment intent events", () => {
  test("carry the fields of webhook.intent, frozen when the fact happened", async () => {
    const merchant = await Merchant.open();
    const { id, transactionId } = await merchant.createIntent({ externalId: "order-1", metadata: { table: 7 } });
    await merchant.sim.clock.advance("1 second");
    await merchant.confirm(id, "pm_card_stolen");
    await merchant.sim.clock.settle();
    const attributes = {
      amount: 10_000,
      fee: 1850,
      externalId: "order-1",
      transactionId,
      paymentMethod: { id: "pm_card_stolen", type: "card" },
      metadata: { table: 7 },
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:01.000Z",
    };
    const event = (status: string, rest: object): object => ({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/) as string,
      type: `payment_intent.${status}`,
      createdAt: "2026-01-01T00:00:01.000Z",
      data: { id, type: "payment_intent", attributes: { status, ...attributes, ...rest } },
    });
    expect(merchant.webhooks).toStrictEqual([event("processing", {}), event("failed", { declineCode: "stolen_card" })]);
    expect(new Set(merchant.webhooks.map((body) => body["id"])).size).toBe(2);
  });

  test("leave out what the intent does not have", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    merchant.sim.intents.cancel(id);
    await merchant.sim.clock.settle();
    const [event] = merchant.webhooks as { type: string; data: { attributes: object } }[];
    expect(event?.type).toBe("payment_intent.canceled");
    expect(Object.keys(event?.data.attributes ?? {})).toEqual([
      "status",
      "amount",
      "fee",
      "transactionId",
      "createdAt",
      "updatedAt",
    ]);
  });

  test.each([
    ["pm_card_approved", "authenticate", ["processing", "succeeded"]],
    ["pm_card_generic_decline", "authenticate", ["processing", "failed"]],
    ["pm_card_challenge", "authenticate", ["requires_action", "processing", "succeeded"]],
    ["pm_card_challenge", "failAuthentication", ["requires_action", "processing", "failed"]],
    ["pm_card_declined_after_challenge", "authenticate", ["requires_action", "processing", "failed"]],
  ] as const)("of %s tell each move once and in order (%s)", async (method, act, expected) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const { body } = await merchant.confirm(id, method);
    if (body.data.requiresAction) await merchant.sim.customer[act](body.data.redirectUrl);
    await merchant.sim.clock.advance("1 day");
    expect(merchant.eventTypes).toEqual(expected.map((status) => `payment_intent.${status}`));
  });

  test("are not sent for creation, nor for a processor that is down", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_processor_unavailable");
    await merchant.sim.clock.settle();
    expect(merchant.sim.webhooks.events()).toEqual([]);
  });
});
