import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

describe("the readers", () => {
  test("of an empty world find nothing", () => {
    const sim = createSimulator();
    for (const reader of [sim.intents, sim.checkouts]) {
      expect([reader.list(), reader.last(), reader.get("pi_unknown"), reader.get("")]).toEqual([
        [],
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  test("list intents from the oldest to the newest, those that sessions embed included", async () => {
    const merchant = await Merchant.open();
    const first = await merchant.createIntent();
    await merchant.createCheckout();
    const last = await merchant.createIntent();
    const { intents } = merchant.sim;
    expect(intents.list().map(({ purpose }) => purpose)).toEqual(["payment_intent", "checkout", "payment_intent"]);
    expect([intents.list()[0]?.id, intents.last()?.id, intents.get(first.id)?.id]).toEqual([
      first.id,
      last.id,
      first.id,
    ]);
  });

  test("show an intent with what no answer shows", async () => {
    const merchant = await Merchant.open();
    const { id, transactionId, sessionToken } = await merchant.createIntent({
      externalId: "order-1",
      contact: { name: "Ana" },
      metadata: { a: 1 },
    });
    await merchant.confirm(id, "pm_card_stolen");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)).toStrictEqual({
      id,
      status: "failed",
      purpose: "payment_intent",
      merchantId: merchant.sim.credentials.merchantId,
      amount: 10_000,
      fee: 1850,
      description: "",
      transactionId,
      sessionToken,
      externalId: "order-1",
      contact: { name: "Ana" },
      metadata: { a: 1 },
      paymentMethod: { id: "pm_card_stolen", type: "card", brand: "mastercard", last4: "0195" },
      declineCode: "stolen_card",
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
  });

  test("find a session by its id and by its token", async () => {
    const merchant = await Merchant.open();
    const { id, sessionToken } = await merchant.createCheckout();
    const { checkouts } = merchant.sim;
    expect(checkouts.get(id)).toEqual(checkouts.get(sessionToken));
    expect(checkouts.last()).toMatchObject({
      id,
      sessionToken,
      status: "pending",
      returnUrl: "https://shop.example/thanks",
      webhookUrl: "https://shop.example/hooks",
    });
    expect(checkouts.list()).toHaveLength(1);
  });

  test("leave no trace in the journal", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const digest = merchant.sim.journal.digest();
    merchant.sim.intents.get(id);
    merchant.sim.checkouts.list();
    expect(merchant.sim.journal.digest()).toBe(digest);
  });
});
