import * as z from "zod/mini";
import { anyText, textIfAny } from "../../kit/engine/row-schema.ts";
import { checkoutSession, checkoutStatus } from "./checkout.ts";
import { amount, evenIfInvalid, metadata, queryInteger, queryNumber, text, timestamp } from "../fields.ts";
import { extentOf, ISO_8601 } from "../iso-8601.ts";

/** The status words of a transaction (`transaction.record`). */
export const transactionStatus = z.enum(["pending", "processing", "succeeded", "failed", "canceled", "expired"]);
export type TransactionStatus = z.output<typeof transactionStatus>;

/** A transaction (`transaction.record`). */
export const transaction = z.object({
  id: anyText,
  externalId: textIfAny,
  type: z.enum(["payment_intent", "checkout", "subscription"]),
  amount,
  fee: z.int().check(z.minimum(0), z.meta({ description: "Centavos; 0 unless the transaction succeeded" })),
  net: z
    .int()
    .check(z.minimum(0), z.meta({ description: "Centavos: amount minus fee, 0 unless the transaction succeeded" })),
  currency: anyText,
  status: transactionStatus,
  paymentMethod: z.optional(
    z.object({
      id: anyText,
      type: z.enum(["card", "gcash", "grab_pay"]),
      brand: textIfAny,
      last4: textIfAny,
    }),
  ),
  declineCode: textIfAny,
  sessionToken: anyText,
  intentId: textIfAny,
  subscriptionId: textIfAny,
  invoiceId: textIfAny,
  contact: z.object({ name: textIfAny, email: textIfAny, phone: textIfAny }),
  description: anyText,
  metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Transaction = z.output<typeof transaction>;

const limit = z.optional(queryInteger({ min: 1, max: 100 }));
const offset = z.optional(queryInteger({ min: 0 }));
const centavos = z.optional(queryNumber);
const NOT_ISO_8601 = "must be an ISO 8601 date, or a date and time";
const moment = z.optional(
  z.string().check(
    z.regex(ISO_8601, { error: NOT_ISO_8601, abort: true }),
    z.refine((bound) => extentOf(bound) !== undefined, NOT_ISO_8601),
  ),
);

/** Query of the list (4.4, `transaction.filters`). */
export const listTransactionsQuery = z
  .object({
    external_id: z.optional(text),
    limit,
    offset,
    status: z.optional(transactionStatus),
    paymentMethod: z.optional(z.enum(["gcash", "grab_pay", "card"])),
    dateFrom: moment,
    dateTo: moment,
    amountMin: centavos,
    amountMax: centavos,
  })
  .check(
    z.superRefine(({ dateFrom, dateTo, amountMin, amountMax }, context) => {
      const reversed = (path: string, message: string): void =>
        context.addIssue({ code: "custom", path: [path], message });
      // A missing or malformed bound cannot be compared; a malformed one is reported already.
      if (dateFrom !== undefined && dateTo !== undefined && startOf(dateFrom) > endOf(dateTo))
        reversed("dateTo", "must not be before dateFrom");
      if (amountMin !== undefined && amountMax !== undefined && amountMin > amountMax)
        reversed("amountMax", "must not be less than amountMin");
    }, evenIfInvalid),
  );
export type ListTransactionsQuery = z.output<typeof listTransactionsQuery>;

/** Query of the list of payment sessions (`transaction.payment-session`). */
export const listPaymentSessionsQuery = z.object({
  external_id: z.optional(text),
  limit,
  offset,
  status: z.optional(checkoutStatus),
});
export type ListPaymentSessionsQuery = z.output<typeof listPaymentSessionsQuery>;

function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() });
}

/** A page of a list (`transaction.page`). */
export const transactionPage = pageOf(transaction);
export type TransactionPage = z.output<typeof transactionPage>;
export const paymentSessionPage = pageOf(checkoutSession);
export type PaymentSessionPage = z.output<typeof paymentSessionPage>;

export const transactionPath = z.object({ transactionId: anyText });
/** Returns the milliseconds of a lower bound: of a date, a month or a year its first (`transaction.dates`). */
export function startOf(bound: string, zone?: string): number {
  return (ISO_8601.test(bound) ? extentOf(bound, zone)?.first : undefined) ?? Number.NaN;
}

/** Returns the milliseconds of an upper bound: of a date, a month or a year its last (`transaction.dates`). */
export function endOf(bound: string, zone?: string): number {
  return (ISO_8601.test(bound) ? extentOf(bound, zone)?.last : undefined) ?? Number.NaN;
}
