import * as z from "zod/mini";
import { schemaAddress } from "../kit/declaration/description.ts";
import type { DeclaredDescription, JsonSchema } from "../kit/declaration/description.ts";
import { assumptionTable } from "./assumption-table.ts";
import type { AssumptionId } from "./assumption-table.ts";
import { checkoutStatus } from "./schemas/checkout.ts";
import { errorTable } from "./error-table.ts";
import type { ErrorCode } from "./error-table.ts";
import { confirmation, intentContact, intentStatus, nextAction } from "./schemas/payment-intents.ts";
import { cardDetails, paymentMethodSummary } from "./schemas/payment-methods.ts";
import type { PaymentWords } from "./route.ts";
import { authPaths } from "./wire/paths.ts";
import type { AuthPaths } from "./wire/paths.ts";
import { SIGNATURE_HEADERS } from "../kit/webhooks/signatures/signature.ts";
import { invoiceStatus, invoiceView, planView, subscriptionStatus } from "./schemas/subscriptions.ts";

/** One offending field, as part 7 shows it. */
export const fieldError = z.object({
  path: z.string().check(z.meta({ description: "The field's name, nested with dots; empty for the body as a whole" })),
  message: z.string(),
  code: z.string().check(z.meta({ examples: ["validation_error"] })),
});

/** The fields of every error (part 7, `http.error-body`). Each response closes the schema, because some errors have more fields. */
export const error = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.enum(Object.keys(errorTable)),
  errors: z.array(fieldError),
});

/** The further fields of `3D_SECURE_REQUIRED` while a challenge is open (`intent.challenge-error`). */
export const openChallenge = z.partial(
  z.pick(confirmation, { requiresAction: true, redirectUrl: true, nextAction: true }),
);

/** The further fields of the token call's errors (RFC 6749 §5.2). */
export const oauthError = {
  type: "object",
  properties: { error: { type: "string" }, error_description: { type: "string" } },
  required: ["error", "error_description"],
};

/** The parts of the OpenAPI document that do not come from routes and events. */
export const description: DeclaredDescription<PaymentWords> = {
  info: {
    title: "Payment service, as Centavo simulates it",
    version: "unversioned",
    summary: "Hosted checkout, payment intents, subscriptions, transactions and tokens",
    description: "Derived from the routes of Centavo. Amounts are integers in centavos, times are UTC. No money moves.",
    license: { name: "MIT", identifier: "MIT" },
  },
  security: {
    bearer: [{ accessToken: [] }],
    "bearer-or-client-key": [{ accessToken: [] }, { clientKey: [] }],
    "admin-key": [{ adminKey: [] }],
    none: [],
  },
  securitySchemes: securitySchemesAt(authPaths),
  limitedCredentials: ["bearer", "bearer-or-client-key"],
  answered: {
    Error: error,
    FieldError: fieldError,
    OpenChallenge: openChallenge,
    PaymentIntentStatus: intentStatus,
    CheckoutStatus: checkoutStatus,
    NextAction: nextAction,
    PaymentMethod: paymentMethodSummary,
    SubscriptionStatus: subscriptionStatus,
    InvoiceStatus: invoiceStatus,
    Plan: planView,
    Invoice: invoiceView,
  },
  sent: { CardDetails: cardDetails, Contact: intentContact },
  parts: [error, openChallenge],
  envelope,
  errors: {
    unauthorized: "UNAUTHORIZED",
    shared: [
      "UNAUTHORIZED",
      "METHOD_NOT_ALLOWED",
      "BODY_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
      "RATE_LIMITED",
      "INTERNAL_ERROR",
    ],
    statuses: { INVALID_REFRESH_TOKEN: [400, 401] },
    headers: {
      UNAUTHORIZED: {
        "WWW-Authenticate": {
          description: "The challenge of RFC 6750; absent on routes that take the admin key (`http.token-messages`)",
          schema: { type: "string" },
        },
      },
      METHOD_NOT_ALLOWED: {
        Allow: { description: "The methods that this path supports", required: true, schema: { type: "string" } },
      },
      RATE_LIMITED: {
        "Retry-After": {
          description: "Virtual seconds until the window ends (`http.rate-limit`)",
          required: true,
          schema: { type: "string" },
        },
      },
    },
    body: (codes, route) => ({
      allOf: [
        { $ref: schemaAddress("Error") },
        { type: "object", properties: { code: { enum: codes } } },
        ...(codes.includes("3D_SECURE_REQUIRED" satisfies ErrorCode) ? [{ $ref: schemaAddress("OpenChallenge") }] : []),
        ...(route?.errorFields === undefined ? [] : [oauthError]),
      ],
      unevaluatedProperties: false,
    }),
  },
  sourceOf: (source) =>
    /^\d/.test(source) ? `Part ${source} of the service document.` : `Not in the service document: \`${source}\`.`,
  created: "Success, when `http.success-status` says so",
  idempotencyKey:
    "A repeated call with the same key gets the first answer again, and 409 `IDEMPOTENCY_KEY_IN_USE` until there is one (`http.idempotency-key`)",
  webhooks: {
    tag: "Events that the service sends to the merchant",
    description:
      "Part 6 of the service document. `webhook.signature` says how it is signed, `webhook.retries` how it is retried.",
    headers: {
      [SIGNATURE_HEADERS.paymongo]: {
        description:
          "The stamp in Unix seconds, and the signature; `webhook.signature` can choose another scheme or name",
        required: true,
        schema: { type: "string", pattern: String.raw`^t=\d+,te=[0-9a-f]{64},li=$` },
      },
    },
    assumptions: (Object.keys(assumptionTable) as AssumptionId[]).filter((id) => id.startsWith("webhook.")),
  },
};

/** Returns the ways in which callers show who they are, where the token service has these paths. */
export function securitySchemesAt({ token, refresh }: AuthPaths): DeclaredDescription<PaymentWords>["securitySchemes"] {
  return (authUrl) => ({
    accessToken: {
      type: "oauth2",
      description: "A JWT from the token service",
      flows: { clientCredentials: { tokenUrl: authUrl + token, refreshUrl: authUrl + refresh, scopes: {} } },
    },
    clientKey: {
      type: "http",
      scheme: "bearer",
      description: "The `clientKey` of the one intent that is addressed (`auth.client-key`)",
    },
    adminKey: { type: "apiKey", in: "header", name: "X-Admin-Key" },
  });
}

export function envelope(data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { success: { type: "boolean", const: true }, data },
    required: ["success", "data"],
    additionalProperties: false,
  };
}
