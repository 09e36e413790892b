// `npm run docs` writes this file from the routes.
import type { Operation } from "./service-call.ts";

/** How each call is made, by its group and name. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  paymentIntents: {
    create: { route: "payment-intent.create", method: "POST", path: "/api/payment-intent", credential: "bearer", takes: ["body"] },
    confirm: { route: "payment-intent.confirm", method: "POST", path: "/api/payment-intent/{intentId}/confirm", credential: "bearer", takes: ["parameter","body"] },
    status: { route: "payment-intent.status", method: "GET", path: "/api/payment-intent/{intentId}/status", credential: "bearer", takes: ["parameter"] },
  },
  checkout: {
    create: { route: "checkout.create", method: "POST", path: "/api/checkout", credential: "bearer", takes: ["body"] },
    session: { route: "checkout.session", method: "GET", path: "/api/checkout/session/{sessionToken}", credential: "admin-key", takes: ["parameter"] },
    process: { route: "checkout.process", method: "POST", path: "/api/checkout/process/{sessionToken}", credential: "bearer", takes: ["parameter","body"] },
    poll: { route: "checkout.polling", method: "GET", path: "/api/checkout/polling/{sessionToken}", credential: "bearer", takes: ["parameter"] },
  },
  plans: {
    create: { route: "subscription-plan.create", method: "POST", path: "/api/subscription/plans", credential: "bearer", takes: ["body"] },
    list: { route: "subscription-plan.list", method: "GET", path: "/api/subscription/plans", credential: "bearer", takes: ["query"] },
    get: { route: "subscription-plan.get", method: "GET", path: "/api/subscription/plans/{planId}", credential: "bearer", takes: ["parameter"] },
  },
  subscriptions: {
    initiate: { route: "subscription.initiate", method: "POST", path: "/api/subscription/initiate", credential: "bearer", takes: ["body"] },
    processPayment: { route: "subscription.process-payment", method: "POST", path: "/api/subscription/process-payment", credential: "bearer", takes: ["body"] },
    session: { route: "subscription.session", method: "GET", path: "/api/subscription/session/{sessionToken}", credential: "bearer", takes: ["parameter"] },
    get: { route: "subscription.get", method: "GET", path: "/api/subscription/{subscriptionId}", credential: "bearer", takes: ["parameter"] },
    list: { route: "subscription.list", method: "GET", path: "/api/subscription", credential: "bearer", takes: ["query"] },
    changePlan: { route: "subscription.change-plan", method: "PATCH", path: "/api/subscription/{subscriptionId}/plan", credential: "bearer", takes: ["parameter","body"] },
    changePaymentMethod: { route: "subscription.change-payment-method", method: "PATCH", path: "/api/subscription/{subscriptionId}/payment-method", credential: "bearer", takes: ["parameter","body"] },
    cancel: { route: "subscription.cancel", method: "DELETE", path: "/api/subscription/{subscriptionId}", credential: "bearer", takes: ["parameter","query"] },
  },
  transactions: {
    list: { route: "transaction.list", method: "GET", path: "/api/transactions", credential: "bearer", takes: ["query"] },
    listPaymentSessions: { route: "transaction.list-payment-sessions", method: "GET", path: "/api/transactions/payment-sessions", credential: "bearer", takes: ["query"] },
    paymentSession: { route: "transaction.payment-session", method: "GET", path: "/api/transactions/payment-sessions/{sessionToken}", credential: "bearer", takes: ["parameter"] },
    get: { route: "transaction.get", method: "GET", path: "/api/transactions/transactions/{transactionId}", credential: "bearer", takes: ["parameter"] },
  },
};
