import * as z from "zod/mini";
import { anyText, textIfAny } from "../../kit/engine/row-schema.ts";
import {
  amount,
  emailAddress,
  evenIfInvalid,
  leastAmount,
  metadata,
  optionalText,
  personName,
  phoneNumber,
  returnUrl,
  text,
  timestamp,
  webUrl,
} from "../fields.ts";
import { fieldOfMethod, usualConfirmForm } from "../wire/confirm-call.ts";
import type { ConfirmForm } from "../wire/confirm-call.ts";
import { cardDetails, paymentMethodName, paymentMethodSummary } from "./payment-methods.ts";

/** The status words of part 3.1, in the document's order. */
export const intentStatus = z.enum([
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "processing",
  "succeeded",
  "canceled",
  "failed",
]);
export type IntentStatus = z.output<typeof intentStatus>;

export const intentContact = z.object({
  name: z.optional(personName),
  email: z.optional(emailAddress),
  phone: z.optional(phoneNumber),
});

/** Body of create (4.1). Only `amount` is required, unless `intent.create-fields` names others. */
export const createIntentBody = z.object({
  amount: leastAmount,
  description: z.optional(optionalText),
  externalId: z.optional(text),
  contact: z.optional(intentContact),
  metadata: z.optional(metadata),
  returnUrl: z.optional(returnUrl),
  webhookUrl: z.optional(webUrl),
});
export type CreateIntentBody = z.output<typeof createIntentBody>;

/** The fields of create that may be required beside `amount`, those of `contact` by their paths. */
export const optionalIntentFields = [
  "description",
  "externalId",
  "contact",
  "contact.name",
  "contact.email",
  "contact.phone",
  "metadata",
  "returnUrl",
  "webhookUrl",
] as const;

/** Returns the body of create in which these fields are required, too (`intent.create-fields`). */
export function createIntentBodyWith(required: readonly (typeof optionalIntentFields)[number][]) {
  const ofContact = required.flatMap((name) => (name.startsWith("contact.") ? [name.slice("contact.".length)] : []));
  const top: readonly string[] = [...required, ...(ofContact.length === 0 ? [] : ["contact"])];
  const contact = z.optional(requiring(intentContact, ofContact));
  return requiring(z.object({ ...createIntentBody.shape, contact }), top);
}

function requiring(schema: z.ZodMiniObject, names: readonly string[]): z.ZodMiniObject {
  const members = Object.entries(schema.shape as Readonly<Record<string, z.ZodMiniType>>).map(
    ([name, member]) =>
      [name, member instanceof z.ZodMiniOptional && names.includes(name) ? member.def.innerType : member] as const,
  );
  return z.object(Object.fromEntries(members));
}

/** Answer of create (2.2). */
export const createdIntent = z.object({
  id: anyText,
  transactionId: anyText,
  sessionToken: z.uuid(),
  amount,
  status: z.union([z.literal("pending"), intentStatus]),
  description: anyText,
  clientKey: z.string().check(z.meta({ description: "For client-side operations on this intent; store it securely" })),
  paymentMethods: z.array(anyText),
  fee: z.int().check(z.minimum(0), z.meta({ description: "Centavos; 0 until the method is known" })),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type CreatedIntent = z.output<typeof createdIntent>;

/** The document shows no currency of an intent, so only one that pays an invoice has it, from the plan. */
const currencyOfInvoice = textIfAny.check(z.meta({ description: "Only of an intent that pays an invoice" }));

/** Answer of the status call (2.3). */
export const intentStatusResult = z.object({
  id: anyText,
  transactionId: anyText,
  amount,
  currency: currencyOfInvoice,
  status: intentStatus,
  paymentMethod: z.optional(paymentMethodSummary),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type IntentStatusResult = z.output<typeof intentStatusResult>;

/** The customer's next action (2.4). */
export const nextAction = z.object({
  type: z.enum(["redirect", "display_details"]),
  redirectUrl: textIfAny,
});

const confirmFields = {
  paymentMethodId: z.optional(paymentMethodName),
  paymentMethod: z.optional(paymentMethodName),
  creditCardDetails: z.optional(cardDetails),
  contact: z.optional(intentContact),
};

/** The fields of confirm that can name the method. */
const METHOD_FIELDS: ReadonlySet<string> = new Set(["paymentMethodId", "paymentMethod"]);

/**
 * Body of confirm: the REST form, the SDK form, or both in agreement. The command asks for a method unless one is attached
 * (`intent.confirm-request`).
 */
export const confirmIntentBody = confirmBodyOf(usualConfirmForm);

/** Returns the body of confirm that names the method as the service has it. */
export function confirmBodyOf(form: ConfirmForm) {
  const { method, attached } = form;
  const isTaken = (field: string): boolean => method === "either" || field === method || !METHOD_FIELDS.has(field);
  const fields = Object.entries(confirmFields).filter(([name]) => isTaken(name));
  return z.object(Object.fromEntries(fields) as typeof confirmFields).check(
    z.superRefine(({ paymentMethodId, paymentMethod, creditCardDetails }, context) => {
      const problem = (path: string, message: string): void =>
        context.addIssue({ code: "custom", path: [path], message });
      const isNamed = paymentMethodId !== undefined || paymentMethod !== undefined;
      if (!isNamed && creditCardDetails !== undefined)
        problem(fieldOfMethod(form), 'is required with creditCardDetails; send "card"');
      else if (!isNamed && attached === "required") problem(fieldOfMethod(form), "is required");
      if (paymentMethodId !== undefined && paymentMethod !== undefined && paymentMethodId !== paymentMethod) {
        problem("paymentMethod", "must equal paymentMethodId when both are sent");
      }
      if (paymentMethodId === undefined && paymentMethod === "card" && creditCardDetails === undefined) {
        problem("creditCardDetails", 'is required with the payment method "card"');
      }
    }, evenIfInvalid),
    z.meta({
      ...(method === "either" && attached === "optional"
        ? {
            description:
              "`paymentMethodId` or `paymentMethod`; both only with the same value, and neither only where the intent has a method",
          }
        : {}),
      anyOf: [
        ...(isTaken("paymentMethodId") ? [{ required: ["paymentMethodId"] }] : []),
        ...(isTaken("paymentMethod")
          ? [
              { required: ["paymentMethod"], properties: { paymentMethod: { not: { const: "card" } } } },
              { required: ["paymentMethod", "creditCardDetails"] },
            ]
          : []),
        ...(attached === "optional"
          ? [{ properties: { paymentMethodId: false, paymentMethod: false, creditCardDetails: false } }]
          : []),
      ],
    }),
  );
}
export type ConfirmIntentBody = z.output<typeof confirmIntentBody>;

/** Answer of confirm: the SDK shape of 2.4, with `id` beside `intentId` (`intent.confirm-response`). */
export const confirmation = z.object({
  id: anyText,
  intentId: anyText,
  status: intentStatus,
  requiresAction: z.boolean(),
  redirectUrl: textIfAny,
  nextAction: z.optional(nextAction),
});
export type Confirmation = z.output<typeof confirmation>;

export const intentPath = z.object({ intentId: anyText });

export const intentEventTypes = [
  "payment_intent.requires_action",
  "payment_intent.processing",
  "payment_intent.succeeded",
  "payment_intent.failed",
  "payment_intent.canceled",
] as const;

/** Body of every payment intent event (`webhook.intent`). */
export const intentEvent = z.object({
  id: anyText,
  type: z.enum(intentEventTypes),
  createdAt: timestamp,
  data: z.object({
    id: anyText,
    type: z.literal("payment_intent"),
    attributes: z.object({
      status: intentStatus,
      amount,
      currency: currencyOfInvoice,
      fee: z.int(),
      externalId: textIfAny,
      transactionId: anyText,
      paymentMethod: z.optional(paymentMethodSummary),
      declineCode: textIfAny,
      metadata: z.optional(metadata),
      createdAt: timestamp,
      updatedAt: timestamp,
    }),
  }),
});
