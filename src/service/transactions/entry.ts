import type { CheckoutRow } from "../checkout/machine.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { TransactionStatus } from "../schemas/transactions.ts";
import type { TransactionEntry } from "./rows.ts";

/** Whether a transaction with this status has ended. */
export function isFinal(status: TransactionStatus): boolean {
  return status !== "pending" && status !== "processing";
}

/** Returns the entry of an intent or session. */
export function entryOf(
  id: string,
  resource: TransactionEntry["resource"],
  { id: resourceId, createdAt, data: { merchantId, amount, externalId } }: IntentRow | CheckoutRow,
  status: TransactionStatus,
  { data: { method } }: IntentRow,
): TransactionEntry {
  return {
    id,
    merchantId,
    resource,
    resourceId,
    createdAt,
    amount,
    status,
    ...(externalId === undefined ? {} : { externalId }),
    ...(method === undefined ? {} : { kind: method.kind }),
  };
}
