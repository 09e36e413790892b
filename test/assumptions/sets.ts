import type { AssumptionOverrides } from "../../src/index.ts";
import { assumptionTable } from "../../src/service/assumption-table.ts";
import { alternativesOf } from "../../src/kit/assumptions/alternatives.ts";
import type { Choice } from "../../src/kit/assumptions/entry.ts";
import type { Json } from "../../src/kit/assumptions/template.ts";
import { rowsOfBodies } from "../../src/service/wire/shapes.ts";
import type { RouteBodies } from "../../src/service/wire/shapes.ts";
import { philippineService, stripe as stripeService } from "../../src/service/assumptions/other-services.ts";

const [inSnakeCase = {}, inAttributes = {}] = [0, 1].map((place) =>
  Object.fromEntries(rowsOfBodies.map((row) => [row, alternativesOf(assumptionTable[row] as Choice)[place]?.value])),
) as Record<string, RouteBodies>[];

/** Every body as a list of its members, which have no names. */
const inLists = Object.fromEntries(
  Object.entries(inAttributes).map(([row, bodies]) => [
    row,
    Object.fromEntries(
      Object.entries(bodies).map(([route, body]) => {
        const { id, attributes } = body as {
          readonly id?: string;
          readonly attributes: Readonly<Record<string, Json>>;
        };
        return [route, [id === undefined ? [] : [[id]], Object.values(attributes).map((member) => ({ "": member }))]];
      }),
    ),
  ]),
);

/** Whole sets of values: what other payment services answer, and what nobody would expect. */
export const sets = {
  /** In the manner of a payment service of the Philippines: errors as a list, webhooks as `data.attributes`. */
  philippine: {
    ...inAttributes,
    ...philippineService,
    "http.error-codes": {
      VALIDATION_ERROR: { code: "parameter_invalid" },
      INTENT_NOT_FOUND: { code: "resource_not_found", message: "No such payment intent." },
      SESSION_NOT_FOUND: { code: "resource_not_found", message: "No such checkout session." },
      INSUFFICIENT_FUNDS: { code: "insufficient_funds" },
    },
    "http.error-status": { INSUFFICIENT_FUNDS: 400, SESSION_NOT_FOUND: 410 },
    "http.endpoints": {
      "payment-intent.create": "/v1/payment_intents",
      "payment-intent.confirm": "/v1/payment_intents/{intentId}/attach",
      "payment-intent.status": "/v1/payment_intents/{intentId}",
      "checkout.create": "/v1/checkout_sessions",
      "checkout.polling": "/v1/checkout_sessions/{sessionToken}",
    },
    "http.success-status": { "payment-intent.create": 201, "subscription-plan.create": 201, "merchant.register": 201 },
    "auth.paths": { refresh: "/oauth/refresh" },
    "auth.token-request": { client: "basic" },
    "auth.scope": ["checkout.polling"],
    "auth.client-key": ["payment-intent.status"],
    "http.token-messages": { missing: "Unauthorized" },
    "http.paths": { slash: "ignored", case: "exact" },
    "http.texts": { name: "filled", email: "address", phone: "filled", url: "http" },
    "http.order": { credential: "first", body: "after-credential", resource: "after-fields", fields: "all" },
    "intent.confirm-request": { method: "paymentMethodId", attached: "optional" },
    "intent.create-fields": ["description"],
    "transaction.dates": { days: "whole", offset: "+08:00" },
    "http.bounds": { amount: 99_999_900, text: 255 },
    "http.metadata": "texts",
    "intent.payment-methods": ["card", "gcash"],
    "intent.return": { payment_intent_id: "{intentId}" },
    "checkout.return": {},
    "webhook.user-agent": "Webhooks/1.0",
    "auth.token-response": {
      data: { attributes: { token: "{access_token}", expires_at: "{expires_at}", refresh: "{refresh_token}" } },
    },
    "subscription.session": "/v1/subscriptions/sessions/{sessionToken}",
    "checkout.url": { session: "/cs/{sessionToken}" },
  },
  /** In the manner of Stripe: no envelope, one error in an object, the object of an event in `data.object`. */
  stripe: {
    ...inSnakeCase,
    ...stripeService,
    "http.error-codes": { INSUFFICIENT_FUNDS: { code: "card_declined", message: "Your card has insufficient funds." } },
    "http.error-status": { VALIDATION_ERROR: 422, UNAUTHORIZED: 403 },
    "http.endpoints": {
      "payment-intent.create": "/v1/payment_intents",
      "subscription-plan.create": "/v1/prices",
      "subscription-plan.list": "/v1/prices",
      "subscription-plan.get": "/v1/prices/{planId}",
      "subscription.cancel": "/v1/subscriptions/{subscriptionId}",
      "transaction.list": "/v1/charges",
      "transaction.get": "/v1/charges/{transactionId}",
    },
    "http.success-status": 201,
    "auth.paths": { token: "/v1/token", registration: "/v1/accounts" },
    "auth.token-request": { format: "form", client: "body" },
    "auth.scope": ["subscription.session"],
    "auth.client-key": ["payment-intent.confirm"],
    "http.token-messages": {
      missing: "You did not provide an API key.",
      unknown: "Invalid API key provided.",
      expired: "Expired API key provided.",
    },
    "http.paths": { slash: "ignored", case: "ignored" },
    "http.texts": { name: "any", email: "address", phone: "any", url: "https" },
    "http.order": { credential: "first", body: "after-credential", resource: "before-fields", fields: "first" },
    "intent.confirm-request": { method: "paymentMethod", attached: "optional" },
    "intent.create-fields": ["description", "externalId"],
    "transaction.dates": "first-moment",
    "http.bounds": { amount: 99_999_999, metadataKeys: 20, url: 1024 },
    "intent.payment-methods": ["card"],
    "intent.return": { payment_intent: "{intentId}", redirect_status: "{status}" },
    "checkout.return": { session_id: "{sessionToken}" },
    "webhook.user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "auth.token-response": { access_token: "{access_token}", livemode: false, token_type: "bearer" },
    "subscription.session": "/v1/subscriptions/{sessionToken}/session",
    "checkout.url": { session: "/c/pay/{sessionToken}", challenge: "/3d_secure/{challengeId}/authenticate" },
  },
  /** What nobody would expect: names that mean something else, and everything in another place. */
  perverse: {
    ...inLists,
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
    "http.endpoints": {
      "payment-intent.create": "/api/checkout",
      "checkout.create": "/api/payment-intent",
      "payment-intent.status": "/api/subscription/plans/{intentId}",
      "subscription-plan.get": "/{planId}/status/",
      "transaction.list": "/",
    },
    "http.success-status": { "transaction.list": 203, "payment-intent.create": 299, "subscription.session": 206 },
    "auth.paths": { token: "/merchants", registration: "/oauth", refresh: "/api/subscription/refresh/", keys: "/keys" },
    "auth.scope": ["subscription.session", "checkout.process", "checkout.polling"],
    "auth.client-key": [],
    "http.token-messages": {
      missing: "Token expired",
      unknown: "The header Authorization is missing",
      expired: "Invalid access token",
    },
    "http.paths": { slash: "exact", case: "ignored" },
    "http.texts": { name: "any", email: "any", phone: "international", url: "https" },
    "http.order": { credential: "after-path", body: "first", resource: "before-fields", fields: "first" },
    "intent.confirm-request": { method: "paymentMethod", attached: "optional" },
    "intent.create-fields": ["contact.phone", "metadata"],
    "transaction.dates": { days: "first-moment", offset: "-11:30" },
    "http.metadata": "texts",
    "intent.payment-methods": [],
    "intent.return": { status: "{intentId}", intentId: "{status}" },
    "checkout.return": { "a b": "{status}/{externalId}", sessionToken: "no" },
    "webhook.user-agent": "Mozilla/5.0",
    "http.bounds": { amount: 500_000, text: 120, url: 200, metadataKeys: 4, metadataValue: 100, body: 5000 },
    "auth.token-request": {
      format: "json",
      names: {
        grant_type: "client_id",
        client_id: "grant_type",
        client_secret: "refresh_token",
        refresh_token: "client_secret",
      },
    },
    "auth.token-response": [{ "": "{access_token}" }, { access_token: "{refresh_token}", refresh_token: "no" }],
    "subscription.session": "/{sessionToken}",
    "checkout.url": { session: "/authenticate/{sessionToken}", challenge: "/pay/{challengeId}" },
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
