import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const DOWN = "pm_card_processor_unavailable";

/** An intent whose method was attached and whose processor was down: by a test method, or by a fault for any other. */
async function awaiting(method = DOWN, body: object = {}): Promise<{ merchant: Merchant; id: string }> {
  const merchant = await Merchant.open();
  const { id } = await merchant.createIntent({ returnUrl: "https://shop.example/thanks" });
  if (method !== DOWN) merchant.sim.faults.add({ kind: "processor.unavailable", times: 1 });
  const answer = await merchant.confirm(id, { paymentMethodId: method, ...body });
  expect(answer).toMatchObject({ status: 500, body: { code: "INTERNAL_ERROR" } });
  expect((await merchant.intentStatus(id)).status).toBe("requires_confirmation");
  return { merchant, id };
}

describe("an intent that awaits its confirmation, because the processor was down", () => {
  test.each([
    [DOWN, "processing"],
    ["pm_card_approved", "processing"],
    ["pm_gcash", "requires_action"],
  ])("is confirmed again without naming %s, which is attached", async (method, status) => {
    const { merchant, id } = await awaiting(method);
    expect(await merchant.intentStatus(id)).toMatchObject({ paymentMethod: { id: method } });
    expect(ok(await merchant.confirm(id, {})).status).toBe(status);
  });

  test("may name another method, which replaces the first", async () => {
    const { merchant, id } = await awaiting();
    expect(ok(await merchant.confirm(id, "pm_gcash")).status).toBe("requires_action");
    expect(await merchant.intentStatus(id)).toMatchObject({ paymentMethod: { id: "pm_gcash" } });
  });

  test("keeps the card that was sent in full, and charges it", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const creditCardDetails = { cardNumber: "5500000000000194", expMonth: "12", expYear: "2030", cvc: "123" };
    await merchant.confirm(id, { paymentMethod: "card", creditCardDetails });
    const { paymentMethod } = await merchant.intentStatus(id);
    ok(await merchant.confirm(id, {}));
    expect(await merchant.intentStatus(id)).toMatchObject({ status: "processing", paymentMethod });
  });

  test("takes a contact with either confirmation", async () => {
    const { merchant, id } = await awaiting(DOWN, { contact: { name: "Ana" } });
    ok(await merchant.confirm(id, { contact: { email: "ana@example.com" } }));
    expect(merchant.sim.intents.get(id)?.contact).toEqual({ name: "Ana", email: "ana@example.com" });
  });

  test("is told to no one", async () => {
    const { merchant } = await awaiting();
    await merchant.sim.clock.advance("2 days");
    expect(merchant.webhooks).toEqual([]);
  });

  test("can be canceled", async () => {
    const { merchant, id } = await awaiting();
    expect(merchant.sim.intents.cancel(id).status).toBe("canceled");
  });

  test("is found among the transactions by its method", async () => {
    const { merchant, id } = await awaiting();
    const { items } = await merchant.client.transactions.list({ paymentMethod: "card", status: "pending" });
    expect(items).toMatchObject([{ intentId: id, paymentMethod: { id: DOWN } }]);
  });
});

test("a session whose processor was down is pending, and its transaction has the method", async () => {
  const merchant = await Merchant.open();
  const { sessionToken } = await merchant.createCheckout();
  await merchant.processCheckout(sessionToken, DOWN);
  expect(merchant.sim.intents.last()?.status).toBe("requires_confirmation");
  const { items } = await merchant.client.transactions.list({ paymentMethod: "card" });
  expect(items).toMatchObject([{ sessionToken, status: "pending", paymentMethod: { id: DOWN } }]);
});

test.each([{}, { contact: { name: "Ana" } }])("an intent without a method is not confirmed by %j", async (body) => {
  const merchant = await Merchant.open();
  const { id } = await merchant.createIntent();
  const { status, body: answer } = await merchant.confirm(id, body);
  expect([status, answer.errors]).toMatchObject([400, [{ path: "paymentMethodId", message: "is required" }]]);
});
