import type { Fact } from "../../kit/engine/facts.ts";
import type { Subscriptions } from "./commands.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";

/** Moves an invoice after its payment has moved, and a subscription after its invoice has moved (`subscription.events`). */
export function subscriptionReactions(subscriptions: Subscriptions): (fact: Fact) => void {
  return (fact) => {
    if (fact.resource === "payment_intent") paymentMoved(fact.type, fact.row as IntentRow, subscriptions);
    else if (fact.resource === "invoice") invoiceMoved(fact.type, fact.row as InvoiceRow, subscriptions);
    else if (fact.resource === "subscription") subscriptionMoved(fact.type, fact.row as SubscriptionRow, subscriptions);
  };
}

function paymentMoved(fact: string, intent: IntentRow, subscriptions: Subscriptions): void {
  const { billing } = subscriptions;
  const invoice = intent.data.purpose === "subscription" ? billing.byIntent(intent.id) : undefined;
  const subscription = invoice === undefined ? undefined : subscriptions.get(invoice.data.subscriptionId);
  if (invoice === undefined || subscription === undefined) return;
  const isFirst = subscription.state === "incomplete";
  if (fact === "payment_intent.requires_action") billing.challengeOpened(invoice);
  if (fact === "payment_intent.requires_action" || fact === "payment_intent.processing") {
    const { method } = intent.data;
    // Renewals charge the method of the first payment, until another is set.
    if (billing.attemptBegan(invoice, intent.id) && isFirst && method !== undefined)
      subscriptions.step(subscription.id, { type: "change_method", method });
    if (fact === "payment_intent.requires_action") return;
    if (isFirst) subscriptions.step(subscription.id, { type: "first_payment_started" });
    else subscriptions.renewalsInProcessing.begins(invoice, intent);
  } else if (fact === "payment_intent.succeeded") {
    billing.succeeded(invoice, isFirst ? billing.firstPeriod(subscription.data.plan) : invoice.data.period);
  } else if (fact === "payment_intent.failed") billing.failed(invoice);
  else if (fact === "payment_intent.canceled" && billing.canceled(invoice) && !subscriptions.isOver(subscription))
    billing.chargeOldest(subscription);
}

function invoiceMoved(fact: string, invoice: InvoiceRow, subscriptions: Subscriptions): void {
  const subscription = subscriptions.get(invoice.data.subscriptionId);
  if (subscription === undefined || subscriptions.isOver(subscription)) return;
  if (fact === "subscription.invoice.paid") invoicePaid(subscription, invoice, subscriptions);
  else if (fact === "subscription.invoice.retry_due") subscriptions.billing.charge(subscription, invoice);
  else if (fact === "subscription.invoice.payment_failed") {
    const { failedRetries } = invoice.data;
    const givenUp = { type: "give_up", failedRetries } as const;
    const isFinal =
      subscription.state === "incomplete" && subscriptions.assumptions.value("subscription.first-failure") === "expire";
    const failed = { type: "payment_failed", failedRetries, isFinal } as const;
    subscriptions.step(subscription.id, subscriptions.accepts(subscription, givenUp) ? givenUp : failed);
  }
}

/** Activates the subscription, or charges its next open invoice. After a failure, all have to be paid (`subscription.open-invoices`). */
function invoicePaid(subscription: SubscriptionRow, paid: InvoiceRow, subscriptions: Subscriptions): void {
  const { billing } = subscriptions;
  const openInvoices = billing.openOf(subscription.id).length;
  const recovered = { type: "recover", openInvoices } as const;
  const activate = { type: "activate", anchor: paid.data.period.start } as const;
  if (subscriptions.accepts(subscription, activate)) {
    subscriptions.noteLastPeriod(subscriptions.step(subscription.id, activate));
  } else if (subscriptions.accepts(subscription, recovered)) {
    subscriptions.assumptions.use(["subscription.recovery"]);
    subscriptions.step(subscription.id, recovered);
  } else if (openInvoices > 0) {
    subscriptions.assumptions.use(["subscription.open-invoices"]);
    billing.chargeOldest(subscription);
  }
}

function subscriptionMoved(fact: string, subscription: SubscriptionRow, subscriptions: Subscriptions): void {
  const { billing } = subscriptions;
  if (fact === "subscription.cancelled" && subscription.state === "incomplete_cancelled") {
    subscriptions.assumptions.use(["subscription.late-first-payment"]);
    billing.endOpen(subscription);
  }
  const { period } = subscription.data;
  if (fact !== "subscription.renewed" || period === undefined) return;
  subscriptions.noteLastPeriod(subscription);
  billing.issue(subscription, period, true);
  billing.chargeOldest(subscription);
}
