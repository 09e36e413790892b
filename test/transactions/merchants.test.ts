import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { transact, transactionsOf } from "./transactions.ts";

test("a merchant sees only its own transactions and payment sessions, under every filter", async () => {
  const merchant = await Merchant.open();
  const other = await merchant.neighbour();
  const mine = [await transact(merchant, { externalId: "order-1" })];
  const theirs = await transact(other, { externalId: "order-1" });
  const session = await other.createCheckout();
  mine.unshift(await transact(merchant, { externalId: "order-1" }));

  expect((await transactionsOf(merchant)).map(({ id }) => id)).toEqual(mine);
  const { client } = merchant;
  for (const query of [
    { external_id: "order-1" },
    { status: "pending" },
    { dateFrom: "2026-01-01" },
    { amountMin: 1 },
  ] as const)
    expect((await client.transactions.list(query)).items.map(({ id }) => id)).toEqual(mine);
  expect(await transactionsOf(other)).toMatchObject([{ sessionToken: session.sessionToken }, { id: theirs }]);
  expect(await client.transactions.listPaymentSessions()).toMatchObject({ items: [], total: 0 });
  expect((await other.client.transactions.listPaymentSessions()).total).toBe(1);
  expect(merchant.sim.transactions.list()).toHaveLength(4);
});

test("another merchant's transaction and session do not exist", async () => {
  const merchant = await Merchant.open();
  const other = await merchant.neighbour();
  const transaction = `/api/transactions/transactions/${await transact(other)}`;
  const session = `/api/transactions/payment-sessions/${(await other.createCheckout()).sessionToken}`;
  for (const [path, code] of [
    [transaction, "TRANSACTION_NOT_FOUND"],
    [session, "SESSION_NOT_FOUND"],
  ] as const) {
    const { status, body } = await merchant.call("GET", path);
    expect([status, body.code]).toEqual([404, code]);
    expect((await other.call("GET", path)).status).toBe(200);
  }
});

test.for([
  "/api/transactions",
  "/api/transactions/payment-sessions",
  "/api/transactions/payment-sessions/00000000-0000-4000-8000-000000000000",
  "/api/transactions/transactions/txn_1",
])("%s takes a bearer token: no admin key, no client key, nothing else", async (path) => {
  const { sim, client } = await Merchant.open();
  const { clientKey } = await client.paymentIntents.create({ amount: 1 });
  for (const headers of [{}, { "x-admin-key": sim.credentials.adminKey }, { authorization: `Bearer ${clientKey}` }])
    expect((await sim.fetch(path, { headers })).status).toBe(401);
  expect((await sim.fetch(path, { method: "POST" })).status).toBe(405);
});
