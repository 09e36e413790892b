import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { Transactions } from "./commands.ts";

/** A ledger entry of a succeeded transaction, in centavos: debits are positive, credits negative. */
export interface LedgerLine {
  readonly transactionId: string;
  /** `customers`: what customers paid. `merchant`: what the service owes merchants. `fees`: what the service keeps. */
  readonly account: "customers" | "merchant" | "fees";
  readonly amount: number;
}

type Balances<Amount = number> = Readonly<Record<LedgerLine["account"], Amount>>;

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

/**
 * Makes the ledger of a currency. Each succeeded transaction debits `customers` by the amount, and credits `merchant` by the net and `fees` by the fee.
 * @throws {CentavoError} `INVALID_STATE` when an account holds more than `Number.MAX_SAFE_INTEGER`
 */
export function ledgerOf(transactions: Transactions, currency: string): Ledger {
  const lines = transactions.rows
    .all()
    .filter(({ status }) => status === "succeeded")
    .map((entry) => transactions.view(entry))
    .filter((transaction) => transaction.currency === currency)
    .flatMap(({ id, amount, net, fee }): LedgerLine[] => [
      { transactionId: id, account: "customers", amount },
      { transactionId: id, account: "merchant", amount: -net },
      { transactionId: id, account: "fees", amount: -fee },
    ]);
  const forgotten = transactions.broughtForward(currency);
  const { amount, fee } = forgotten ?? { amount: 0n, fee: 0n };
  const broughtForward = { customers: amount, merchant: fee - amount, fees: -fee };
  const sums = { ...broughtForward };
  for (const line of lines) sums[line.account] += BigInt(line.amount);
  const balances = countable(sums);
  return {
    currency,
    lines,
    ...(forgotten === undefined ? {} : { broughtForward: countable(broughtForward) }),
    balances,
    balance: balances.customers + balances.merchant + balances.fees,
  };
}

/** Returns sums as numbers, which are exact up to `Number.MAX_SAFE_INTEGER`. */
function countable({ customers, merchant, fees }: Balances<bigint>): Balances {
  // No other account ever holds more, because the others share what customers paid.
  if (customers > Number.MAX_SAFE_INTEGER) {
    throw new CentavoError(
      "INVALID_STATE",
      `sim.ledger(): the account customers has ${customers} of the smallest unit, and a JavaScript number is exact only up to ${Number.MAX_SAFE_INTEGER}. ` +
        "Reset the simulator between tests, or add the transactions up yourself, as BigInt.",
    );
  }
  return { customers: Number(customers), merchant: Number(merchant), fees: Number(fees) };
}
