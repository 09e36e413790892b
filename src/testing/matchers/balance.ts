import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { Ledger } from "../../simulator/payment-service.ts";
import { isObject, isSimulator, shown } from "../../simulator/shown.ts";
import type { Outcome } from "./outcome.ts";

/** Adds up each transaction, each account, and the whole ledger. */
export function checkBalance(received: unknown): Outcome {
  const ledger = ledgerIn(received);
  const ofTransactions = new Map<string, number>();
  const ofAccounts: Record<string, number> = { customers: 0, merchant: 0, fees: 0, ...ledger.broughtForward };
  for (const { transactionId, account, amount } of ledger.lines) {
    ofTransactions.set(transactionId, (ofTransactions.get(transactionId) ?? 0) + amount);
    ofAccounts[account] = (ofAccounts[account] ?? 0) + amount;
  }
  const uneven = [...ofTransactions].filter(([, sum]) => sum !== 0);
  const wrong = Object.entries(ofAccounts).filter(
    ([account, sum]) => sum !== ((ledger.balances as Readonly<Record<string, number>>)[account] ?? 0),
  );
  const sum = Object.values(ledger.balances).reduce((left, right) => left + right, 0);
  const problems = [
    ...uneven.map(([id, rest]) => `The lines of ${id} leave ${rest}.`),
    ...wrong.map(([account, lines]) => `The lines of ${account} come to ${lines}.`),
    ...(sum === 0 ? [] : [`The accounts leave ${sum}.`]),
  ];
  return {
    pass: problems.length === 0,
    subject: `The ledger in ${ledger.currency}`,
    expectation: "balance",
    found: problems.length === 0 ? "Its debits and credits are equal." : problems.join(" "),
    expected: { uneven: {}, balances: ofAccounts, balance: 0 },
    actual: { uneven: Object.fromEntries(uneven), balances: ledger.balances, balance: sum },
  };
}

function ledgerIn(received: unknown): Ledger {
  if (isSimulator(received)) return received.ledger();
  if (isObject(received) && Array.isArray(received["lines"]) && isObject(received["balances"]))
    return received as unknown as Ledger;
  throw new CentavoError(
    "INVALID_OPTION",
    `toBalance examines a ledger or a simulator, as in expect(sim.ledger()).toBalance(), and got ${shown(received)}.`,
  );
}
