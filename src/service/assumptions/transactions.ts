import * as z from "zod/mini";
import { choice } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { checkoutSession } from "../schemas/checkout.ts";
import { paymentSessionPage, transaction, transactionPage } from "../schemas/transactions.ts";
import { bodiesOf } from "../wire/route-bodies.ts";
import { otherBodies } from "./other-bodies.ts";
import { stripe } from "./other-services.ts";

const record = { "transaction.get": transaction };
const pages = { "transaction.list": transactionPage, "transaction.list-payment-sessions": paymentSessionPage };
const session = { "transaction.payment-session": checkoutSession };
const days = z.enum(["whole", "first-moment"]);
const offset = z
  .string()
  .check(z.regex(/^[+-](?:0\d|1[0-4]):[0-5]\d$/), z.meta({ title: "an offset", examples: ["+08:00"] }));
const bounds = z.enum(["inclusive", "exclusive-end"]);

/** Transactions (4.4). */
export const transactionAssumptions = {
  "transaction.record": choice(
    "Transaction fields",
    "See the schema; `fee` and `net` are 0 unless the transaction succeeded. A template for `transaction.get` shapes them otherwise",
    bodiesOf(record),
    {},
    { alternatives: otherBodies(record) },
  ),
  "transaction.page": choice(
    "Shape of lists",
    "`{ items, total, limit, offset, hasMore }`, newest first; templates by route shape them otherwise, with `hasMore` or `total`",
    bodiesOf(pages),
    {},
    { alternatives: [...otherBodies(pages), stripe["transaction.page"]] },
  ),
  "transaction.filters": choice(
    "Meaning of the filters",
    "Dates are of `createdAt`; `paymentMethod` is a kind; all bounds inclusive; amounts are compared as numbers, whatever the currency. With `exclusive-end`, `dateTo` or `amountMax` is the first value that is not listed: a date alone as `dateTo` then ends at its midnight",
    z.strictObject({ dates: bounds, amounts: bounds }),
    { dates: "inclusive", amounts: "inclusive" },
    { departs: { part: "4.4", when: ({ amounts }) => amounts === "exclusive-end" } },
  ),
  "transaction.dates": choice(
    "Local times and partial dates in `dateFrom` and `dateTo`",
    "UTC; a date, week, month or year means all of it, a time without minutes or seconds its first moment. With `first-moment`, a date, week, month or year is its first moment, too, so `dateTo` leaves out the rest of its day. An object also has the `offset` from UTC of dates and times that name none",
    z.union([days, z.strictObject({ days, offset })]),
    "whole",
    { alternatives: { UTC: { days: "whole", offset: "+08:00" } } },
  ),
  "transaction.payment-session": choice(
    "Payment sessions",
    "The session body of checkout; checkout sessions only. A template for `transaction.payment-session` shapes it otherwise",
    bodiesOf(session),
    {},
    { alternatives: otherBodies(session) },
  ),
} as const satisfies AssumptionTable;
