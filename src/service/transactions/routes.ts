import { checkoutSession } from "../schemas/checkout.ts";
import { bySessionToken } from "../fields.ts";
import { defineRoute } from "../route.ts";
import { pathsOfDocument } from "../wire/paths.ts";
import type { Transactions } from "./commands.ts";
import {
  listPaymentSessionsQuery,
  listTransactionsQuery,
  paymentSessionPage,
  transaction,
  transactionPage,
  transactionPath,
} from "../schemas/transactions.ts";

const route = defineRoute<Transactions>();

/** Transactions and payment sessions (4.4). */
export const transactionRoutes = [
  route({
    name: "transaction.list",
    /**
     * Lists transactions, newest first (`transaction.page`, `transaction.filters`).
     * @param query filters by `external_id`, `status`, `paymentMethod` (a kind), `dateFrom` and `dateTo` (of creation, inclusive),
     *   `amountMin` and `amountMax` (centavos, inclusive); pages by `limit` (1 to 100, 10 by default) and `offset`
     * @throws {ServiceError} `VALIDATION_ERROR` for an invalid filter
     */
    client: "transactions.list",
    summary: "List transactions",
    source: "4.4",
    service: "api",
    method: "GET",
    path: pathsOfDocument["transaction.list"],
    credential: "bearer",
    query: listTransactionsQuery,
    data: transactionPage,
    errors: [],
    assumes: ["auth.scope", "transaction.record", "transaction.page", "transaction.filters", "transaction.dates"],
    handle: ({ query, merchantId }, transactions) => ({ data: transactions.list(merchantId, query) }),
  }),
  route({
    name: "transaction.list-payment-sessions",
    /** Lists checkout sessions, newest first (`transaction.payment-session`). */
    client: "transactions.listPaymentSessions",
    summary: "List payment sessions",
    source: "4.4",
    service: "api",
    method: "GET",
    path: pathsOfDocument["transaction.list-payment-sessions"],
    credential: "bearer",
    query: listPaymentSessionsQuery,
    data: paymentSessionPage,
    errors: [],
    assumes: ["auth.scope", "transaction.payment-session", "transaction.page"],
    handle: ({ query, merchantId, publicUrl }, transactions) => ({
      data: transactions.listPaymentSessions(merchantId, query, publicUrl),
    }),
  }),
  route({
    name: "transaction.payment-session",
    /** Reads a checkout session with the merchant's access token. @throws {ServiceError} `SESSION_NOT_FOUND` */
    client: "transactions.paymentSession",
    summary: "Read a payment session",
    source: "4.4",
    service: "api",
    method: "GET",
    path: pathsOfDocument["transaction.payment-session"],
    credential: "bearer",
    ...bySessionToken,
    data: checkoutSession,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["auth.scope", "transaction.payment-session", "checkout.expired-token"],
    handle: ({ params, merchantId, publicUrl }, transactions) => ({
      data: transactions.paymentSession(merchantId, params.sessionToken, publicUrl),
    }),
  }),
  route({
    name: "transaction.get",
    /** Reads a transaction (`transaction.record`). @throws {ServiceError} `TRANSACTION_NOT_FOUND` */
    client: "transactions.get",
    summary: "Read a transaction",
    source: "4.4",
    service: "api",
    method: "GET",
    path: pathsOfDocument["transaction.get"],
    credential: "bearer",
    params: transactionPath,
    data: transaction,
    errors: ["TRANSACTION_NOT_FOUND"],
    assumes: ["auth.scope", "transaction.record"],
    handle: ({ params, merchantId }, transactions) => ({ data: transactions.show(merchantId, params.transactionId) }),
  }),
];
