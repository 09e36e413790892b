import { boundary, DAY } from "./calendar.ts";
import type { Rhythm } from "./calendar.ts";
import { Invoice } from "./invoices.ts";
import type { InvoiceOwner, Period } from "./invoices.ts";
import type { Books, Payment } from "./payments.ts";
import { methodOf } from "./test-methods.ts";
import type { TestMethod } from "./test-methods.ts";
import { refusals } from "./words.ts";
import type { Answer, SubscriptionStatus } from "./words.ts";

export interface Plan extends Rhythm {
  readonly amount: number;
  readonly currency: string;
}

/** One subscription (part 3.3, `subscription.*`). */
export class Subscription {
  status: SubscriptionStatus = "incomplete";
  plan: Plan;
  pendingPlan: Plan | undefined;
  method: TestMethod | undefined;
  period: Period | undefined;
  readonly invoices: Invoice[] = [];
  readonly #books: Books;
  readonly #name: string;
  readonly #numbers: { next: number };
  readonly #strikeFirstPaymentDue: () => void;
  #isOverdue = false;
  #anchor = 0;
  #cycles = 0;
  #strikeRenewal = (): void => {};

  /** @param numbers counts the merchant's invoices */
  constructor(books: Books, name: string, plan: Plan, numbers: { next: number }) {
    this.#books = books;
    this.#name = name;
    this.#numbers = numbers;
    this.plan = plan;
    const { now } = books.agenda;
    this.#strikeFirstPaymentDue = books.agenda.note(now + DAY, () => this.#firstPaymentDue());
    this.#issue({ start: now, end: boundary(plan, now, 1) }, false);
  }

  get isOver(): boolean {
    return this.status === "cancelled" || this.status === "incomplete_cancelled";
  }

  /** Answers process-payment: the first payment, or one by hand (`subscription.manual-payment`). */
  processPayment(method: string): Answer {
    const [oldest] = this.#open();
    if (oldest?.payment.status === "requires_action") return refusals.challengeOpen;
    if (this.status === "active") return refusals.alreadyConfirmed;
    if (oldest === undefined || this.isOver) return refusals.wrongState;
    return this.#payByHand(oldest, method);
  }

  /** Answers a change of the payment method, which pays what is owed. */
  changeMethod(method: string): Answer {
    if (this.isOver) return refusals.wrongState;
    const [oldest] = this.status === "past_due" || this.status === "unpaid" ? this.#open() : [];
    if (oldest === undefined) {
      const card = cardOf(method);
      if (card === undefined) return refusals.methodInvalid;
      this.method = card;
      return { http: 200, status: this.status };
    }
    const paid = this.#payByHand(oldest, method);
    return paid.http === 200 ? { http: 200, status: this.status } : paid;
  }

  /** Answers a plan change, which the next invoice takes up (`subscription.plan-change`). */
  changePlan(plan: Plan): Answer {
    if (this.status === "incomplete" || this.isOver) return refusals.wrongState;
    this.pendingPlan = plan === this.plan ? undefined : plan;
    return { http: 200, status: this.status };
  }

  cancel(): Answer {
    if (this.isOver) return refusals.wrongState;
    this.#cancelAs("cancelled");
    return { http: 200, status: this.status };
  }

  #payByHand(invoice: Invoice, method: string): Answer {
    const card = cardOf(method);
    if (card === undefined) return refusals.methodInvalid;
    if (invoice.isInFlight) return refusals.wrongState;
    this.method = card;
    return invoice.payWithCustomer(card);
  }

  #open(): Invoice[] {
    return this.invoices.filter(({ status }) => status === "open");
  }

  #issue(period: Period, renewal: boolean): void {
    const { amount, currency } = this.plan;
    const number = this.#numbers.next;
    this.#numbers.next += 1;
    const owner: InvoiceOwner = {
      began: (payment) => this.#began(payment),
      paid: (invoice) => this.#paid(invoice),
      failed: (invoice) => this.#failed(invoice),
      attemptCanceled: () => {
        if (!this.isOver) this.#collectOldest();
      },
      retryDue: (invoice) => this.#collect(invoice),
    };
    this.invoices.push(new Invoice(this.#books, number, { amount, currency, period, renewal }, owner));
  }

  /** Renewals charge the method of the first payment, until another is set. */
  #began({ method }: Payment): void {
    if (this.status === "incomplete") this.method = method;
  }

  #paid(invoice: Invoice): void {
    const isFirst = this.status === "incomplete";
    if (isFirst) {
      this.#anchor = this.#books.agenda.now;
      this.#cycles = 1;
      this.period = { start: this.#anchor, end: boundary(this.plan, this.#anchor, 1) };
      Object.assign(invoice, { period: this.period });
    }
    const isOwing = this.#open().length > 0;
    const isActivated = !this.isOver && this.status !== "active" && !isOwing;
    if (isActivated) this.status = "active";
    this.#tell("subscription.invoice.paid");
    if (isActivated) {
      this.#strikeFirstPaymentDue();
      this.#noteRenewal();
      this.#tell("subscription.activated");
    } else if (!this.isOver && isOwing) this.#collectOldest();
  }

  /** The invoice's event tells the status after the move, too (`webhook.subscription`). */
  #failed(invoice: Invoice): void {
    const before = this.status;
    if (before === "incomplete" && this.#isOverdue) this.status = "incomplete_cancelled";
    else if (before === "active") this.status = "past_due";
    else if (before === "past_due" && invoice.isGivenUp) this.status = "unpaid";
    this.#tell("subscription.invoice.payment_failed");
    if (this.status === before) return;
    if (this.status === "incomplete_cancelled") this.#cancelAs(this.status);
    else {
      this.#noteRenewal();
      this.#tell(`subscription.${this.status}`);
    }
  }

  /** After 24 hours a first payment that is processing may still activate it (`subscription.late-first-payment`). */
  #firstPaymentDue(): void {
    if (this.invoices[0]?.payment.status === "processing") this.#isOverdue = true;
    else this.#cancelAs("incomplete_cancelled");
  }

  #cancelAs(status: "cancelled" | "incomplete_cancelled"): void {
    this.status = status;
    this.pendingPlan = undefined;
    this.#strikeFirstPaymentDue();
    this.#strikeRenewal();
    this.#tell("subscription.cancelled");
    for (const invoice of this.#open()) invoice.end();
  }

  /** Noted anew with every status, so a retry that was noted before and is due at the same instant comes first. */
  #noteRenewal(): void {
    const { end = 0 } = this.period ?? {};
    this.#strikeRenewal();
    this.#strikeRenewal = this.#books.agenda.note(end, () => this.#renew(end));
  }

  #renew(start: number): void {
    const plan = this.pendingPlan ?? this.plan;
    const isSameRhythm = plan.interval === this.plan.interval && plan.intervalCount === this.plan.intervalCount;
    this.#anchor = isSameRhythm ? this.#anchor : start;
    this.#cycles = isSameRhythm ? this.#cycles + 1 : 1;
    this.plan = plan;
    this.pendingPlan = undefined;
    this.period = { start, end: boundary(plan, this.#anchor, this.#cycles) };
    this.#noteRenewal();
    this.#issue(this.period, true);
    this.#collectOldest();
  }

  /** The oldest invoice is charged first, and newer ones wait for it (`subscription.open-invoices`). */
  #collectOldest(): void {
    const [oldest] = this.#open();
    if (oldest?.isUntried === true) this.#collect(oldest);
  }

  #collect(invoice: Invoice): void {
    if (this.method !== undefined) invoice.collect(this.method);
  }

  #tell(type: string): void {
    const { agenda, told } = this.#books;
    told.push({ at: agenda.now, type, about: this.#name, status: this.status });
  }
}

/** Subscriptions take cards only (`subscription.wallets`). */
function cardOf(name: string): TestMethod | undefined {
  const method = methodOf(name);
  return method?.kind === "card" ? method : undefined;
}
