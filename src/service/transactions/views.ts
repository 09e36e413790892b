import type { ByStatus } from "../../kit/declaration/filter.ts";
import type { Reader } from "../../kit/declaration/reader.ts";
import type { Transaction, TransactionStatus } from "../schemas/transactions.ts";

/** How a test reads transactions. */
export interface TransactionReaders {
  /** The transactions of every merchant, as the API shows them. */
  readonly transactions: Reader<Transaction, ByStatus<TransactionStatus>>;
}
