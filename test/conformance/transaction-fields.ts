import { checkoutSession } from "../../src/service/schemas/checkout.ts";
import {
  listPaymentSessionsQuery,
  listTransactionsQuery,
  paymentSessionPage,
  transaction,
  transactionPage,
} from "../../src/service/schemas/transactions.ts";
import { field, fields, nested, open } from "./field.ts";
import type { Field, Shape } from "./field.ts";

const ofRecord = open("transaction.record");
const ofSession = open("transaction.payment-session", "checkout.bodies");
const page: readonly Field[] = [
  field("items", "array", open("transaction.page")),
  ...fields("number", "total limit offset", open("transaction.page")),
  field("hasMore", "boolean", open("transaction.page")),
];

export const transactionShapes: readonly Shape[] = [
  {
    part: "4.4",
    title: "Transaction list, query",
    schema: listTransactionsQuery,
    fields: [
      ...fields("string", "external_id status paymentMethod dateFrom dateTo"),
      ...fields("number", "limit offset amountMin amountMax"),
    ],
  },
  {
    part: "2.6",
    title: "Transaction, response",
    schema: transaction,
    fields: [
      field("id", "string"),
      ...fields("number", "amount fee"),
      field("net", "number", ofRecord),
      ...nested("paymentMethod", {}, fields("string", "id type brand last4", ofRecord)),
      ...fields("string", "externalId type currency status declineCode sessionToken intentId", ofRecord),
      ...fields("string", "subscriptionId invoiceId description createdAt updatedAt", ofRecord),
      ...nested("contact", ofRecord, fields("string", "name email phone", ofRecord)),
      field("metadata", "object", ofRecord),
    ],
  },
  { part: "4.4", title: "Transaction list, response", schema: transactionPage, fields: page },
  {
    part: "4.4",
    title: "Payment session list, query",
    schema: listPaymentSessionsQuery,
    fields: [
      field("status", "string"),
      field("limit", "number"),
      field("external_id", "string", open("transaction.payment-session")),
      field("offset", "number", open("transaction.payment-session")),
    ],
  },
  {
    part: "2.6",
    title: "Payment session, response",
    schema: checkoutSession,
    fields: [
      field("sessionToken", "string"),
      ...fields("string", "id description checkoutUrl expiresAt status externalId transactionId", ofSession),
      ...fields("string", "createdAt updatedAt", ofSession),
      ...fields("number", "amount fee", ofSession),
      field("isThirdParty", "boolean", ofSession),
      ...nested("contact", ofSession, fields("string", "name email contact", ofSession)),
      ...nested("paymentMethod", ofSession, fields("string", "id type", ofSession)),
      field("metadata", "object", ofSession),
    ],
  },
  { part: "4.4", title: "Payment session list, response", schema: paymentSessionPage, fields: page },
];
