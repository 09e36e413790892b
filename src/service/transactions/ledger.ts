import type { Transactions } from "./commands.ts";

/** A ledger entry of a succeeded transaction, in centavos: debits are positive, credits negative. */
export interface LedgerLine {
  readonly transactionId: string;
  /** `customers`: what customers paid. `merchant`: what the service owes merchants. `fees`: what the service keeps. */
  readonly account: "customers" | "merchant" | "fees";
  readonly amount: number;
}

type Balances = Readonly<Record<LedgerLine["account"], number>>;

/** A double-entry ledger of every payment in one currency. Amounts of two currencies are never added. */
export interface Ledger {
  /** The code of ISO 4217. */
  readonly currency: string;
  readonly lines: readonly LedgerLine[];
  /** The sum of forgotten payments on each account, in centavos; absent when there are none (`history` of `createSimulator`). */
  readonly broughtForward?: Balances;
  /** The balance of each account, in centavos: its lines and what was brought forward. */
  readonly balances: Balances;
  /** The sum of all balances, always 0. */
  readonly balance: number;
}

/** Makes the ledger of a currency. Each succeeded transaction debits `customers` by the amount, and credits `merchant` by the net and `fees` by the fee. */
export function ledgerOf(transactions: Transactions, currency: string): Ledger {
  const lines = transactions
    .all()
    .filter((transaction) => transaction.status === "succeeded" && transaction.currency === currency)
    .flatMap(({ id, amount, net, fee }): LedgerLine[] => [
      { transactionId: id, account: "customers", amount },
      { transactionId: id, account: "merchant", amount: -net },
      { transactionId: id, account: "fees", amount: -fee },
    ]);
  const forgotten = transactions.broughtForward(currency);
  const broughtForward = forgotten && {
    customers: forgotten.amount,
    merchant: forgotten.fee - forgotten.amount,
    fees: 0 - forgotten.fee,
  };
  const balances = { customers: 0, merchant: 0, fees: 0, ...broughtForward };
  for (const { account, amount } of lines) balances[account] += amount;
  return {
    currency,
    lines,
    ...(broughtForward === undefined ? {} : { broughtForward }),
    balances,
    balance: balances.customers + balances.merchant + balances.fees,
  };
}
