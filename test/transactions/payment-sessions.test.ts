import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

describe("a payment session", () => {
  test("is what the administrator reads, for the merchant's own token", async () => {
    const merchant = await Merchant.open();
    const { sim, client } = merchant;
    const { sessionToken, checkoutUrl } = await merchant.createCheckout();
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    const session = await client.transactions.paymentSession(sessionToken);
    const administrator = await sim.fetch(`/api/checkout/session/${sessionToken}`, {
      headers: { "x-admin-key": sim.credentials.adminKey },
    });
    expect({ success: true, data: session }).toEqual(await administrator.json());
    expect(session).toMatchObject({ status: "completed", fee: 1850, paymentMethod: { id: "pm_card_approved" } });
    expect((await client.transactions.listPaymentSessions()).items).toEqual([session]);
    expect((await client.transactions.get(session.transactionId)).sessionToken).toBe(sessionToken);
  });

  test("that has expired is still there, as expired", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    await merchant.sim.clock.advance("24 hours");
    expect(await merchant.client.transactions.paymentSession(sessionToken)).toMatchObject({ status: "expired" });
  });

  test("is a checkout session: tokens of intents and subscriptions, and unknown tokens, are not found", async () => {
    const merchant = await Merchant.open();
    const intent = await merchant.client.paymentIntents.create({ amount: 1 });
    const subscription = await merchant.start();
    const unknown = "00000000-0000-4000-8000-000000000000";
    for (const token of [intent.sessionToken, subscription.sessionToken, unknown]) {
      const { status, body } = await merchant.call("GET", `/api/transactions/payment-sessions/${token}`);
      expect([status, body.code, body.message]).toEqual([404, "SESSION_NOT_FOUND", "Session not found"]);
    }
    expect((await merchant.client.transactions.listPaymentSessions()).total).toBe(0);
  });
});

test("payment sessions are listed newest first, by status and external id", async () => {
  const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
  const { sim, client } = merchant;
  const tokens: string[] = [];
  for (const externalId of ["order-1", "order-2", "order-1", "order-3"])
    tokens.push((await merchant.createCheckout({ externalId })).sessionToken);
  await client.checkout.process(tokens[0] ?? "", { paymentMethodId: "pm_card_approved" });
  await client.checkout.process(tokens[1] ?? "", { paymentMethodId: "pm_card_challenge" });
  await sim.customer.cancel(`${sim.baseUrl}/pay/${tokens[3] ?? ""}`);
  await sim.clock.settle();

  const listed = async (query: Parameters<typeof client.transactions.listPaymentSessions>[0]): Promise<number[]> =>
    (await client.transactions.listPaymentSessions(query)).items.map(({ sessionToken }) =>
      tokens.indexOf(sessionToken),
    );
  expect(await listed({})).toEqual([3, 2, 1, 0]);
  expect(await listed({ status: "completed" })).toEqual([0]);
  expect(await listed({ status: "processing" })).toEqual([1]);
  expect(await listed({ status: "pending" })).toEqual([2]);
  expect(await listed({ status: "cancelled" })).toEqual([3]);
  expect(await listed({ status: "failed" })).toEqual([]);
  expect(await listed({ external_id: "order-1" })).toEqual([2, 0]);
  expect(await listed({ external_id: "order-1", status: "pending" })).toEqual([2]);
  expect(await listed({ limit: 2, offset: 1 })).toEqual([2, 1]);
});
