import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { CONTACT } from "../merchant/requests.ts";
import { transact, transactionsOf } from "./transactions.ts";

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe("a transaction", () => {
  test("of an intent is made with it, and says everything that the intent knows", async () => {
    const { sim, client } = await Merchant.open();
    const intent = await client.paymentIntents.create({
      amount: 100_000,
      externalId: "order-1",
      description: "Shoes",
      contact: { ...CONTACT, phone: "+63 900" },
      metadata: { size: 43 },
    });
    const made = {
      id: intent.transactionId,
      externalId: "order-1",
      type: "payment_intent",
      amount: 100_000,
      fee: 0,
      net: 0,
      currency: "PHP",
      status: "pending",
      sessionToken: intent.sessionToken,
      intentId: intent.id,
      contact: { ...CONTACT, phone: "+63 900" },
      description: "Shoes",
      metadata: { size: 43 },
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
    };
    expect(await client.transactions.get(intent.transactionId)).toEqual(made);

    await sim.clock.advance("1 minute");
    await client.paymentIntents.confirm(intent.id, {
      paymentMethod: "card",
      creditCardDetails: { cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" },
    });
    await sim.clock.settle();
    expect(await client.transactions.get(intent.transactionId)).toEqual({
      ...made,
      fee: 5000,
      net: 95_000,
      status: "succeeded",
      paymentMethod: { id: matching(/^pm_/), type: "card", brand: "visa", last4: "4345" },
      updatedAt: "2026-01-01T00:01:00.000Z",
    });
  });

  test("of an intent that was made with its amount alone leaves out every other field but metadata", async () => {
    const { client } = await Merchant.open();
    const { transactionId } = await client.paymentIntents.create({ amount: 1 });
    const transaction = await client.transactions.get(transactionId);
    expect(transaction).toMatchObject({ description: "", contact: {}, metadata: {} });
    for (const absent of ["externalId", "paymentMethod", "declineCode", "subscriptionId", "invoiceId"])
      expect(transaction).not.toHaveProperty(absent);
  });

  test("that was declined says why, and moves no money", async () => {
    const merchant = await Merchant.open();
    const id = await transact(merchant, {}, "pm_card_stolen");
    await merchant.sim.clock.settle();
    expect(await merchant.client.transactions.get(id)).toMatchObject({
      status: "failed",
      declineCode: "stolen_card",
      fee: 0,
      net: 0,
    });
  });

  test("of a checkout session is one, and the embedded intent appears nowhere", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const { sim, client } = merchant;
    const contact = { ...CONTACT, contact: "+63 900 000 0000" };
    const session = await merchant.createCheckout({ contact });
    await client.checkout.process(session.sessionToken, { paymentMethodId: "pm_card_lost" });
    await sim.clock.settle();
    await client.checkout.process(session.sessionToken, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    const { items } = await client.transactions.list();
    expect(items).toEqual([
      {
        id: (await client.checkout.poll(session.sessionToken)).transactionId,
        externalId: "order-1",
        type: "checkout",
        amount: 10_000,
        fee: 1850,
        net: 8150,
        currency: "PHP",
        status: "succeeded",
        paymentMethod: { id: "pm_card_approved", type: "card", ...method("4345") },
        sessionToken: session.sessionToken,
        contact: { ...CONTACT, phone: "+63 900 000 0000" },
        description: "Two coffees",
        metadata: {},
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
      },
    ]);
    const embedded = sim.intents.list().map(({ id }) => id);
    expect(embedded).toHaveLength(2);
    for (const id of embedded) expect(JSON.stringify(items)).not.toContain(id);
  });

  test("is made by each attempt to pay an invoice", async () => {
    const merchant = await Merchant.open();
    const { sim, client } = merchant;
    const plan = await merchant.createPlan();
    const { id, latestInvoice } = await merchant.initiate(plan.id, { externalId: "member-1" });
    await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });
    await sim.clock.advance("1 hour");
    await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_recovers" });
    await sim.clock.settle();
    await sim.clock.advanceUntil(() => sim.invoices.list()[1]?.status === "paid");

    const transactions = (await transactionsOf(merchant)).toReversed();
    const renewal = sim.invoices.last();
    expect(
      transactions.map(({ invoiceId, status, declineCode }) => [invoiceId, status, declineCode ?? "none"]),
    ).toEqual([
      [latestInvoice.id, "failed", "generic_decline"],
      [latestInvoice.id, "succeeded", "none"],
      [renewal?.id, "failed", "insufficient_funds"],
      [renewal?.id, "failed", "insufficient_funds"],
      [renewal?.id, "succeeded", "none"],
    ]);
    for (const transaction of transactions) {
      expect(transaction).toMatchObject({
        type: "subscription",
        subscriptionId: id,
        intentId: matching(/^pi_/),
        externalId: "member-1",
        description: "Coffee club",
        contact: CONTACT,
      });
    }
    expect(new Set(transactions.map((transaction) => transaction.id)).size).toBe(5);
    expect(transactions.at(-1)?.id).toBe(renewal?.paymentIntent.transactionId);
  });
});

test("an unknown transaction is not found", async () => {
  const { status, body } = await (await Merchant.open()).call("GET", "/api/transactions/transactions/txn_unknown");
  expect([status, body.code]).toEqual([404, "TRANSACTION_NOT_FOUND"]);
});

function method(last4: string): object {
  return { brand: "visa", last4 };
}
