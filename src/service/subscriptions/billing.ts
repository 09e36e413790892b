import * as z from "zod/mini";
import type { Assumptions } from "../assumption-table.ts";
import { durationMilliseconds } from "../../kit/engine/duration.ts";
import { LifecycleRows } from "../../kit/engine/lifecycle-rows.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import { Lifecycle } from "../../kit/engine/lifecycle.ts";
import { count, anyText } from "../../kit/engine/row-schema.ts";
import type { Table } from "../../kit/engine/table.ts";
import type { Charged } from "../payment-intents/charges.ts";
import type { PaymentIntents } from "../payment-intents/commands.ts";
import type { IntentRow, IntentTerms } from "../payment-intents/machine.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import { invoiceMachine, invoiceWhenDue } from "./invoice-machine.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import { anchorOf, periodOf } from "./plan.ts";
import type { Period, Plan } from "./plan.ts";
import type { SubscriptionRow } from "./machine.ts";
import { invoiceData } from "./rows.ts";

export const invoiceLifecycle = new Lifecycle("invoice", invoiceMachine, invoiceWhenDue);

const listOfInvoices: z.ZodMiniType<readonly string[]> = z.array(anyText);

/** Issues, charges and ends invoices. Each attempt to pay one has its own payment intent, because a failed intent is final. */
export class Billing {
  readonly #engine: Engine;
  readonly #assumptions: Assumptions;
  readonly #intents: PaymentIntents;
  readonly #invoices: LifecycleRows<typeof invoiceMachine>;
  /** The ids of each subscription's open invoices, oldest first. */
  readonly #bySubscription: Table<readonly string[]>;
  /** The id of each subscription's newest invoice. */
  readonly #latest: Table<string>;
  /** The number of invoices of each merchant. */
  readonly #numbers: Table<number>;

  constructor(engine: Engine, assumptions: Assumptions, intents: PaymentIntents) {
    this.#engine = engine;
    this.#assumptions = assumptions;
    this.#intents = intents;
    this.#invoices = new LifecycleRows(engine, invoiceLifecycle, {
      data: invoiceData,
      keys: { intent: ({ data }) => data.intentId },
      identifies: ["id"],
    });
    this.#bySubscription = engine.table("open-invoices", { row: listOfInvoices });
    this.#latest = engine.table("latest-invoices", { row: anyText });
    this.#numbers = engine.table("invoice-numbers", { row: count });
  }

  get(id: string): InvoiceRow | undefined {
    return this.#invoices.rows.get(id);
  }

  get rows(): Table<InvoiceRow> {
    return this.#invoices.rows;
  }

  byIntent(intentId: string): InvoiceRow | undefined {
    return this.#invoices.rows.by("intent", intentId);
  }

  /** Returns a subscription's invoices that are neither paid nor void, oldest first. */
  openOf(subscriptionId: string): InvoiceRow[] {
    return (this.#bySubscription.get(subscriptionId) ?? []).map((id) => this.get(id) as InvoiceRow);
  }

  /** Returns a subscription's newest invoice. */
  latestOf(subscriptionId: string): InvoiceRow {
    return this.get(this.#latest.get(subscriptionId) ?? "") as InvoiceRow;
  }

  intentOf(invoice: InvoiceRow): IntentRow {
    return this.#intents.get(invoice.data.intentId) as IntentRow;
  }

  /** Returns the first period of a subscription that is activated now. */
  firstPeriod(plan: Plan): Period {
    return periodOf(plan, anchorOf(this.#engine.now, this.#assumptions.value("subscription.renewal")), 0);
  }

  /** Issues the invoice of a period, with an intent that is not charged yet. */
  issue(subscription: SubscriptionRow, period: Period, dunning: boolean): InvoiceRow {
    const { merchantId, plan } = subscription.data;
    const id = this.#engine.random.id("inv");
    const number = (this.#numbers.get(merchantId) ?? 0) + 1;
    this.#numbers.set(merchantId, number);
    const invoice = this.#invoices.create(id, {
      merchantId,
      subscriptionId: subscription.id,
      number: `INV-${String(number).padStart(6, "0")}`,
      amount: plan.amount,
      currency: plan.currency,
      period,
      intentId: this.#openIntent(subscription, id, plan).id,
      dunning,
    });
    this.#bySubscription.set(subscription.id, [...(this.#bySubscription.get(subscription.id) ?? []), id]);
    this.#latest.set(subscription.id, id);
    return invoice;
  }

  /**
   * Charges the oldest open invoice, unless it was charged before. A failed invoice is retried on its own schedule; newer invoices wait
   * until it is paid (`subscription.open-invoices`).
   */
  chargeOldest(subscription: SubscriptionRow): void {
    const [oldest] = this.openOf(subscription.id);
    if (oldest !== undefined && this.#invoices.accepts(oldest, attempt(oldest.data.intentId, true)))
      this.charge(subscription, oldest);
  }

  /** Charges an invoice without the customer, at a renewal or a retry. */
  charge(subscription: SubscriptionRow, invoice: InvoiceRow): void {
    const { method } = subscription.data;
    if (method === undefined) return;
    const intent = this.#intentToCharge(subscription, invoice, method);
    const nth = invoice.data.failedRetries + (invoice.data.firstFailureAt === undefined ? 1 : 2);
    this.#invoices.step(invoice.id, attempt(intent.id, true));
    this.#intents.charges.withoutCustomer(intent, method, nth);
  }

  /** Charges an invoice with the customer present: the first payment, or one by hand. */
  pay(subscription: SubscriptionRow, invoice: InvoiceRow, method: PaymentMethod): Charged {
    const intent = this.#intentToCharge(subscription, invoice, method);
    const paid = this.#intents.charges.withCustomer(intent, method);
    if (paid.attempted) this.attemptBegan(invoice, intent.id);
    else if (intent.id !== invoice.data.intentId)
      this.#invoices.step(invoice.id, { type: "replace_intent", intentId: intent.id });
    return paid;
  }

  /** Whether the invoice can be paid by hand: no attempt is in flight. */
  takesAttempt(invoice: InvoiceRow): boolean {
    return this.#invoices.accepts(invoice, attempt(invoice.data.intentId, false));
  }

  /**
   * Begins an attempt after an intent of the invoice was confirmed.
   * @returns false when the attempt is already known
   */
  attemptBegan(invoice: InvoiceRow, intentId: string): boolean {
    const began = attempt(intentId, false);
    if (!this.#invoices.accepts(invoice, began)) return false;
    this.#invoices.step(invoice.id, began);
    return true;
  }

  /** Lets an attempt that was made without the customer wait for them. */
  challengeOpened(invoice: InvoiceRow): void {
    const opened = { type: "challenge_opened" } as const;
    if (this.#invoices.accepts(invoice, opened)) this.#invoices.step(invoice.id, opened);
  }

  succeeded(invoice: InvoiceRow, period: Period): InvoiceRow {
    return this.#end(this.#invoices.step(invoice.id, { type: "attempt_succeeded", period }));
  }

  failed(invoice: InvoiceRow): InvoiceRow {
    const retriesAfter = invoice.data.dunning
      ? this.#assumptions.value("subscription.retries").map(durationMilliseconds)
      : [];
    return this.#end(this.#invoices.step(invoice.id, { type: "attempt_failed", retriesAfter }));
  }

  /**
   * Ends an attempt whose intent was canceled.
   * @returns false when no attempt was in flight
   */
  canceled(invoice: InvoiceRow): boolean {
    const canceled = { type: "attempt_canceled" } as const;
    if (!this.#invoices.accepts(invoice, canceled)) return false;
    this.#invoices.step(invoice.id, canceled);
    return true;
  }

  /** Voids an invoice and cancels its intent. If a payment is processing, voids the invoice unless that succeeds. */
  void(invoice: InvoiceRow): void {
    const intent = this.intentOf(invoice);
    const later = { type: "void_unless_paid" } as const;
    const isProcessing = this.#invoices.accepts(invoice, later) && !this.#intents.mayBeCanceled(intent);
    this.#end(this.#invoices.step(invoice.id, isProcessing ? later : { type: "void" }));
    this.#intents.cancelWithOwner(intent);
  }

  /** Keeps an invoice open but stops charging it. Cancels an open challenge. */
  keep(invoice: InvoiceRow): void {
    const kept = this.#invoices.step(invoice.id, { type: "keep" });
    const intent = this.intentOf(invoice);
    if (this.#intents.mayBeCanceled(intent) && this.canceled(kept)) this.#intents.cancelWithOwner(intent);
  }

  /** Voids the open invoices of a subscription that has ended, or keeps them open (`subscription.cancel`). */
  endOpen({ id, state }: SubscriptionRow): void {
    const isKept = state === "cancelled" && this.#assumptions.value("subscription.cancel") === "keep";
    for (const invoice of this.openOf(id))
      if (isKept) this.keep(invoice);
      else this.void(invoice);
  }

  /** Whether an intent is the latest of an invoice that is open or that its subscription shows. */
  needs(intent: IntentRow): boolean {
    const invoice = this.byIntent(intent.id);
    if (invoice === undefined) return false;
    return !this.#invoices.isOver(invoice) || this.#latest.get(invoice.data.subscriptionId) === invoice.id;
  }

  /** Forgets the invoices of these intents. */
  forget(intents: readonly IntentRow[]): void {
    this.#invoices.rows.forget(intents.flatMap(({ id }) => this.byIntent(id)?.id ?? []));
  }

  /** Returns what is wrong with a subscription's list of invoices in a restored world. */
  #end(invoice: InvoiceRow): InvoiceRow {
    if (!this.#invoices.isOver(invoice)) return invoice;
    const { subscriptionId } = invoice.data;
    this.#bySubscription.set(
      subscriptionId,
      (this.#bySubscription.get(subscriptionId) ?? []).filter((id) => id !== invoice.id),
    );
    return invoice;
  }

  /** Returns the invoice's intent if it can still be charged, else a new one. */
  #intentToCharge(subscription: SubscriptionRow, invoice: InvoiceRow, method: PaymentMethod): IntentRow {
    const intent = this.intentOf(invoice);
    if (this.#intents.charges.takes(intent, method)) return intent;
    const wasUnavailable = intent.data.wasUnavailable === true || intent.data.declineCode === "processor_unavailable";
    return this.#openIntent(subscription, invoice.id, invoice.data, wasUnavailable ? { wasUnavailable } : {});
  }

  #openIntent(
    subscription: SubscriptionRow,
    invoiceId: string,
    { amount, currency }: Pick<InvoiceRow["data"], "amount" | "currency">,
    history: Pick<IntentTerms, "wasUnavailable"> = {},
  ): IntentRow {
    const { merchantId, plan, contact, externalId, metadata, returnUrl, webhookUrl } = subscription.data;
    const { random } = this.#engine;
    return this.#intents.open({
      merchantId,
      purpose: "subscription",
      subscriptionId: subscription.id,
      invoiceId,
      transactionId: random.id("txn"),
      sessionToken: random.uuid("token/session"),
      amount,
      currency,
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

function attempt(intentId: string, automatic: boolean) {
  return { type: "attempt", intentId, automatic } as const;
}
