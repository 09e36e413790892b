import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

describe("a view leads on", () => {
  test("from an intent to its subscription and invoice, and back", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    const { intents, subscriptions, invoices, transactions } = merchant.sim;
    const intent = intents.last();
    expect(intent).toMatchObject({ purpose: "subscription", subscriptionId: id });
    const invoice = invoices.get(intent?.invoiceId ?? "");
    expect(invoice).toMatchObject({ subscriptionId: id, paymentIntent: { id: intent?.id } });
    expect(subscriptions.get(id)?.latestInvoice.id).toBe(invoice?.id);
    expect(transactions.get(intent?.transactionId ?? "")?.intentId).toBe(intent?.id);
  });

  test("from a session to its intent", async () => {
    const merchant = await Merchant.open();
    await merchant.createCheckout();
    const session = merchant.sim.checkouts.last();
    expect(merchant.sim.intents.get(session?.intentId ?? "")?.sessionToken).toBe(session?.sessionToken);
  });

  test("from everything of a merchant to the merchant", async () => {
    const merchant = await (await Merchant.open()).neighbour();
    await merchant.subscribe();
    await merchant.createCheckout();
    const { intents, checkouts, plans, subscriptions, invoices, webhooks } = merchant.sim;
    const views = [intents, checkouts, plans, subscriptions, invoices].map((reader) => reader.last());
    expect(views.map((view) => view?.merchantId)).toEqual(views.map(() => merchant.credentials.merchantId));
    expect(webhooks.events().every(({ merchantId }) => merchantId === merchant.credentials.merchantId)).toBe(true);
  });
});

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME = /^at$|At$|Start$|End$|^dueDate$/;

/** Every member of a value that names a time, with its path. */
function timesIn(value: unknown, path = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const own = `${path}.${name}`;
    return TIME.test(name) ? [[own, member] as [string, unknown]] : timesIn(member, own);
  });
}

test("times have one form in every view", async () => {
  const merchant = await Merchant.open({}, () => new Response(null, { status: 500 }));
  await merchant.pastDue();
  await merchant.createCheckout();
  await merchant.pay({ webhookUrl: "https://shop.example/hooks" }, "pm_card_challenge");
  await merchant.sim.clock.settle();
  const { intents, checkouts, plans, subscriptions, invoices, transactions, webhooks, clock } = merchant.sim;
  const views = {
    lists: [intents, checkouts, plans, subscriptions, invoices, transactions].map((reader) => reader.list()),
    events: webhooks.events(),
    attempts: webhooks.attempts(),
    failures: webhooks.failures(),
    pending: clock.pending(),
  };
  const times = timesIn(views);
  expect(times.length).toBeGreaterThan(50);
  expect(times.filter(([, time]) => !ISO_8601.test(String(time)))).toEqual([]);
  expect(createSimulator().clock.now()).toMatch(ISO_8601);
});
