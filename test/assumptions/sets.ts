import type { AssumptionOverrides } from "centavo";

/** Whole sets of values: what other payment services answer, and what nobody would expect. */
export const sets = {
  /** In the manner of a payment service of the Philippines: errors as a list, webhooks as `data.attributes`. */
  philippine: {
    "http.envelope": { data: "{data}" },
    "http.error-body": {
      errors: [{ code: "{problems.code}", detail: "{problems.message}", source: { pointer: "{problems.path}" } }],
      redirect_url: "{redirectUrl}",
      requires_action: "{requiresAction}",
    },
    "http.error-codes": {
      VALIDATION_ERROR: { code: "parameter_invalid" },
      INTENT_NOT_FOUND: { code: "resource_not_found", message: "No such payment intent." },
      SESSION_NOT_FOUND: { code: "resource_not_found", message: "No such checkout session." },
      INSUFFICIENT_FUNDS: { code: "insufficient_funds" },
    },
    "http.error-status": { INSUFFICIENT_FUNDS: 400, SESSION_NOT_FOUND: 410 },
    "webhook.checkout": {
      types: { "checkout.completed": "checkout_session.payment.paid" },
      body: {
        data: {
          id: "{event.id}",
          type: "event",
          attributes: {
            type: "{event.type}",
            livemode: false,
            created_at: "{event.created}",
            data: {
              id: "{sessionToken}",
              type: "checkout_session",
              attributes: {
                status: "{status}",
                reference_number: "{externalId}",
                payment: "{transactionId}",
                amount: "{amount}",
                metadata: "{metadata}",
              },
            },
          },
        },
      },
    },
    "webhook.intent": {
      types: { "payment_intent.succeeded": "payment.paid", "payment_intent.failed": "payment.failed" },
      body: {
        data: {
          id: "{event.id}",
          type: "event",
          attributes: {
            type: "{event.type}",
            livemode: false,
            created_at: "{event.createdAt}",
            data: { id: "{data.id}", type: "payment", attributes: "{data.attributes}" },
          },
        },
      },
    },
    "webhook.subscription": {
      body: {
        data: { id: "{event.id}", attributes: { type: "{event.type}", at: "{event.createdAt}", data: "{data}" } },
      },
    },
  },
  /** In the manner of Stripe: no envelope, one error in an object, the object of an event in `data.object`. */
  stripe: {
    "http.envelope": "{data}",
    "http.error-body": {
      error: {
        type: "api_error",
        code: "{code}",
        message: "{message}",
        params: [{ name: "{errors.path}", message: "{errors.message}" }],
        next_action: { redirect_to_url: "{redirectUrl}", needed: "{requiresAction}" },
      },
    },
    "http.error-codes": { INSUFFICIENT_FUNDS: { code: "card_declined", message: "Your card has insufficient funds." } },
    "http.error-status": { VALIDATION_ERROR: 422, UNAUTHORIZED: 403 },
    "webhook.checkout": {
      types: { "checkout.completed": "checkout.session.completed" },
      body: {
        id: "{event.id}",
        object: "event",
        type: "{event.type}",
        created: "{event.created}",
        data: {
          object: {
            id: "{sessionToken}",
            client_reference_id: "{externalId}",
            amount_total: "{amount}",
            status: "{status}",
            metadata: "{metadata}",
            payment: "{transactionId}",
          },
        },
      },
    },
    "webhook.intent": {
      body: { id: "{event.id}", type: "{event.type}", created: "{event.created}", data: { object: "{data}" } },
    },
    "webhook.subscription": {
      body: { id: "{event.id}", type: "{event.type}", created: "{event.created}", data: { object: "{data}" } },
    },
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
