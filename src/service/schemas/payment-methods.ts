import * as z from "zod/mini";
import { anyText } from "../../kit/engine/row-schema.ts";
import { text } from "../fields.ts";
import type { PaymentMethodName } from "../test-methods.ts";

/** A card in the SDK form of confirm (4.1). Every field is a string. */
export const cardDetails = z.object({
  cardNumber: z.string().check(z.regex(/^\d[\d -]{0,38}$/, "must be a card number")),
  expMonth: z.string().check(z.regex(/^(0?[1-9]|1[0-2])$/, "must be a month from 1 to 12")),
  expYear: z.string().check(z.regex(/^(\d{2}|\d{4})$/, "must be a year of 2 or 4 digits")),
  cvc: z.string().check(z.regex(/^\d{3,4}$/, "must have 3 or 4 digits")),
});
export type CardDetails = z.output<typeof cardDetails>;

/** A payment method in answers (2.3). */
export const paymentMethodSummary = z.object({ id: anyText, type: z.enum(["card", "gcash", "grab_pay"]) });

/** The payment method that a call names. */
export const paymentMethodName: z.ZodMiniType<PaymentMethodName, PaymentMethodName> = text;
