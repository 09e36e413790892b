import { LifecycleRows } from "../../engine/lifecycle-rows.ts";
import type { Engine } from "../../engine/engine.ts";
import { Lifecycle } from "../../engine/lifecycle.ts";
import type { RowOf } from "../../engine/lifecycle.ts";
import type { Table } from "../../engine/table.ts";
import type { IntentRow, PaymentIntents } from "../payment-intents/commands.ts";
import type { IntentTerms } from "../payment-intents/machine.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import type { SubscriptionRow } from "./commands.ts";
import { invoiceMachine } from "./invoice-machine.ts";
import type { Period } from "./plan.ts";

export const invoiceLifecycle = new Lifecycle("invoice", invoiceMachine);

/** An invoice as it is stored. */
export type InvoiceRow = RowOf<typeof invoiceMachine>;

/** What makes, charges and ends invoices. Each attempt to pay one is a payment intent of its own, because a failed intent is final. */
export class Billing {
  readonly #engine: Engine;
  readonly #intents: PaymentIntents;
  readonly #invoices: LifecycleRows<typeof invoiceMachine>;
  /** The invoices of each subscription that are not over, oldest first. */
  readonly #bySubscription: Table<readonly string[]>;
  /** The newest invoice of each subscription. */
  readonly #latest: Table<string>;
  /** How many invoices each merchant has. */
  readonly #numbers: Table<number>;

  constructor(engine: Engine, intents: PaymentIntents) {
    this.#engine = engine;
    this.#intents = intents;
    this.#invoices = new LifecycleRows(engine, invoiceLifecycle, { intent: ({ data }) => data.intentId });
    this.#bySubscription = engine.table("open-invoices");
    this.#latest = engine.table("latest-invoices");
    this.#numbers = engine.table("invoice-numbers");
    intents.ownedBy("subscription", {
      needs: (intent) => this.#needs(intent.id),
      forget: (forgotten) => this.#invoices.rows.forget(forgotten.flatMap(({ id }) => this.byIntent(id)?.id ?? [])),
    });
  }

  get(id: string): InvoiceRow | undefined {
    return this.#invoices.rows.get(id);
  }

  all(): InvoiceRow[] {
    return [...this.#invoices.rows.values()];
  }

  byIntent(intentId: string): InvoiceRow | undefined {
    return this.#invoices.rows.by("intent", intentId);
  }

  /** A subscription's invoices that are not over yet, oldest first. */
  openOf(subscriptionId: string): InvoiceRow[] {
    return (this.#bySubscription.get(subscriptionId) ?? []).map((id) => this.get(id) as InvoiceRow);
  }

  /** A subscription's newest invoice. */
  latestOf(subscriptionId: string): InvoiceRow {
    return this.get(this.#latest.get(subscriptionId) ?? "") as InvoiceRow;
  }

  intentOf(invoice: InvoiceRow): IntentRow {
    return this.#intents.get(invoice.data.intentId) as IntentRow;
  }

  /** Makes the invoice of a period, with an intent that is not charged yet. */
  issue(subscription: SubscriptionRow, period: Period, dunning: boolean): InvoiceRow {
    const { merchantId, plan } = subscription.data;
    const id = this.#engine.random.base62("id/inv", 24, "inv_");
    const count = (this.#numbers.get(merchantId) ?? 0) + 1;
    this.#numbers.set(merchantId, count);
    const invoice = this.#invoices.create(id, {
      merchantId,
      subscriptionId: subscription.id,
      number: `INV-${String(count).padStart(6, "0")}`,
      amount: plan.amount,
      currency: plan.currency,
      period,
      intentId: this.#openIntent(subscription, id, plan.amount).id,
      dunning,
    });
    this.#bySubscription.set(subscription.id, [...(this.#bySubscription.get(subscription.id) ?? []), id]);
    this.#latest.set(subscription.id, id);
    return invoice;
  }

  /**
   * Charges the oldest open invoice where none of its attempts has begun; the others wait until it is paid, and one that has failed
   * has its own schedule (`subscription.open-invoices`).
   */
  chargeOldest(subscription: SubscriptionRow): void {
    const [oldest] = this.openOf(subscription.id);
    if (oldest?.state === "open" && oldest.data.dunning && oldest.data.firstFailureAt === undefined)
      this.charge(subscription, oldest);
  }

  /** Charges an invoice without the customer, at a renewal or a retry. */
  charge(subscription: SubscriptionRow, invoice: InvoiceRow): void {
    const { method } = subscription.data;
    if (method === undefined) return;
    const intent = this.#intentToCharge(subscription, invoice);
    const attempt = invoice.data.failedRetries + (invoice.data.firstFailureAt === undefined ? 1 : 2);
    this.#invoices.step(invoice.id, { type: "attempt", intentId: intent.id, automatic: true });
    this.#intents.payWithoutCustomer(intent, method, attempt);
  }

  /** Charges an invoice with the customer present: the first payment, or one by hand. */
  pay(subscription: SubscriptionRow, invoice: InvoiceRow, method: PaymentMethod): ReturnType<PaymentIntents["pay"]> {
    const intent = this.#intentToCharge(subscription, invoice);
    const paid = this.#intents.pay(intent, method);
    // A processor that is down was no attempt.
    if (paid.intent.state !== "requires_payment_method") this.attemptBegan(invoice, intent.id);
    else if (intent.id !== invoice.data.intentId)
      this.#invoices.step(invoice.id, { type: "replace_intent", intentId: intent.id });
    return paid;
  }

  /**
   * An intent of the invoice was confirmed, by whichever call: an attempt has begun.
   * @returns false where that is known already
   */
  attemptBegan(invoice: InvoiceRow, intentId: string): boolean {
    if (invoice.state !== "open") return false;
    this.#invoices.step(invoice.id, { type: "attempt", intentId, automatic: false });
    return true;
  }

  succeeded(invoice: InvoiceRow, period: Period): InvoiceRow {
    return this.#end(this.#invoices.step(invoice.id, { type: "attempt_succeeded", period }));
  }

  failed(invoice: InvoiceRow): InvoiceRow {
    return this.#end(this.#invoices.step(invoice.id, { type: "attempt_failed" }));
  }

  canceled(invoice: InvoiceRow): InvoiceRow {
    return this.#invoices.step(invoice.id, { type: "attempt_canceled" });
  }

  /** Voids an invoice and cancels its intent; a payment that is being processed is waited for. */
  void(invoice: InvoiceRow): void {
    const intent = this.intentOf(invoice);
    const type = intent.state === "processing" ? "void_unless_paid" : "void";
    this.#end(this.#invoices.step(invoice.id, { type }));
    this.#intents.cancelWithOwner(intent);
  }

  /** Leaves an invoice open without charging it any more; an open challenge is canceled. */
  keep(invoice: InvoiceRow): void {
    this.#invoices.step(invoice.id, { type: "keep" });
    const intent = this.intentOf(invoice);
    if (intent.state !== "requires_action") return;
    this.#intents.cancelWithOwner(intent);
    this.canceled(invoice);
  }

  /** Whether an intent is the latest of an invoice that is not over, or that its subscription shows. */
  #needs(intentId: string): boolean {
    const invoice = this.byIntent(intentId);
    return invoice !== undefined && (!isOver(invoice) || this.#latest.get(invoice.data.subscriptionId) === invoice.id);
  }

  #end(invoice: InvoiceRow): InvoiceRow {
    if (!isOver(invoice)) return invoice;
    const { subscriptionId } = invoice.data;
    this.#bySubscription.set(
      subscriptionId,
      (this.#bySubscription.get(subscriptionId) ?? []).filter((id) => id !== invoice.id),
    );
    return invoice;
  }

  /** The invoice's intent while it can still be confirmed, else a new one. */
  #intentToCharge(subscription: SubscriptionRow, invoice: InvoiceRow): IntentRow {
    const intent = this.intentOf(invoice);
    if (intent.state === "requires_payment_method") return intent;
    const wasUnavailable = intent.data.wasUnavailable === true || intent.data.declineCode === "processor_unavailable";
    return this.#openIntent(subscription, invoice.id, invoice.data.amount, wasUnavailable ? { wasUnavailable } : {});
  }

  #openIntent(
    subscription: SubscriptionRow,
    invoiceId: string,
    amount: number,
    history: Pick<IntentTerms, "wasUnavailable"> = {},
  ): IntentRow {
    const { merchantId, plan, contact, externalId, metadata, returnUrl, webhookUrl } = subscription.data;
    const { random } = this.#engine;
    return this.#intents.open({
      merchantId,
      purpose: "subscription",
      subscriptionId: subscription.id,
      invoiceId,
      transactionId: random.base62("id/txn", 24, "txn_"),
      sessionToken: random.uuid("token/session"),
      amount,
      ...history,
      description: plan.name,
      contact,
      ...(externalId === undefined ? {} : { externalId }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(returnUrl === undefined ? {} : { returnUrl }),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    });
  }
}

function isOver({ state }: InvoiceRow): boolean {
  return state === "paid" || state === "void";
}
