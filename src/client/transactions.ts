import type { CheckoutSession } from "../service/checkout/schema.ts";
import type {
  ListPaymentSessionsQuery,
  ListTransactionsQuery,
  PaymentSessionPage,
  Transaction,
  TransactionPage,
} from "../service/transactions/schema.ts";
import { operations } from "./operations.ts";
import type { CallOptions, ServiceCall } from "./service-call.ts";

/** Calls for transactions and payment sessions (4.4). They only read. */
export interface TransactionCalls {
  /**
   * Lists transactions, newest first (`transaction.page`, `transaction.filters`).
   * @param query filters by `external_id`, `status`, `paymentMethod` (a kind), `dateFrom` and `dateTo` (of creation, inclusive),
   *   `amountMin` and `amountMax` (centavos, inclusive); pages by `limit` (1 to 100, 10 by default) and `offset`
   * @throws {ServiceError} `VALIDATION_ERROR` for an invalid filter
   */
  list(query?: ListTransactionsQuery, options?: CallOptions): Promise<TransactionPage>;
  /** Reads a transaction (`transaction.record`). @throws {ServiceError} `TRANSACTION_NOT_FOUND` */
  get(transactionId: string, options?: CallOptions): Promise<Transaction>;
  /** Lists checkout sessions, newest first (`transaction.payment-session`). */
  listPaymentSessions(query?: ListPaymentSessionsQuery, options?: CallOptions): Promise<PaymentSessionPage>;
  /** Reads a checkout session with the merchant's access token. @throws {ServiceError} `SESSION_NOT_FOUND` */
  paymentSession(sessionToken: string, options?: CallOptions): Promise<CheckoutSession>;
}

export function transactionCalls(call: ServiceCall): TransactionCalls {
  return {
    list: async (query = {}, options = {}) =>
      (await call(operations.listTransactions, { ...options, query })) as TransactionPage,
    get: async (parameter, options) => (await call(operations.transaction, { ...options, parameter })) as Transaction,
    listPaymentSessions: async (query = {}, options = {}) =>
      (await call(operations.listPaymentSessions, { ...options, query })) as PaymentSessionPage,
    paymentSession: async (parameter, options) =>
      (await call(operations.paymentSession, { ...options, parameter })) as CheckoutSession,
  };
}
