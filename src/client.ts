/** A typed client of the API, for scripts, stories and tests. */
export { createClient } from "./client/client.ts";
export type { Client, ClientOptions } from "./client/client.ts";
export { ServiceError } from "./client/service-error.ts";
export type { ServiceErrorCode } from "./client/service-error.ts";
export type {
  CheckoutSession,
  CreateCheckoutBody,
  CreatedCheckout,
  PolledCheckout,
  ProcessedCheckout,
} from "./service/checkout/schema.ts";
export type {
  ConfirmIntentBody,
  Confirmation,
  CreateIntentBody,
  CreatedIntent,
  IntentStatusResult,
} from "./service/payment-intents/schema.ts";
export type {
  ChangedSubscription,
  CreatePlanBody,
  InitiateBody,
  InitiatedSubscription,
  InvoiceView,
  PlanList,
  PlanView,
  ProcessPaymentBody,
  ProcessedPayment,
  SubscriptionList,
  SubscriptionStatus,
  SubscriptionView,
} from "./service/subscriptions/schema.ts";
export type {
  ListPaymentSessionsQuery,
  ListTransactionsQuery,
  PaymentSessionPage,
  Transaction,
  TransactionPage,
} from "./service/transactions/schema.ts";
export type { CallOptions } from "./client/service-call.ts";
export type { PlanCalls, SubscriptionCalls } from "./client/subscriptions.ts";
export type { TransactionCalls } from "./client/transactions.ts";
