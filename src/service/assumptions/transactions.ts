import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";

const bounds = z.enum(["inclusive", "exclusive-end"]);

/** Transactions (4.4). */
export const transactionAssumptions = {
  "transaction.record": fixed(
    "Transaction fields",
    "See the schema; `fee` and `net` are 0 unless the transaction succeeded",
  ),
  "transaction.page": fixed("Shape of lists", "`{ items, total, limit, offset, hasMore }`, newest first"),
  "transaction.filters": choice(
    "Meaning of the filters",
    "Dates are of `createdAt`; `paymentMethod` is a kind; all bounds inclusive; amounts are compared as numbers, whatever the currency. With `exclusive-end`, `dateTo` or `amountMax` is the first value that is not listed: a date alone as `dateTo` then ends at its midnight",
    z.strictObject({ dates: bounds, amounts: bounds }),
    { dates: "inclusive", amounts: "inclusive" },
  ),
  "transaction.dates": fixed(
    "Local times and partial dates in `dateFrom` and `dateTo`",
    "UTC; a date, week, month or year means all of it, a time without minutes or seconds its first moment",
  ),
  "transaction.payment-session": fixed("Payment sessions", "The session body of checkout; checkout sessions only"),
} as const satisfies AssumptionTable;
