import { z } from "zod";
import type { Assumptions as AssumptionsOf, Used } from "../assumptions/assumptions.ts";
import { choice, fixed } from "../assumptions/entry.ts";
import type { AssumptionTable, IdOf, OverridesOf, ValueOf } from "../assumptions/entry.ts";
import { durationMilliseconds } from "../engine/duration.ts";

const duration = z.string().superRefine((text, context) => {
  try {
    durationMilliseconds(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
  }
});
const ratio = z.strictObject({
  /** Percent of the amount. */
  percent: z.number().min(0).max(100),
  /** Centavos on top. */
  fixed: z.int().min(0),
});

/**
 * Everything that the service document leaves open, and what Centavo answers. Each row can be changed by
 * `createSimulator({ assumptions: { "<id>": value } })` once it is known what the real service does.
 */
export const assumptionTable = {
  "http.success-status": choice(
    "Success status codes",
    "200 for every endpoint; 201 for what creates something is the other value",
    z.literal([200, 201]),
    200,
  ),
  "http.error-body": fixed("Wire shape of errors that are not validation errors", "The validation shape plus `code`"),
  "http.error-codes": fixed(
    "Codes and messages",
    "Named codes keep their name and get a sentence; sentences keep their words and get a code",
  ),
  "http.error-status": fixed(
    "HTTP status of each error",
    "400 validation, 401 credentials, 402 declines, 404 unknown, 405, 409 state, 413, 415, 429, 500",
  ),
  "http.token-messages": fixed(
    "When each token error applies",
    "No header: UNAUTHORIZED; unknown token: Invalid access token; past `exp`: Token expired",
  ),
  "http.refusals": fixed(
    "What an error changes",
    "A refusal changes nothing; a decline is a committed command whose answer is an error",
  ),
  "http.rate-limit": choice(
    "Rate limits",
    "None; else a fixed window per merchant on the virtual clock",
    z.union([z.literal("none"), z.strictObject({ requests: z.int().min(1), per: duration })]),
    "none",
  ),
  "http.bounds": fixed(
    "Maximum amount, field lengths, metadata size",
    "Amount to 99 999 999 999, strings to 1 000, URLs to 2 048, metadata 50 keys of 500 characters, depth 32, body 1 MiB",
  ),
  "http.unknown-fields": choice(
    "Fields that the document does not name",
    "Ignored, and noted in the journal",
    z.enum(["ignore", "refuse"]),
    "ignore",
  ),
  "http.idempotency-key": choice(
    "Idempotency",
    "Header `Idempotency-Key`, kept this long per merchant, method and path; bodies are compared by the fields that the service knows; `off` ignores the header",
    z.union([z.literal("off"), duration]),
    "24 hours",
  ),
  "http.external-id": choice(
    "Is `externalId` enforced to be unique",
    "No; a second use is noted in the journal",
    z.enum(["note", "refuse"]),
    "note",
  ),
  "http.routing": fixed("Overlap of fixed and variable segments", "Fixed segments win"),
  "http.versioning": fixed("Versioning scheme", "None in path or header; version headers are ignored and noted"),
  "http.base-urls": fixed("Base addresses", "The options `baseUrl` and `authUrl`; no environments"),
  "time.boundaries": fixed("Is a deadline passed at its exact instant", "Yes"),
  "time.format": fixed("Timestamps", "Always `YYYY-MM-DDTHH:mm:ss.sssZ`"),
  "auth.token-request": fixed(
    "Body of the token call",
    "OAuth 2.0 client credentials as form or JSON, in the body or in HTTP Basic",
  ),
  "auth.token-response": choice(
    "Token response",
    "A plain RFC 6749 answer; `envelope` puts the same object into `data`",
    z.enum(["plain", "envelope"]),
    "plain",
  ),
  "auth.token-lifetime": choice("Lifetime of an access token", "3600 seconds", duration, "1 hour"),
  "auth.token-errors": choice(
    "Status of an invalid refresh token",
    "400 `invalid_grant`, as RFC 6749 has it; 401 is the other value",
    z.literal([400, 401]),
    400,
  ),
  "auth.refresh": choice(
    "Refresh",
    "Same endpoint; a refresh token lives this long, rotates on use, and a used one ends its family",
    duration,
    "30 days",
  ),
  "auth.jwt": fixed(
    "Token format",
    "JWT signed with ES256, checked against `exp`, issuer and audience; keys at `{auth_url}/.well-known/jwks.json`",
  ),
  "auth.registration": fixed("Merchant registration", "`POST {auth_url}/merchants` with `X-Admin-Key`"),
  "auth.scope": fixed("Credential of process, polling, subscription and transaction endpoints", "The bearer token"),
  "auth.client-key": fixed("What the `clientKey` opens", "As bearer, confirm and status of that one intent"),
  "auth.secrets": fixed(
    "Shape of secrets",
    "Recognisably fake: `ci_fake_`, `cs_fake_`, `ak_fake_`, `rt_fake_`; webhook secrets `whsec_`",
  ),
  "intent.create-fields": fixed("Which fields of create are required", "`amount` alone"),
  "intent.pending": choice(
    "The status at creation",
    "The create response says `pending`; the next status read says `requires_payment_method`",
    z.enum(["pending", "requires_payment_method"]),
    "pending",
  ),
  "intent.moves": fixed("What causes each move", "Confirming attaches the method and confirms it at once"),
  "intent.processing-time": choice(
    "How long `processing` lasts",
    "Due at once, which means when the clock next settles or moves",
    duration,
    "0 seconds",
  ),
  "intent.authentication": choice(
    "How long a challenge stays open",
    "Card 1 hour, GCash 4 hours, GrabPay 15 minutes; then it fails with `authentication_expired`",
    z.strictObject({ card: duration, gcash: duration, grab_pay: duration }),
    { card: "1 hour", gcash: "4 hours", grab_pay: "15 minutes" },
  ),
  "intent.challenge-error": fixed(
    "When `3D_SECURE_REQUIRED` is answered",
    "By confirm and process repeated while the challenge is open",
  ),
  "intent.confirm-twice": fixed("Confirm in `processing` or a final state", "`INTENT_ALREADY_CONFIRMED`"),
  "intent.confirm-request": fixed(
    "Body of confirm",
    "`paymentMethodId` or `paymentMethod`; `creditCardDetails` with `card`",
  ),
  "intent.confirm-response": fixed("Answer of confirm", "The SDK shape in the envelope, with `id` beside `intentId`"),
  "intent.decline": fixed("Declined at once or later", "By the test method; most declines come later"),
  "intent.cancel": fixed("How an intent is canceled", "`sim.intents.cancel(id)` plays the service's back office"),
  "intent.display-details": fixed("What produces `display_details`", "The method `pm_display_details`"),
  "intent.return": fixed("Query on the way back", "`intentId`, `externalId`, `status`, appended to `returnUrl`"),
  "intent.fee": choice(
    "Unit and size of `fee`",
    "Centavos, rounded half up, never above the amount; 0 until the method is known",
    z.strictObject({ card: ratio, gcash: ratio, grab_pay: ratio }),
    { card: { percent: 3.5, fixed: 1500 }, gcash: { percent: 2.5, fixed: 0 }, grab_pay: { percent: 2.2, fixed: 0 } },
  ),
  "intent.ids": fixed("Shapes of ids", "A prefix and 24 base-62 characters from the seed; session tokens are UUIDs"),
  "checkout.moves": fixed(
    "Transitions of a checkout session",
    "`pending` → `processing` → `completed` or `failed`; `cancelled` by the customer; `expired` by the clock",
  ),
  "checkout.retry": choice(
    "May the customer try another card",
    "No further tries: `failed` is final; n lets the customer try n more times",
    z.int().min(0).max(10),
    0,
  ),
  "checkout.lifetime": choice("Lifetime of a session", "24 hours", duration, "24 hours"),
  "checkout.expired-token": fixed(
    "When an expired token is `Session not found`",
    "Process answers 404; reads answer the session with status `expired`",
  ),
  "checkout.bodies": fixed("Bodies of session, process and polling", "See the schemas in the OpenAPI document"),
  "checkout.url": fixed(
    "Hosted page",
    "`{base_url}/pay/{sessionToken}`; challenge and wallet pages `{base_url}/authenticate/{id}`",
  ),
  "checkout.return": fixed("Query on the way back", "`sessionToken`, `externalId`, `status`, appended to `returnUrl`"),
  "checkout.payment": fixed(
    "How a session is paid",
    "It embeds one payment intent, whose id appears nowhere and which sends no events",
  ),
  "return.schemes": choice(
    "Which schemes a `returnUrl` may have beside http and https",
    "None; an app's own scheme such as `myshop` may be added",
    z.array(z.string().regex(/^[a-z][a-z0-9+.-]*$/)),
    [],
  ),
  "subscription.plan": fixed("Plan fields", "`name`, `amount`, `interval` required; `currency` PHP, `intervalCount` 1"),
  "subscription.initiate": fixed(
    "Body and answer of initiate",
    "`planId` and `contact` required; the subscription with its session token and first invoice",
  ),
  "subscription.process-payment": fixed(
    "Body of process-payment",
    "`subscriptionId` or `sessionToken`, and `paymentMethodId`; confirm's answer with the subscription",
  ),
  "subscription.bodies": fixed(
    "The other bodies and lists",
    "PATCH `{ planId }` or `{ paymentMethodId }`, the latter's answer with `invoice` where one is charged; lists `{ items, hasMore }`, newest first",
  ),
  "subscription.session": fixed("Path of a subscription session", "`GET /api/subscription/session/{sessionToken}`"),
  "subscription.fields": fixed(
    "Subscription fields",
    "See the schema in the OpenAPI document; period fields are absent until activation",
  ),
  "subscription.invoice": fixed("Invoice fields", "See the schema; each attempt has a payment intent of its own"),
  "subscription.first-failure": fixed(
    "First payment fails",
    "Stays `incomplete`, may be tried again until 24 h have passed",
  ),
  "subscription.late-first-payment": fixed(
    "First payment under way at 24 h",
    "In `processing` the mark waits; an open challenge is canceled at the mark",
  ),
  "subscription.renewal": fixed("Billing cycle", "The anchor is the instant of activation; its day is kept, in UTC"),
  "subscription.retries": fixed("When the 3 retries happen", "24, 48 and 72 h after the invoice's first failure"),
  "subscription.open-invoices": fixed(
    "Several open invoices",
    "The oldest is charged first; `active` only when none is open",
  ),
  "subscription.recovery": fixed(
    "Moves back",
    "A paid retry, a new method or a payment by hand leads back to `active`; boundaries do not move",
  ),
  "subscription.manual-payment": fixed(
    "Paying by hand",
    "Customer-present, counted in `attemptCount`, not among the 3 retries",
  ),
  "subscription.plan-change": fixed("Plan change", "Kept as `pendingPlan`, used by the next invoice"),
  "subscription.cancel": choice(
    "What cancellation does to open invoices",
    "At once; open invoices are void; `keep` leaves them open",
    z.enum(["void", "keep"]),
    "void",
  ),
  "subscription.wrong-state": fixed("Commands in the wrong state", "409 `INVALID_STATE` naming the state"),
  "subscription.wallets": choice(
    "GCash and GrabPay for renewals",
    "Not offered; `allow` is the other value",
    z.enum(["refuse", "allow"]),
    "refuse",
  ),
  "subscription.events": fixed("Which events, in which order", "The intent's, the invoice's, then the subscription's"),
  "webhook.subscription": fixed(
    "Subscription events",
    "`data.id` the subscription, `attributes` the subscription, with `invoice` where one is concerned",
  ),
  "transaction.record": fixed("Transaction fields", "See the schema; `fee` and `net` are 0 unless it succeeded"),
  "transaction.page": fixed("Shape of lists", "`{ items, total, limit, offset, hasMore }`, newest first"),
  "transaction.filters": fixed(
    "Meaning of the filters",
    "On `createdAt`; all bounds inclusive; a date alone means its whole day",
  ),
  "transaction.payment-session": fixed("Payment sessions", "The session body of checkout; checkout sessions only"),
  "webhook.receiver": fixed("Where an event goes", "The resource's `webhookUrl`, else the merchant's"),
  "webhook.event-id": fixed("Name of the event id", "`id` at the top of the body, the same on every attempt"),
  "webhook.checkout": fixed("Checkout events", "`checkout.` + processing, completed, failed, cancelled, expired"),
  "webhook.intent": fixed(
    "Payment intent events",
    "`payment_intent.` + requires_action, processing, succeeded, failed, canceled",
  ),
  "webhook.body": choice(
    "How the JSON is written",
    "Compact; `spaced` has other spacing, key order and escapes",
    z.enum(["compact", "spaced"]),
    "compact",
  ),
  "webhook.signature": choice(
    "Scheme and header of the signature",
    "`X-Webhook-Signature: t=…,te=…,li=`; by value Stripe's or Standard Webhooks'",
    z.union([
      z.enum(["paymongo", "stripe", "standard-webhooks"]),
      z.strictObject({ scheme: z.enum(["paymongo", "stripe"]), header: z.string().regex(/^[A-Za-z0-9-]+$/) }),
    ]),
    "paymongo",
  ),
  "webhook.stamp": choice(
    "Whose time is in the signature",
    "The receiver's, read at delivery; `virtual` is the simulator's",
    z.enum(["receiver", "virtual"]),
    "receiver",
  ),
  "webhook.success": fixed("What counts as delivered", "Any 2xx; 410 stops all further tries of that event"),
  "webhook.timeout": choice(
    "How long an answer may take",
    "30 s of virtual time where a fault delays it; a receiver that does not settle has `receiverTimeout` of real time",
    duration,
    "30 seconds",
  ),
  "webhook.retries": choice(
    "How often a delivery is retried",
    "12 times, retry n comes 2ⁿ s after the one before",
    z.int().min(0).max(24),
    12,
  ),
  "webhook.order": fixed(
    "Order of deliveries",
    "One at a time, in the order in which the events happened; a failed one does not hold back the next",
  ),
} as const satisfies AssumptionTable;

type Table = typeof assumptionTable;

/** The name of an assumption, such as `checkout.lifetime`. */
export type AssumptionId = IdOf<Table>;

/** The type of an assumption's value. */
export type AssumptionValue<Id extends AssumptionId> = ValueOf<Table, Id>;

/** What a test changes of the assumptions. */
export type AssumptionOverrides = OverridesOf<Table>;

/** An assumption that a run relied on. */
export type UsedAssumption = Used<AssumptionId>;

/** The answers of one world of this service. */
export type Assumptions = AssumptionsOf<Table>;
