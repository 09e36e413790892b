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

/** The calls about plans (4.3). */
export interface PlanCalls {
  /** Creates a plan (`subscription.plan`). */
  create(body: CreatePlanBody, options?: CallOptions): Promise<PlanView>;
  /**
   * Lists plans, newest first (`subscription.bodies`).
   * @param query.limit 1 to 100, 10 by default
   * @param query.after a plan's id: the page begins behind it
   */
  list(
    query?: { readonly limit?: number | undefined; readonly after?: string | undefined },
    options?: CallOptions,
  ): Promise<PlanList>;
  /** Reads a plan. @throws {ServiceError} `PLAN_NOT_FOUND` */
  get(planId: string, options?: CallOptions): Promise<PlanView>;
}

/** The calls about subscriptions (4.3). */
export interface SubscriptionCalls {
  /** Starts a subscription; its first invoice is open, and unpaid for 24 hours ends it (`subscription.initiate`). */
  initiate(body: InitiateBody, options?: CallOptions): Promise<InitiatedSubscription>;
  /**
   * Pays the open invoice: the first one, or by hand one that failed (`subscription.process-payment`, `subscription.manual-payment`).
   * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED` where nothing is to be paid, `INVALID_STATE`, `PAYMENT_METHOD_INVALID`
   */
  processPayment(body: ProcessPaymentBody, options?: CallOptions): Promise<ProcessedPayment>;
  /** Reads a subscription, its latest invoice with it. @throws {ServiceError} `SUBSCRIPTION_NOT_FOUND` */
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
   * Changes the payment method, which in `past_due` and `unpaid` charges the oldest open invoice at once (`subscription.manual-payment`).
   * That one is the answer's `invoice`; where the card wants a challenge, its `paymentIntent.redirectUrl` is the way to it.
   * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `PAYMENT_METHOD_INVALID`, `INVALID_STATE`
   */
  changePaymentMethod(
    subscriptionId: string,
    body: { readonly paymentMethodId: string },
    options?: CallOptions,
  ): Promise<ChangedSubscription>;
  /** Cancels at once (`subscription.cancel`). @throws {ServiceError} `INVALID_STATE` where it is over already */
  cancel(
    subscriptionId: string,
    query?: { readonly reason?: string | undefined },
    options?: CallOptions,
  ): Promise<SubscriptionView>;
}

// The casts, here as in `createClient`, say what the declared routes promise; a test holds every call to its route.

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
