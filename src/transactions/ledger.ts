import type { Transactions } from "./commands.ts";

/** One line of the double-entry view: what a succeeded transaction moved, in centavos; a debit is positive, a credit negative. */
export interface LedgerLine {
  readonly transactionId: string;
  /** `customers`: what they paid. `merchant`: what the service owes them. `fees`: what the service keeps. */
  readonly account: "customers" | "merchant" | "fees";
  readonly amount: number;
}

/** A double-entry view of every payment of a world. */
export interface Ledger {
  readonly lines: readonly LedgerLine[];
  /** The sum of each account's lines, in centavos. */
  readonly balances: Readonly<Record<LedgerLine["account"], number>>;
  /** The sum of all lines: 0, always. */
  readonly balance: number;
}

/** Each succeeded transaction debits the customers by its amount, and credits the merchant by the net and the service by the fee. */
export function ledgerOf(transactions: Transactions): Ledger {
  const lines = transactions
    .all()
    .filter(({ status }) => status === "succeeded")
    .flatMap(({ id, amount, net, fee }): LedgerLine[] => [
      { transactionId: id, account: "customers", amount },
      { transactionId: id, account: "merchant", amount: -net },
      { transactionId: id, account: "fees", amount: -fee },
    ]);
  const balances = { customers: 0, merchant: 0, fees: 0 };
  for (const { account, amount } of lines) balances[account] += amount;
  return { lines, balances, balance: balances.customers + balances.merchant + balances.fees };
}
