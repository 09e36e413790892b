/** A route as the client calls it. */
export interface Operation {
  /** The route's name. */
  readonly route: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path below the base URL, with at most one parameter. */
  readonly path: string;
  readonly credential: "bearer" | "admin-key";
}

/**
 * The client's own list of routes. Importing the declared routes would load the engine into every script. A test checks each entry
 * against the declared route of its name.
 */
export const operations = {
  createIntent: { route: "payment-intent.create", method: "POST", path: "/api/payment-intent", credential: "bearer" },
  confirmIntent: {
    route: "payment-intent.confirm",
    method: "POST",
    path: "/api/payment-intent/{intentId}/confirm",
    credential: "bearer",
  },
  intentStatus: {
    route: "payment-intent.status",
    method: "GET",
    path: "/api/payment-intent/{intentId}/status",
    credential: "bearer",
  },
  createCheckout: { route: "checkout.create", method: "POST", path: "/api/checkout", credential: "bearer" },
  processCheckout: {
    route: "checkout.process",
    method: "POST",
    path: "/api/checkout/process/{sessionToken}",
    credential: "bearer",
  },
  pollCheckout: {
    route: "checkout.polling",
    method: "GET",
    path: "/api/checkout/polling/{sessionToken}",
    credential: "bearer",
  },
  checkoutSession: {
    route: "checkout.session",
    method: "GET",
    path: "/api/checkout/session/{sessionToken}",
    credential: "admin-key",
  },
  createPlan: {
    route: "subscription-plan.create",
    method: "POST",
    path: "/api/subscription/plans",
    credential: "bearer",
  },
  listPlans: { route: "subscription-plan.list", method: "GET", path: "/api/subscription/plans", credential: "bearer" },
  plan: {
    route: "subscription-plan.get",
    method: "GET",
    path: "/api/subscription/plans/{planId}",
    credential: "bearer",
  },
  initiateSubscription: {
    route: "subscription.initiate",
    method: "POST",
    path: "/api/subscription/initiate",
    credential: "bearer",
  },
  processSubscriptionPayment: {
    route: "subscription.process-payment",
    method: "POST",
    path: "/api/subscription/process-payment",
    credential: "bearer",
  },
  subscription: {
    route: "subscription.get",
    method: "GET",
    path: "/api/subscription/{subscriptionId}",
    credential: "bearer",
  },
  listSubscriptions: { route: "subscription.list", method: "GET", path: "/api/subscription", credential: "bearer" },
  subscriptionSession: {
    route: "subscription.session",
    method: "GET",
    path: "/api/subscription/session/{sessionToken}",
    credential: "bearer",
  },
  changePlan: {
    route: "subscription.change-plan",
    method: "PATCH",
    path: "/api/subscription/{subscriptionId}/plan",
    credential: "bearer",
  },
  changePaymentMethod: {
    route: "subscription.change-payment-method",
    method: "PATCH",
    path: "/api/subscription/{subscriptionId}/payment-method",
    credential: "bearer",
  },
  cancelSubscription: {
    route: "subscription.cancel",
    method: "DELETE",
    path: "/api/subscription/{subscriptionId}",
    credential: "bearer",
  },
  listTransactions: { route: "transaction.list", method: "GET", path: "/api/transactions", credential: "bearer" },
  transaction: {
    route: "transaction.get",
    method: "GET",
    path: "/api/transactions/transactions/{transactionId}",
    credential: "bearer",
  },
  listPaymentSessions: {
    route: "transaction.list-payment-sessions",
    method: "GET",
    path: "/api/transactions/payment-sessions",
    credential: "bearer",
  },
  paymentSession: {
    route: "transaction.payment-session",
    method: "GET",
    path: "/api/transactions/payment-sessions/{sessionToken}",
    credential: "bearer",
  },
} as const satisfies Record<string, Operation>;
