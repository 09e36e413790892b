import { inWords } from "../../kit/base/errors/in-words.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { Transaction } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { firstOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { placeOf, subjectOf } from "./subject.ts";
import type { Place, WorldOption } from "./subject.ts";

const matcher = "toHaveBeenPaidOnce";

/** Counts the succeeded payments behind an intent, session, invoice or external id. */
export function checkPaidOnce(received: unknown, options: WorldOption = {}): Outcome {
  const place = placeOf(matcher, received, options);
  const { name, payments } = paymentsOf(place);
  const succeeded = payments.filter(({ status }) => status === "succeeded");
  const others = payments.filter(({ status }) => status !== "succeeded");
  const told = firstOf([...succeeded, ...others].map(inSentence), (more) => `And ${more} more.`);
  const amount = Math.max(...payments.map((payment) => payment.amount));
  const paid = succeeded.reduce((sum, payment) => sum + payment.amount, 0);
  return {
    pass: succeeded.length === 1 && paid === amount,
    subject: name,
    expectation: `have exactly one succeeded payment of the full amount, ${amount}`,
    found: `${succeeded.length === 1 ? "It has 1" : `It has ${succeeded.length}`}. ${told.join(" ")}`,
    expected: { succeeded: 1, paid: amount },
    actual: { succeeded: succeeded.length, paid },
  };
}

interface Payments {
  readonly name: string;
  readonly payments: readonly Transaction[];
}

/** Several payments may share the external id of an order, so they are counted by external id, if there is one. */
function paymentsOf({ sim, id }: Place): Payments {
  const transactions = sim.transactions.list();
  const named = transactions.filter(({ externalId }) => externalId === id);
  const isKnown = sim.intents.get(id) ?? sim.checkouts.get(id) ?? sim.invoices.get(id) ?? sim.transactions.get(id);
  if (isKnown === undefined && named.length > 0) return ofOrder(sim, id, named);
  const { reader, view } = subjectOf(matcher, { sim, id });
  if (reader === "subscriptions") throw paidEveryPeriod(id);
  if (reader === "invoices") return ofInvoice(transactions, view.id);
  const { transactionId = view.id } = view as { readonly transactionId?: string };
  const payment = sim.transactions.get(transactionId);
  if (payment === undefined)
    throw new CentavoError(
      "NOT_FOUND",
      `${matcher}: the transactions no longer have ${transactionId}, the payment of ${view.id}. Raise the option keep of createSimulator.`,
    );
  if (payment.invoiceId !== undefined) return ofInvoice(transactions, payment.invoiceId);
  if (payment.externalId === undefined) return { name: view.id, payments: [payment] };
  const merchant = merchantOf(sim, payment);
  const ofSameOrder = transactions.filter(
    (other) => other.externalId === payment.externalId && merchantOf(sim, other) === merchant,
  );
  return ofOrder(sim, payment.externalId, ofSameOrder);
}

function ofInvoice(transactions: readonly Transaction[], invoice: string): Payments {
  return { name: invoice, payments: transactions.filter(({ invoiceId }) => invoiceId === invoice) };
}

function ofOrder(sim: Simulator, externalId: string, payments: readonly Transaction[]): Payments {
  if (payments.some(({ invoiceId }) => invoiceId !== undefined)) throw paidEveryPeriod(externalId);
  const merchants = new Set(payments.map((payment) => merchantOf(sim, payment)));
  if (merchants.size === 1) return { name: `The external id ${inWords(externalId)}`, payments };
  throw new CentavoError(
    "INVALID_STATE",
    `${matcher}: ${merchants.size} merchants use the external id ${inWords(externalId)}. Give a view of the payment that you mean.`,
  );
}

function paidEveryPeriod(id: string): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `${matcher}: ${inWords(id)} names a subscription, which is paid in every period. Give one of its invoices, such as sim.invoices.last().`,
  );
}

function merchantOf(sim: Simulator, { intentId = "", sessionToken }: Transaction): string | undefined {
  const { intents, checkout } = sim.internals.parts;
  return (checkout.byToken(sessionToken) ?? intents.get(intentId))?.data.merchantId;
}

function inSentence({ id, status, amount, currency, declineCode }: Transaction): string {
  const why = declineCode === undefined ? "" : ` (${declineCode})`;
  return `${id}: ${amount} ${currency} ${status}${why}.`;
}
