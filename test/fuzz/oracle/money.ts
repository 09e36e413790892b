import type { MethodKind, PaymentStatus, SessionStatus } from "./words.ts";

/** Thousandths of the amount, and centavos on top (`intent.fee`). */
const FEES: Readonly<Record<MethodKind, { readonly thousandths: number; readonly fixed: number }>> = {
  card: { thousandths: 35, fixed: 1500 },
  gcash: { thousandths: 25, fixed: 0 },
  grab_pay: { thousandths: 22, fixed: 0 },
};

/** The fee in centavos: rounded half up, and never above the amount. */
export function feeOf(amount: number, kind: MethodKind | undefined): number {
  if (kind === undefined) return 0;
  const { thousandths, fixed } = FEES[kind];
  return Math.min(amount, Math.floor((amount * thousandths + 500) / 1000) + fixed);
}

/** The status of a transaction, by that of its payment or session (`transaction.record`). */
export const transactionStatus: Readonly<Record<PaymentStatus | SessionStatus, string>> = {
  requires_payment_method: "pending",
  requires_confirmation: "pending",
  requires_action: "pending",
  pending: "pending",
  processing: "processing",
  succeeded: "succeeded",
  completed: "succeeded",
  failed: "failed",
  canceled: "canceled",
  cancelled: "canceled",
  expired: "expired",
};

/** A transaction, as the transactions API answers it. */
export interface Transaction {
  readonly type: string;
  readonly status: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly method?: string;
  readonly declineCode?: string;
}

/** What each account holds in a currency: a succeeded payment debits customers, and credits the merchant and the fees. */
export function balancesOf(transactions: readonly Transaction[], currency: string): Readonly<Record<string, number>> {
  const paid = transactions.filter((one) => one.status === "succeeded" && one.currency === currency);
  const sum = (of: (one: Transaction) => number): number => paid.reduce((total, one) => total + of(one), 0);
  return {
    customers: sum(({ amount }) => amount),
    merchant: 0 - sum(({ net }) => net),
    fees: 0 - sum(({ fee }) => fee),
  };
}
