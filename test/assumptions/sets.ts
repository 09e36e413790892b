import type { AssumptionOverrides } from "centavo";
import { philippineService, stripe as stripeService } from "../../src/service/assumptions/other-services.ts";

/** Whole sets of values: what other payment services answer, and what nobody would expect. */
export const sets = {
  /** In the manner of a payment service of the Philippines: errors as a list, webhooks as `data.attributes`. */
  philippine: {
    ...philippineService,
    "http.error-codes": {
      VALIDATION_ERROR: { code: "parameter_invalid" },
      INTENT_NOT_FOUND: { code: "resource_not_found", message: "No such payment intent." },
      SESSION_NOT_FOUND: { code: "resource_not_found", message: "No such checkout session." },
      INSUFFICIENT_FUNDS: { code: "insufficient_funds" },
    },
    "http.error-status": { INSUFFICIENT_FUNDS: 400, SESSION_NOT_FOUND: 410 },
  },
  /** In the manner of Stripe: no envelope, one error in an object, the object of an event in `data.object`. */
  stripe: {
    ...stripeService,
    "http.error-codes": { INSUFFICIENT_FUNDS: { code: "card_declined", message: "Your card has insufficient funds." } },
    "http.error-status": { VALIDATION_ERROR: 422, UNAUTHORIZED: 403 },
  },
  /** What nobody would expect: names that mean something else, and everything in another place. */
  perverse: {
    "http.envelope": { success: false, error: null, message: ["{data}"] },
    "http.error-body": {
      success: true,
      data: {
        sentence: "{code}: {message}",
        id: "{code}",
        list: [["{errors.path}", "{errors.message}"]],
        to: "{redirectUrl}",
        go: "{requiresAction}",
      },
    },
    "http.error-codes": {
      NOT_FOUND: { code: "INTENT_NOT_FOUND" },
      INTENT_NOT_FOUND: { code: "NOT_FOUND", message: "{data}" },
      INSUFFICIENT_FUNDS: { code: "UNAUTHORIZED" },
      UNAUTHORIZED: { code: "INSUFFICIENT_FUNDS" },
    },
    "http.error-status": { UNAUTHORIZED: 402, INSUFFICIENT_FUNDS: 401, VALIDATION_ERROR: 599 },
    "webhook.checkout": {
      types: { "checkout.completed": "payment_intent.failed", "checkout.failed": "checkout.completed" },
      body: {
        "{{event}}": [
          "{event.type}",
          "{event.id}",
          ["{sessionToken}/{externalId}"],
          { a: "{status}", b: "{amount}" },
          "{event.created}",
          "{transactionId}",
          "{metadata}",
          "{externalId}",
          "{sessionToken}",
        ],
      },
    },
    "webhook.intent": {
      types: { "payment_intent.succeeded": "checkout.failed" },
      body: {
        type: "{event.type}",
        "data.attributes": "{data.attributes}",
        "": { id: "{event.id}", it: "{data.id}" },
        at: "{event.createdAt}",
      },
    },
    "webhook.subscription": {
      types: { "subscription.activated": "subscription.cancelled", "subscription.cancelled": "subscription.activated" },
      body: { "{{type}}": "{event.type}", data: [{ id: "{event.id}" }, "{data}"], at: "{event.createdAt}" },
    },
  },
} as const satisfies Readonly<Record<string, AssumptionOverrides>>;
