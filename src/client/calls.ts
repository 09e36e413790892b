// `npm run docs` writes this file from the routes.
import type { ConfirmIntentBody, Confirmation, CreateIntentBody, CreatedIntent, IntentStatusResult } from "../service/schemas/payment-intents.ts";
import type { CheckoutSession, CreateCheckoutBody, CreatedCheckout, PolledCheckout, ProcessCheckoutBody, ProcessedCheckout } from "../service/schemas/checkout.ts";
import type { CancelQuery, ChangeMethodBody, ChangePlanBody, ChangedSubscription, CreatePlanBody, InitiateBody, InitiatedSubscription, ListPlansQuery, ListSubscriptionsQuery, PlanList, PlanView, ProcessPaymentBody, ProcessedPayment, SubscriptionList, SubscriptionView } from "../service/schemas/subscriptions.ts";
import type { ListPaymentSessionsQuery, ListTransactionsQuery, PaymentSessionPage, Transaction, TransactionPage } from "../service/schemas/transactions.ts";
import type { CallOptions } from "./service-call.ts";

export type { ConfirmIntentBody, Confirmation, CreateIntentBody, CreatedIntent, IntentStatusResult } from "../service/schemas/payment-intents.ts";
export type { CheckoutSession, CreateCheckoutBody, CreatedCheckout, PolledCheckout, ProcessCheckoutBody, ProcessedCheckout } from "../service/schemas/checkout.ts";
export type { CancelQuery, ChangeMethodBody, ChangePlanBody, ChangedSubscription, CreatePlanBody, InitiateBody, InitiatedSubscription, ListPlansQuery, ListSubscriptionsQuery, PlanList, PlanView, ProcessPaymentBody, ProcessedPayment, SubscriptionList, SubscriptionView } from "../service/schemas/subscriptions.ts";
export type { ListPaymentSessionsQuery, ListTransactionsQuery, PaymentSessionPage, Transaction, TransactionPage } from "../service/schemas/transactions.ts";

/** Calls of `client.paymentIntents`. */
export interface PaymentIntentCalls {
  /** Creates a payment intent (4.1, answer 2.2). */
  create(body: CreateIntentBody, options?: CallOptions): Promise<CreatedIntent>;
  /**
     * Confirms an intent with `paymentMethodId`, or in the SDK's form with `paymentMethod`, `creditCardDetails` and `contact` (4.1,
     * answer 2.4).
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED`, `PAYMENT_METHOD_INVALID`
     */
  confirm(intentId: string, body: ConfirmIntentBody, options?: CallOptions): Promise<Confirmation>;
  /** Reads an intent's status (4.1, answer 2.3). */
  status(intentId: string, options?: CallOptions): Promise<IntentStatusResult>;
}

/** Calls of `client.checkout`. */
export interface CheckoutCalls {
  /** Creates a checkout session (4.2, answer 2.5). */
  create(body: CreateCheckoutBody, options?: CallOptions): Promise<CreatedCheckout>;
  /** Reads a session as the administrator; needs the option `adminKey` (4.2, `checkout.bodies`). */
  session(sessionToken: string, options?: CallOptions): Promise<CheckoutSession>;
  /** Pays a session without the hosted page (4.2, `checkout.bodies`). */
  process(sessionToken: string, body: ProcessCheckoutBody, options?: CallOptions): Promise<ProcessedCheckout>;
  /** Polls the status of a session (4.2, `checkout.bodies`). */
  poll(sessionToken: string, options?: CallOptions): Promise<PolledCheckout>;
}

/** Calls of `client.plans`. */
export interface PlanCalls {
  /** Creates a plan (`subscription.plan`). */
  create(body: CreatePlanBody, options?: CallOptions): Promise<PlanView>;
  /**
     * Lists plans, newest first (`subscription.bodies`).
     * @param query.limit 1 to 100, 10 by default
     * @param query.after the id of a plan; the page starts after it
     */
  list(query?: ListPlansQuery, options?: CallOptions): Promise<PlanList>;
  /** Reads a plan. @throws {ServiceError} `PLAN_NOT_FOUND` */
  get(planId: string, options?: CallOptions): Promise<PlanView>;
}

/** Calls of `client.subscriptions`. */
export interface SubscriptionCalls {
  /** Starts a subscription with an open first invoice. It is cancelled if that stays unpaid for 24 hours (`subscription.initiate`). */
  initiate(body: InitiateBody, options?: CallOptions): Promise<InitiatedSubscription>;
  /**
     * Pays the first invoice (`subscription.process-payment`), or later an open invoice whose payment failed
     * (`subscription.manual-payment`).
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED` when nothing is due,
     *   `INVALID_STATE`, `PAYMENT_METHOD_INVALID`
     */
  processPayment(body: ProcessPaymentBody, options?: CallOptions): Promise<ProcessedPayment>;
  /** Reads a subscription by its session token (`subscription.session`). @throws {ServiceError} `SESSION_NOT_FOUND` */
  session(sessionToken: string, options?: CallOptions): Promise<InitiatedSubscription>;
  /** Reads a subscription with its latest invoice. @throws {ServiceError} `SUBSCRIPTION_NOT_FOUND` */
  get(subscriptionId: string, options?: CallOptions): Promise<SubscriptionView>;
  /**
     * Lists subscriptions, newest first (`subscription.bodies`).
     * @param query.limit 1 to 100, 10 by default
     */
  list(query?: ListSubscriptionsQuery, options?: CallOptions): Promise<SubscriptionList>;
  /** Changes the plan from the next invoice on (`subscription.plan-change`). @throws {ServiceError} `PLAN_NOT_FOUND`, `INVALID_STATE` */
  changePlan(subscriptionId: string, body: ChangePlanBody, options?: CallOptions): Promise<SubscriptionView>;
  /**
     * Changes the payment method. A `past_due` or `unpaid` subscription charges it at once for the oldest open invoice
     * (`subscription.manual-payment`). The answer has that invoice as `invoice`; if the card requires a challenge, its
     * `paymentIntent.redirectUrl` leads to it.
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `PAYMENT_METHOD_INVALID`, `INVALID_STATE`
     */
  changePaymentMethod(subscriptionId: string, body: ChangeMethodBody, options?: CallOptions): Promise<ChangedSubscription>;
  /** Cancels at once (`subscription.cancel`). @throws {ServiceError} `INVALID_STATE` if it has already ended */
  cancel(subscriptionId: string, query?: CancelQuery, options?: CallOptions): Promise<SubscriptionView>;
}

/** Calls of `client.transactions`. */
export interface TransactionCalls {
  /**
     * Lists transactions, newest first (`transaction.page`, `transaction.filters`).
     * @param query filters by `external_id`, `status`, `paymentMethod` (a kind), `dateFrom` and `dateTo` (of creation, inclusive),
     *   `amountMin` and `amountMax` (centavos, inclusive); pages by `limit` (1 to 100, 10 by default) and `offset`
     * @throws {ServiceError} `VALIDATION_ERROR` for an invalid filter
     */
  list(query?: ListTransactionsQuery, options?: CallOptions): Promise<TransactionPage>;
  /** Lists checkout sessions, newest first (`transaction.payment-session`). */
  listPaymentSessions(query?: ListPaymentSessionsQuery, options?: CallOptions): Promise<PaymentSessionPage>;
  /** Reads a checkout session with the merchant's access token. @throws {ServiceError} `SESSION_NOT_FOUND` */
  paymentSession(sessionToken: string, options?: CallOptions): Promise<CheckoutSession>;
  /** Reads a transaction (`transaction.record`). @throws {ServiceError} `TRANSACTION_NOT_FOUND` */
  get(transactionId: string, options?: CallOptions): Promise<Transaction>;
}

/** A merchant's view of the service. Each call returns the envelope's `data` or throws a `ServiceError`. */
export interface Client {
  readonly paymentIntents: PaymentIntentCalls;
  readonly checkout: CheckoutCalls;
  readonly plans: PlanCalls;
  readonly subscriptions: SubscriptionCalls;
  readonly transactions: TransactionCalls;
}
