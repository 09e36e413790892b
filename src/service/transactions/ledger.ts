import type { Transactions } from "./commands.ts";

/** One line of the double-entry view: what a succeeded transaction moved, in centavos; a debit is positive, a credit negative. */
export interface LedgerLine {
  readonly transactionId: string;
  /** `customers`: what they paid. `merchant`: what the service owes them. `fees`: what the service keeps. */
  readonly account: "customers" | "merchant" | "fees";
  readonly amount: number;
}

type Balances = Readonly<Record<LedgerLine["account"], number>>;

/** A double-entry view of every payment of a world. */
export interface Ledger {
  readonly lines: readonly LedgerLine[];
  /** What forgotten payments moved on each account, in centavos; absent where none is forgotten (`history` of `createSimulator`). */
  readonly broughtForward?: Balances;
  /** The sum of each account's lines and of what was brought forward, in centavos. */
  readonly balances: Balances;
  /** The sum of all balances: 0, always. */
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
  const forgotten = transactions.broughtForward();
  const broughtForward = forgotten && {
    customers: forgotten.amount,
    merchant: forgotten.fee - forgotten.amount,
    fees: 0 - forgotten.fee,
  };
  const balances = { customers: 0, merchant: 0, fees: 0, ...broughtForward };
  for (const { account, amount } of lines) balances[account] += amount;
  return {
    lines,
    ...(broughtForward === undefined ? {} : { broughtForward }),
    balances,
    balance: balances.customers + balances.merchant + balances.fees,
  };
}
