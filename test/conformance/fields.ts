import type { z } from "zod";
import { checkoutEvent, createCheckoutBody, createdCheckout, processCheckoutBody } from "../../src/checkout/schema.ts";
import {
  confirmation,
  confirmIntentBody,
  createdIntent,
  createIntentBody,
  intentEvent,
  intentStatusResult,
} from "../../src/payment-intents/schema.ts";
import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** A field of parts 2, 4 or 6, or one of Centavo's own that an assumption calls for. */
export interface Field {
  readonly path: string;
  readonly type: "string" | "number" | "boolean" | "object" | "array";
  /** Whether the document requires it, or says that it may be absent; undefined where it says neither. */
  readonly required?: boolean;
  readonly verdict: Verdict;
}

/** One table of fields, and the schema in which they have to be, with no others. */
export interface Shape {
  readonly part: string;
  readonly title: string;
  readonly schema: z.ZodType;
  readonly fields: readonly Field[];
}

type Rule = { readonly required?: boolean; readonly verdict?: Verdict };

function field(path: string, type: Field["type"], { required, verdict = "supported" }: Rule = {}): Field {
  return { path, type, ...(required === undefined ? {} : { required }), verdict };
}

const required = { required: true };
const optional = { required: false };
const open = (...ids: Parameters<typeof assumed>): Rule => ({ verdict: assumed(...ids) });

export const shapes: readonly Shape[] = [
  {
    part: "2.1, 4.2",
    title: "Checkout create, request",
    schema: createCheckoutBody,
    fields: [
      field("externalId", "string", required),
      field("amount", "number", required),
      field("description", "string", required),
      field("webhookUrl", "string", required),
      field("returnUrl", "string", required),
      field("contact", "object", required),
      field("contact.name", "string", required),
      field("contact.email", "string", required),
      field("contact.contact", "string", optional),
      field("metadata", "object", optional),
      field("isThirdParty", "boolean", optional),
    ],
  },
  {
    part: "2.1, 4.1",
    title: "Payment intent create, request",
    schema: createIntentBody,
    fields: [
      field("amount", "number", open("intent.create-fields")),
      field("description", "string", open("intent.create-fields")),
      field("externalId", "string", open("intent.create-fields")),
      field("contact", "object", open("intent.create-fields")),
      field("contact.name", "string", open("intent.create-fields")),
      field("contact.email", "string", open("intent.create-fields")),
      field("contact.phone", "string", open("intent.create-fields")),
      field("metadata", "object", open("intent.create-fields")),
      field("returnUrl", "string", open("intent.create-fields")),
      field("webhookUrl", "string", open("intent.create-fields")),
    ],
  },
  {
    part: "2.1, 4.1",
    title: "Payment intent confirm, request (REST and SDK form)",
    schema: confirmIntentBody,
    fields: [
      field("paymentMethodId", "string", open("intent.confirm-request")),
      field("paymentMethod", "string", open("intent.confirm-request")),
      field("creditCardDetails", "object", open("intent.confirm-request")),
      field("creditCardDetails.cardNumber", "string"),
      field("creditCardDetails.expMonth", "string"),
      field("creditCardDetails.expYear", "string"),
      field("creditCardDetails.cvc", "string"),
      field("contact", "object", optional),
      field("contact.name", "string", open("intent.confirm-request")),
      field("contact.email", "string", open("intent.confirm-request")),
      field("contact.phone", "string", open("intent.confirm-request")),
    ],
  },
  {
    part: "4.2",
    title: "Checkout process, request",
    schema: processCheckoutBody,
    fields: [field("paymentMethodId", "string")],
  },
  {
    part: "2.2",
    title: "Payment intent create, response",
    schema: createdIntent,
    fields: [
      field("id", "string"),
      field("transactionId", "string"),
      field("sessionToken", "string"),
      field("amount", "number"),
      field("status", "string"),
      field("description", "string"),
      field("clientKey", "string"),
      field("paymentMethods", "array"),
      field("fee", "number"),
      field("createdAt", "string"),
      field("updatedAt", "string"),
    ],
  },
  {
    part: "2.3",
    title: "Payment intent status, response",
    schema: intentStatusResult,
    fields: [
      field("id", "string"),
      field("transactionId", "string"),
      field("amount", "number"),
      field("status", "string"),
      field("paymentMethod", "object", optional),
      field("paymentMethod.id", "string"),
      field("paymentMethod.type", "string"),
      field("createdAt", "string"),
      field("updatedAt", "string"),
    ],
  },
  {
    part: "2.4",
    title: "Payment intent confirm, response",
    schema: confirmation,
    fields: [
      field("id", "string", open("intent.confirm-response")),
      field("intentId", "string"),
      field("status", "string"),
      field("requiresAction", "boolean", required),
      field("redirectUrl", "string", optional),
      field("nextAction", "object", optional),
      field("nextAction.type", "string"),
      field("nextAction.redirectUrl", "string", optional),
    ],
  },
  {
    part: "2.5",
    title: "Checkout create, response",
    schema: createdCheckout,
    fields: [
      field("id", "string"),
      field("sessionToken", "string"),
      field("amount", "number"),
      field("fee", "number"),
      field("description", "string"),
      field("checkoutUrl", "string"),
      field("expiresAt", "string"),
      field("status", "string"),
      field("createdAt", "string"),
    ],
  },
  {
    part: "6",
    title: "Checkout webhook",
    schema: checkoutEvent,
    fields: [
      field("status", "string"),
      field("externalId", "string"),
      field("id", "string", open("webhook.event-id")),
      ...["type", "createdAt", "sessionToken", "transactionId"].map((name) =>
        field(name, "string", open("webhook.checkout")),
      ),
      field("amount", "number", open("webhook.checkout")),
      field("metadata", "object", open("webhook.checkout")),
    ],
  },
  {
    part: "6",
    title: "Payment intent webhook",
    schema: intentEvent,
    fields: [
      field("type", "string"),
      field("data", "object"),
      field("data.id", "string"),
      field("data.attributes", "object"),
      field("data.attributes.status", "string"),
      field("id", "string", open("webhook.event-id")),
      field("createdAt", "string", open("webhook.intent")),
      field("data.type", "string", open("webhook.intent")),
      ...["amount", "fee"].map((name) => field(`data.attributes.${name}`, "number", open("webhook.intent"))),
      ...["externalId", "transactionId", "declineCode", "createdAt", "updatedAt"].map((name) =>
        field(`data.attributes.${name}`, "string", open("webhook.intent")),
      ),
      ...["paymentMethod", "metadata"].map((name) =>
        field(`data.attributes.${name}`, "object", open("webhook.intent")),
      ),
      ...["id", "type"].map((name) => field(`data.attributes.paymentMethod.${name}`, "string", open("webhook.intent"))),
    ],
  },
];
