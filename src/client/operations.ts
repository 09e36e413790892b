// `npm run docs` writes this file from the routes.
import type { Operation } from "./service-call.ts";

/** How each call is made, by its group and name. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  paymentIntents: {
    create: { method: "POST", path: "/api/payment-intent", credential: "bearer", takes: ["body"] },
    confirm: { method: "POST", path: "/api/payment-intent/{intentId}/confirm", credential: "bearer", takes: ["parameter","body"] },
    status: { method: "GET", path: "/api/payment-intent/{intentId}/status", credential: "bearer", takes: ["parameter"] },
  },
  checkout: {
    create: { method: "POST", path: "/api/checkout", credential: "bearer", takes: ["body"] },
    session: { method: "GET", path: "/api/checkout/session/{sessionToken}", credential: "admin-key", takes: ["parameter"] },
    process: { method: "POST", path: "/api/checkout/process/{sessionToken}", credential: "bearer", takes: ["parameter","body"] },
    poll: { method: "GET", path: "/api/checkout/polling/{sessionToken}", credential: "bearer", takes: ["parameter"] },
  },
  plans: {
    create: { method: "POST", path: "/api/subscription/plans", credential: "bearer", takes: ["body"] },
    list: { method: "GET", path: "/api/subscription/plans", credential: "bearer", takes: ["query"] },
    get: { method: "GET", path: "/api/subscription/plans/{planId}", credential: "bearer", takes: ["parameter"] },
  },
  subscriptions: {
    initiate: { method: "POST", path: "/api/subscription/initiate", credential: "bearer", takes: ["body"] },
    processPayment: { method: "POST", path: "/api/subscription/process-payment", credential: "bearer", takes: ["body"] },
    session: { method: "GET", path: "/api/subscription/session/{sessionToken}", credential: "bearer", takes: ["parameter"] },
    get: { method: "GET", path: "/api/subscription/{subscriptionId}", credential: "bearer", takes: ["parameter"] },
    list: { method: "GET", path: "/api/subscription", credential: "bearer", takes: ["query"] },
    changePlan: { method: "PATCH", path: "/api/subscription/{subscriptionId}/plan", credential: "bearer", takes: ["parameter","body"] },
    changePaymentMethod: { method: "PATCH", path: "/api/subscription/{subscriptionId}/payment-method", credential: "bearer", takes: ["parameter","body"] },
    cancel: { method: "DELETE", path: "/api/subscription/{subscriptionId}", credential: "bearer", takes: ["parameter","query"] },
  },
  transactions: {
    list: { method: "GET", path: "/api/transactions", credential: "bearer", takes: ["query"] },
    listPaymentSessions: { method: "GET", path: "/api/transactions/payment-sessions", credential: "bearer", takes: ["query"] },
    paymentSession: { method: "GET", path: "/api/transactions/payment-sessions/{sessionToken}", credential: "bearer", takes: ["parameter"] },
    get: { method: "GET", path: "/api/transactions/transactions/{transactionId}", credential: "bearer", takes: ["parameter"] },
  },
};
