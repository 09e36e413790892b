// `npm run docs` writes this file from the routes of the control API.
import type { ControlOperation } from "./operation.ts";

/** The members of a simulator that the control API has. */
export type ControlMember =
  | "baseUrl"
  | "authUrl"
  | "seed"
  | "credentials"
  | "ledger"
  | "paymentMethods.create"
  | "clock.now"
  | "clock.busy"
  | "clock.isMovedByTest"
  | "clock.pending"
  | "clock.settle"
  | "clock.advance"
  | "clock.advanceTo"
  | "#clock.step"
  | "clock.sleep"
  | "customer.pay"
  | "customer.authenticate"
  | "customer.failAuthentication"
  | "customer.cancel"
  | "customer.abandon"
  | "intents.list"
  | "intents.last"
  | "intents.get"
  | "checkouts.list"
  | "checkouts.last"
  | "checkouts.get"
  | "plans.list"
  | "plans.last"
  | "plans.get"
  | "subscriptions.list"
  | "subscriptions.last"
  | "subscriptions.get"
  | "invoices.list"
  | "invoices.last"
  | "invoices.get"
  | "transactions.list"
  | "transactions.last"
  | "transactions.get"
  | "intents.cancel"
  | "webhooks.events"
  | "webhooks.attempts"
  | "webhooks.failures"
  | "webhooks.redeliver"
  | "faults.add"
  | "faults.list"
  | "faults.unused"
  | "faults.remove"
  | "faults.clear"
  | "#faults.hits"
  | "#faults.struck"
  | "#faults.removeAdded"
  | "make.intent"
  | "make.checkout"
  | "make.plan"
  | "make.subscription"
  | "make.invoice"
  | "make.transaction"
  | "make.token"
  | "make.contact"
  | "make.address"
  | "make.order"
  | "make.card"
  | "make.transactions"
  | "make.world"
  | "make.event"
  | "journal.entries"
  | "journal.length"
  | "journal.digest"
  | "journal.toString"
  | "assumptions.used"
  | "report"
  | "recording"
  | "coverage"
  | "openapi"
  | "causes"
  | "snapshot"
  | "restore"
  | "reset"
  | "fork"
  | "close";

/** How each member calls the control API. */
export const controlOperations: Readonly<Record<ControlMember, ControlOperation>> = {
  baseUrl: { method: "GET", path: "/about", gives: "baseUrl", isProperty: true },
  authUrl: { method: "GET", path: "/about", gives: "authUrl", isProperty: true },
  seed: { method: "GET", path: "/about", gives: "seed", isProperty: true },
  credentials: { method: "GET", path: "/about", gives: "credentials", isProperty: true },
  ledger: { method: "GET", path: "/ledger", takes: ["currency"], sends: "query" },
  "paymentMethods.create": { method: "POST", path: "/payment-methods", gives: "id", sends: "body" },
  "clock.now": { method: "GET", path: "/clock", gives: "now" },
  "clock.busy": { method: "GET", path: "/clock", gives: "busy", isProperty: true },
  "clock.isMovedByTest": { method: "GET", path: "/clock", gives: "isMovedByTest", isProperty: true },
  "clock.pending": { method: "GET", path: "/clock/pending", gives: "pending" },
  "clock.settle": { method: "POST", path: "/clock/settle", gives: "", sends: "body" },
  "clock.advance": { method: "POST", path: "/clock/advance", takes: ["duration"], gives: "", sends: "body" },
  "clock.advanceTo": { method: "POST", path: "/clock/advance-to", takes: ["instant"], gives: "", sends: "body" },
  "#clock.step": { method: "POST", path: "/clock/step", sends: "body" },
  "clock.sleep": { method: "POST", path: "/clock/sleep", takes: ["duration"], gives: "", sends: "body" },
  "customer.pay": { method: "POST", path: "/customer/pay", takes: ["checkoutUrl", "method"], sends: "body" },
  "customer.authenticate": { method: "POST", path: "/customer/authenticate", takes: ["challenge"], sends: "body" },
  "customer.failAuthentication": {
    method: "POST",
    path: "/customer/fail-authentication",
    takes: ["challenge"],
    sends: "body",
  },
  "customer.cancel": { method: "POST", path: "/customer/cancel", takes: ["checkoutUrl"], sends: "body" },
  "customer.abandon": { method: "POST", path: "/customer/abandon", takes: ["url"], sends: "body" },
  "intents.list": { method: "GET", path: "/intents", gives: "intents", sends: "query" },
  "intents.last": { method: "GET", path: "/intents/last", sends: "query" },
  "intents.get": { method: "GET", path: "/intents/{id}", takes: ["id"] },
  "checkouts.list": { method: "GET", path: "/checkouts", gives: "checkouts", sends: "query" },
  "checkouts.last": { method: "GET", path: "/checkouts/last", sends: "query" },
  "checkouts.get": { method: "GET", path: "/checkouts/{id}", takes: ["id"] },
  "plans.list": { method: "GET", path: "/plans", gives: "plans", sends: "query" },
  "plans.last": { method: "GET", path: "/plans/last", sends: "query" },
  "plans.get": { method: "GET", path: "/plans/{id}", takes: ["id"] },
  "subscriptions.list": { method: "GET", path: "/subscriptions", gives: "subscriptions", sends: "query" },
  "subscriptions.last": { method: "GET", path: "/subscriptions/last", sends: "query" },
  "subscriptions.get": { method: "GET", path: "/subscriptions/{id}", takes: ["id"] },
  "invoices.list": { method: "GET", path: "/invoices", gives: "invoices", sends: "query" },
  "invoices.last": { method: "GET", path: "/invoices/last", sends: "query" },
  "invoices.get": { method: "GET", path: "/invoices/{id}", takes: ["id"] },
  "transactions.list": { method: "GET", path: "/transactions", gives: "transactions", sends: "query" },
  "transactions.last": { method: "GET", path: "/transactions/last", sends: "query" },
  "transactions.get": { method: "GET", path: "/transactions/{id}", takes: ["id"] },
  "intents.cancel": { method: "POST", path: "/intents/{id}/cancel", takes: ["id"] },
  "webhooks.events": { method: "GET", path: "/webhooks/events", gives: "events", sends: "query" },
  "webhooks.attempts": { method: "GET", path: "/webhooks/attempts", gives: "attempts", sends: "query" },
  "webhooks.failures": { method: "GET", path: "/webhooks/failures", gives: "failures" },
  "webhooks.redeliver": { method: "POST", path: "/webhooks/events/{eventId}/redeliver", takes: ["eventId"] },
  "faults.add": { method: "POST", path: "/faults", sends: "body" },
  "faults.list": { method: "GET", path: "/faults", gives: "faults" },
  "faults.unused": { method: "GET", path: "/faults/unused", gives: "faults" },
  "faults.remove": { method: "DELETE", path: "/faults/{id}", takes: ["id"] },
  "faults.clear": { method: "DELETE", path: "/faults" },
  "#faults.hits": { method: "GET", path: "/faults/added/{handle}", takes: ["handle"], gives: "hits" },
  "#faults.struck": { method: "POST", path: "/faults/added/{handle}/struck", takes: ["handle"], sends: "body" },
  "#faults.removeAdded": { method: "DELETE", path: "/faults/added/{handle}", takes: ["handle"] },
  "make.intent": { method: "POST", path: "/fixtures/intent", sends: "body" },
  "make.checkout": { method: "POST", path: "/fixtures/checkout", sends: "body" },
  "make.plan": { method: "POST", path: "/fixtures/plan", sends: "body" },
  "make.subscription": { method: "POST", path: "/fixtures/subscription", sends: "body" },
  "make.invoice": { method: "POST", path: "/fixtures/invoice", sends: "body" },
  "make.transaction": { method: "POST", path: "/fixtures/transaction", sends: "body" },
  "make.token": { method: "POST", path: "/fixtures/token", sends: "body" },
  "make.contact": { method: "POST", path: "/fixtures/contact", sends: "body" },
  "make.address": { method: "POST", path: "/fixtures/address", sends: "body" },
  "make.order": { method: "POST", path: "/fixtures/order", sends: "body" },
  "make.card": { method: "POST", path: "/fixtures/card", sends: "body" },
  "make.transactions": { method: "POST", path: "/fixtures/transactions", sends: "body" },
  "make.world": { method: "POST", path: "/fixtures/world", sends: "body" },
  "make.event": { method: "POST", path: "/fixtures/event", takes: ["type", "options"], sends: "body" },
  "journal.entries": { method: "GET", path: "/journal", gives: "entries", isProperty: true },
  "journal.length": { method: "GET", path: "/journal/digest", gives: "length", isProperty: true },
  "journal.digest": { method: "GET", path: "/journal/digest", gives: "digest" },
  "journal.toString": { method: "GET", path: "/timeline", isText: true },
  "assumptions.used": { method: "GET", path: "/assumptions/used", gives: "assumptions" },
  report: { method: "GET", path: "/report", isText: true },
  recording: { method: "GET", path: "/recording" },
  coverage: { method: "GET", path: "/coverage", sends: "query" },
  openapi: { method: "GET", path: "/service/openapi.json" },
  causes: { method: "POST", path: "/causes", sends: "body" },
  snapshot: { method: "GET", path: "/snapshot" },
  restore: { method: "POST", path: "/restore", takes: ["snapshot"], sends: "body" },
  reset: { method: "POST", path: "/reset", sends: "body" },
  fork: { method: "POST", path: "/fork", sends: "body" },
  close: { method: "POST", path: "/close" },
};
