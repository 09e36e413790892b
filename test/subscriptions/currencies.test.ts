import { describe, expect, test } from "vitest";
import { currencies } from "../../src/service/currencies.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("the currency of a plan", () => {
  test("is carried by its invoices, their intents and events, and its transactions", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe("pm_card_approved", { currency: "USD", amount: 1000 });
    const subscription = merchant.sim.subscriptions.get(id);
    expect(subscription).toMatchObject({
      plan: { currency: "USD" },
      latestInvoice: { currency: "USD", paymentIntent: { currency: "USD" } },
    });
    const intentId = subscription?.latestInvoice.paymentIntent.id ?? "";
    expect(await merchant.intentStatus(intentId)).toMatchObject({ amount: 1000, currency: "USD" });
    expect(merchant.sim.intents.get(intentId)?.currency).toBe("USD");
    expect(merchant.sim.transactions.last()?.currency).toBe("USD");
    const [event] = merchant.sim.webhooks.events({ type: "payment_intent.succeeded" });
    expect(event?.body).toMatchObject({ data: { attributes: { currency: "USD" } } });
  });

  test("is also the currency of its open invoices, after a change to a plan in another", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue("pm_card_declines_renewals", { currency: "EUR", interval: "day" });
    const pesos = await merchant.createPlan({ interval: "day" });
    ok(await merchant.changePlan(id, pesos.id));
    await merchant.sim.clock.advance("1 day");
    const open = merchant.invoices(id).filter(({ status }) => status === "open");
    expect(open.map(({ currency, paymentIntent }) => [currency, paymentIntent.currency])).toEqual([
      ["EUR", "EUR"],
      ["PHP", "PHP"],
    ]);
  });

  test.each(currencies)("can be %s", async (currency) => {
    expect((await (await Merchant.open()).createPlan({ currency })).currency).toBe(currency);
  });
});

test("an intent that pays no invoice has no currency of its own, and its transaction is in PHP", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.createIntent();
  expect(await merchant.intentStatus(id)).not.toHaveProperty("currency");
  expect(merchant.sim.transactions.last()?.currency).toBe("PHP");
});

test("the ledger counts each currency by itself, including what a bounded history forgot", async () => {
  const merchant = await Merchant.open({ keep: 1 });
  for (const currency of ["USD", "PHP", "USD"])
    await merchant.subscribe("pm_card_approved", { currency, amount: 100_000, interval: "day" });
  await merchant.sim.clock.advance("300 days");
  const [dollars, pesos] = [merchant.sim.ledger("USD"), merchant.sim.ledger()];
  expect(dollars).toMatchObject({ currency: "USD", balance: 0, balances: { customers: 2 * 301 * 100_000 } });
  expect(pesos).toMatchObject({ currency: "PHP", balance: 0, balances: { customers: 301 * 100_000 } });
  expect(dollars.broughtForward?.customers).toBeGreaterThan(pesos.broughtForward?.customers ?? 0);
  expect(merchant.sim.ledger("EUR")).toMatchObject({ lines: [], balance: 0 });
});

test.each([
  ["PHP", "₱1,234.50"],
  ["USD", "$1,234.50"],
  ["JPY", "¥123,450"],
  ["KWD", "KWD\u00A0123.450"],
])("a customer reads an amount of 123450 in %s as %s", async (currency, text) => {
  const merchant = await Merchant.open();
  const { id } = await merchant.start({ currency, amount: 123_450 });
  const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
  expect(await (await merchant.sim.fetch(redirectUrl)).text()).toContain(text);
});

test("every currency of the platform is taken, but for those that ISO 4217 has withdrawn", () => {
  const withdrawn = new Set(["ANG", "BGN", "CUC", "HRK", "SLL", "ZWL"]);
  const missing = Intl.supportedValuesOf("currency").filter((code) => !currencies.includes(code));
  expect(missing.filter((code) => !withdrawn.has(code))).toEqual([]);
});
