import { fixed } from "../../assumptions/entry.ts";
import type { AssumptionTable } from "../../assumptions/entry.ts";

/** Transactions (4.4). */
export const transactionAssumptions = {
  "transaction.record": fixed(
    "Transaction fields",
    "See the schema; `fee` and `net` are 0 unless the transaction succeeded",
  ),
  "transaction.page": fixed("Shape of lists", "`{ items, total, limit, offset, hasMore }`, newest first"),
  "transaction.filters": fixed(
    "Meaning of the filters",
    "On `createdAt`; all bounds inclusive; a date alone means its whole day",
  ),
  "transaction.payment-session": fixed("Payment sessions", "The session body of checkout; checkout sessions only"),
} as const satisfies AssumptionTable;
