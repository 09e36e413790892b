import type { IntentRow, IntentState } from "../payment-intents/machine.ts";
import type { Billing } from "./billing.ts";
import { isRetryDue, MOST_RETRIES, retryAt } from "./invoice-machine.ts";
import type { InvoiceRow, InvoiceState } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";
import { periodOf } from "./plan.ts";

/** The states in which the intent of an invoice can be, by the state of the invoice. */
const INTENT_STATES: Readonly<Record<InvoiceState, readonly IntentState[]>> = {
  open: ["requires_payment_method", "requires_confirmation", "failed", "canceled"],
  charging: ["requires_action", "processing"],
  paid: ["succeeded"],
  void: ["failed", "canceled"],
};

/**
 * Returns what is wrong between an invoice of a restored world, its intent and its subscription. The machines would refuse an input that
 * follows from it.
 */
export function problemInInvoice(
  { id, state, data }: InvoiceRow,
  intent: IntentRow,
  subscription: SubscriptionRow,
  isListed: boolean,
): string | undefined {
  const { automatic, dunning, ended, failedRetries, firstFailureAt, nextAttemptAt, period } = data;
  if (intent.data.purpose !== "subscription" || intent.data.invoiceId !== id)
    return `data.intentId is "${intent.id}", an intent that does not pay this invoice`;
  if (!INTENT_STATES[state].includes(intent.state)) return `state is ${state}, and ${intent.id} is ${intent.state}`;
  const isOpen = state === "open" || state === "charging";
  if (isOpen !== isListed) return `state is ${state}, and the table "open-invoices" says otherwise`;
  if (!isOpen) return undefined;
  const isOver = subscription.state === "cancelled" || subscription.state === "incomplete_cancelled";
  if ((ended === true) !== isOver) return `data.ended is ${ended}, and ${subscription.id} is ${subscription.state}`;
  if (isOver ? dunning : dunning !== (subscription.state !== "incomplete"))
    return `data.dunning is ${dunning}, and ${subscription.id} is ${subscription.state}`;
  if (data.voidUnlessPaid === true && !isOver) return `data.voidUnlessPaid is true, and ${subscription.id} goes on`;
  if (state === "charging" && data.intentUsed !== true)
    return "data.intentUsed is not true, and the invoice is charging";
  if (state === "charging" && automatic === true && intent.state !== "processing")
    return `data.automatic is true, and ${intent.id} is ${intent.state}`;
  if (state === "open" && isRetryDue(data)) return "data.nextAttemptAt is missing, and a retry is to come";
  if (failedRetries > 0 && firstFailureAt === undefined)
    return `data.failedRetries is ${failedRetries}, and data.firstFailureAt is missing`;
  const planned = firstFailureAt === undefined ? undefined : retryAt(firstFailureAt, failedRetries);
  if (nextAttemptAt !== undefined && (!dunning || failedRetries >= MOST_RETRIES || nextAttemptAt !== planned))
    return `data.nextAttemptAt is ${nextAttemptAt}, which is not when the next retry is due`;
  if (subscription.state === "incomplete" && (automatic === true || failedRetries > 0))
    return `data.${automatic === true ? "automatic" : "failedRetries"} is that of a renewal`;
  return period.start < subscription.createdAt ? "data.period.start is before the subscription was made" : undefined;
}

/** Returns what is wrong between a subscription of a restored world and its open invoices, oldest first. */
export function problemInSubscription({ id, state, data }: SubscriptionRow, billing: Billing): string | undefined {
  if (!billing.hasLatestOf(id)) return 'id names nothing in the table "latest-invoices"';
  const open = billing.openOf(id);
  const intentOf = (invoice: InvoiceRow): IntentRow => billing.intentOf(invoice);
  const { plan, anchor, cycle, period, openCycles = 0, failedRetries, methodNamed, firstPaymentInFlight } = data;
  if (state === "cancelled" || state === "incomplete_cancelled") return undefined;
  if (state === "incomplete") return problemInFirstPayment(data, open, intentOf);
  const expected = anchor === undefined || cycle === undefined ? undefined : periodOf(plan, anchor, cycle);
  if (period === undefined || period.start !== expected?.start || period.end !== expected.end)
    return "data.period is not that of data.plan, data.anchor and data.cycle";
  if (firstPaymentInFlight === true) return `data.firstPaymentInFlight is true, and the subscription is ${state}`;
  if (open.length > openCycles) return `data.openCycles is ${openCycles}, and ${open.length} invoices are open`;
  if (state === "active") {
    if (failedRetries !== undefined) return `data.failedRetries is ${failedRetries}, and the subscription is active`;
    const failed = open.find((invoice) => invoice.data.firstFailureAt !== undefined);
    return failed === undefined ? undefined : `state is active, and a payment of ${failed.id} has failed`;
  }
  if (
    state === "past_due" ? failedRetries === undefined || failedRetries >= MOST_RETRIES : failedRetries !== MOST_RETRIES
  )
    return `data.failedRetries is ${failedRetries}, and the subscription is ${state}`;
  if (open.length === 0 && state === "past_due") return "state is past_due, and no invoice is open";
  const most = failedRetries ?? 0;
  const beyond = open.find((invoice) => invoice.data.failedRetries > most);
  if (beyond !== undefined)
    return `data.failedRetries is ${most}, and that of ${beyond.id} is ${beyond.data.failedRetries}`;
  if (openCycles > 1) return undefined;
  for (const invoice of open) {
    const { automatic, intentUsed, firstFailureAt } = invoice.data;
    if (firstFailureAt === undefined) return `state is ${state}, and no payment of ${invoice.id} has failed`;
    if (invoice.data.failedRetries !== most)
      return `data.failedRetries is ${most}, and that of ${invoice.id} is ${invoice.data.failedRetries}`;
    const isByHand = intentUsed === false || (invoice.state === "charging" && automatic !== true);
    if (isByHand && methodNamed !== true)
      return `data.methodNamed is ${methodNamed}, and ${invoice.id} is paid by hand`;
  }
  return undefined;
}

function problemInFirstPayment(
  { methodNamed, firstPaymentInFlight = false, failedRetries }: SubscriptionRow["data"],
  [first]: readonly InvoiceRow[],
  intentOf: (invoice: InvoiceRow) => IntentRow,
): string | undefined {
  if (first === undefined) return "state is incomplete, and no invoice is open";
  const intent = intentOf(first);
  if (firstPaymentInFlight !== (intent.state === "processing"))
    return `data.firstPaymentInFlight is ${firstPaymentInFlight}, and ${intent.id} is ${intent.state}`;
  if (first.state === "charging" && methodNamed !== true)
    return `data.methodNamed is ${methodNamed}, and ${first.id} is being paid`;
  return failedRetries === undefined ? undefined : `data.failedRetries is ${failedRetries}, and nothing was retried`;
}
