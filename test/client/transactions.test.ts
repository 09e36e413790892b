import { createSimulator } from "centavo";
import { createClient, type Client, type ListTransactionsQuery, type Transaction } from "centavo/client";
import { beforeAll, expect, expectTypeOf, test } from "vitest";

const sim = createSimulator();
const client: Client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
const address = { returnUrl: "https://shop.example/return", webhookUrl: "https://shop.example/hooks" };
const contact = { name: "Ana Cruz", email: "ana@customer.example" };
let sessionToken = "";

beforeAll(async () => {
  const paid = await client.paymentIntents.create({ amount: 10_000, externalId: "order-1" });
  await client.paymentIntents.confirm(paid.id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.advance("2 days");
  const session = await client.checkout.create({
    externalId: "a+b & c",
    amount: 500,
    description: "A pen",
    contact,
    ...address,
  });
  sessionToken = session.sessionToken;
  const failed = await client.paymentIntents.create({ amount: 20_000, externalId: "order-3" });
  await client.paymentIntents.confirm(failed.id, { paymentMethodId: "pm_card_stolen" });
  await sim.clock.settle();
});

test.for<[ListTransactionsQuery, string[]]>([
  [{}, ["order-3", "a+b & c", "order-1"]],
  [{ external_id: "a+b & c" }, ["a+b & c"]],
  [{ status: "succeeded" }, ["order-1"]],
  [{ paymentMethod: "card" }, ["order-3", "order-1"]],
  [{ dateFrom: "2026-01-02" }, ["order-3", "a+b & c"]],
  [{ dateTo: "2026-01-01" }, ["order-1"]],
  [{ amountMin: 10_000, amountMax: 15_000 }, ["order-1"]],
  [{ limit: 1, offset: 1 }, ["a+b & c"]],
])("transactions by %o", async ([query, expected]) => {
  const { items } = await client.transactions.list(query);
  expect(items.map(({ externalId }) => externalId)).toEqual(expected);
});

test("a page says the total", async () => {
  expect(await client.transactions.list({ limit: 2 })).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
  expect(await client.transactions.list()).toMatchObject({ total: 3, limit: 10, hasMore: false });
});

test("one transaction is read by its id", async () => {
  const [transaction] = (await client.transactions.list({ status: "failed" })).items;
  const read = await client.transactions.get(transaction?.id ?? "");
  expectTypeOf(read).toEqualTypeOf<Transaction>();
  expect(read).toEqual(transaction);
  expect(read).toMatchObject({ declineCode: "stolen_card", net: 0 });
  await expect(client.transactions.get("txn_unknown")).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
});

test("payment sessions are listed and read without the admin key", async () => {
  const page = await client.transactions.listPaymentSessions({ status: "pending", limit: 5, offset: 0 });
  expect(page).toMatchObject({ items: [{ sessionToken }], total: 1 });
  expect(await client.transactions.listPaymentSessions({ external_id: "order-1" })).toMatchObject({ total: 0 });
  expect(await client.transactions.paymentSession(sessionToken)).toEqual(page.items[0]);
});

test("invalid filters are refused by the service", async () => {
  await expect(client.transactions.list({ amountMin: 2, amountMax: 1 })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    errors: [{ path: "amountMax" }],
  });
});
