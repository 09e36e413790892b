import type {
  ChangedSubscription,
  CreatePlanBody,
  InitiateBody,
  InitiatedSubscription,
  PlanList,
  PlanView,
  ProcessedPayment,
  ProcessPaymentBody,
  SubscriptionList,
  SubscriptionStatus,
  SubscriptionView,
} from "../service/subscriptions/schema.ts";
import { operations } from "./operations.ts";
import type { CallOptions, ServiceCall } from "./service-call.ts";

/** Calls for plans (4.3). */
export interface PlanCalls {
  /** Creates a plan (`subscription.plan`). */
  create(body: CreatePlanBody, options?: CallOptions): Promise<PlanView>;
  /**
   * Lists plans, newest first (`subscription.bodies`).
   * @param query.limit 1 to 100, 10 by default
   * @param query.after the id of a plan; the page starts after it
   */
  list(
    query?: { readonly limit?: number | undefined; readonly after?: string | undefined },
    options?: CallOptions,
  ): Promise<PlanList>;
  /** Reads a plan. @throws {ServiceError} `PLAN_NOT_FOUND` */
  get(planId: string, options?: CallOptions): Promise<PlanView>;
}

/** Calls for subscriptions (4.3). */
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
  /** Reads a subscription with its latest invoice. @throws {ServiceError} `SUBSCRIPTION_NOT_FOUND` */
  get(subscriptionId: string, options?: CallOptions): Promise<SubscriptionView>;
  /**
   * Lists subscriptions, newest first (`subscription.bodies`).
   * @param query.limit 1 to 100, 10 by default
   */
  list(
    query?: { readonly status?: SubscriptionStatus | undefined; readonly limit?: number | undefined },
    options?: CallOptions,
  ): Promise<SubscriptionList>;
  /** Reads a subscription by its session token (`subscription.session`). @throws {ServiceError} `SESSION_NOT_FOUND` */
  session(sessionToken: string, options?: CallOptions): Promise<InitiatedSubscription>;
  /** Changes the plan from the next invoice on (`subscription.plan-change`). @throws {ServiceError} `PLAN_NOT_FOUND`, `INVALID_STATE` */
  changePlan(
    subscriptionId: string,
    body: { readonly planId: string },
    options?: CallOptions,
  ): Promise<SubscriptionView>;
  /**
   * Changes the payment method. A `past_due` or `unpaid` subscription charges it at once for the oldest open invoice
   * (`subscription.manual-payment`). The answer has that invoice as `invoice`; if the card requires a challenge, its
   * `paymentIntent.redirectUrl` leads to it.
   * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `PAYMENT_METHOD_INVALID`, `INVALID_STATE`
   */
  changePaymentMethod(
    subscriptionId: string,
    body: { readonly paymentMethodId: string },
    options?: CallOptions,
  ): Promise<ChangedSubscription>;
  /** Cancels at once (`subscription.cancel`). @throws {ServiceError} `INVALID_STATE` if it has already ended */
  cancel(
    subscriptionId: string,
    query?: { readonly reason?: string | undefined },
    options?: CallOptions,
  ): Promise<SubscriptionView>;
}

// As in `createClient`, the casts follow the declared routes. A test checks every call against its route.

export function planCalls(call: ServiceCall): PlanCalls {
  return {
    create: async (body, options) => (await call(operations.createPlan, { ...options, body })) as PlanView,
    list: async (query = {}, options = {}) => (await call(operations.listPlans, { ...options, query })) as PlanList,
    get: async (parameter, options) => (await call(operations.plan, { ...options, parameter })) as PlanView,
  };
}

export function subscriptionCalls(call: ServiceCall): SubscriptionCalls {
  return {
    initiate: async (body, options) =>
      (await call(operations.initiateSubscription, { ...options, body })) as InitiatedSubscription,
    processPayment: async (body, options) =>
      (await call(operations.processSubscriptionPayment, { ...options, body })) as ProcessedPayment,
    get: async (parameter, options) =>
      (await call(operations.subscription, { ...options, parameter })) as SubscriptionView,
    list: async (query = {}, options = {}) =>
      (await call(operations.listSubscriptions, { ...options, query })) as SubscriptionList,
    session: async (parameter, options) =>
      (await call(operations.subscriptionSession, { ...options, parameter })) as InitiatedSubscription,
    changePlan: async (parameter, body, options) =>
      (await call(operations.changePlan, { ...options, parameter, body })) as SubscriptionView,
    changePaymentMethod: async (parameter, body, options) =>
      (await call(operations.changePaymentMethod, { ...options, parameter, body })) as ChangedSubscription,
    cancel: async (parameter, query = {}, options = {}) =>
      (await call(operations.cancelSubscription, { ...options, parameter, query })) as SubscriptionView,
  };
}
