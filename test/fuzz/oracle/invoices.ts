import { DAY } from "./calendar.ts";
import { Payment } from "./payments.ts";
import type { Books } from "./payments.ts";
import { declineWithoutCustomer } from "./test-methods.ts";
import type { TestMethod } from "./test-methods.ts";
import type { Answer } from "./words.ts";

const MOST_RETRIES = 3;

export interface Period {
  readonly start: number;
  readonly end: number;
}

/** What an invoice tells its subscription. */
export interface InvoiceOwner {
  /** A payment by the customer began, maybe by the client key alone. */
  readonly began: (payment: Payment) => void;
  readonly paid: (invoice: Invoice) => void;
  readonly failed: (invoice: Invoice) => void;
  readonly attemptCanceled: () => void;
  readonly retryDue: (invoice: Invoice) => void;
}

export interface InvoiceTerms {
  readonly amount: number;
  readonly currency: string;
  readonly period: Period;
  /** Whether it is charged automatically: every invoice but the first. */
  readonly renewal: boolean;
}

/** One invoice: its attempts, each a payment of its own, and its retries (`subscription.retries`). */
export class Invoice {
  readonly terms: InvoiceTerms;
  readonly number: number;
  period: Period;
  status: "open" | "paid" | "void" = "open";
  payment: Payment;
  attempts = 0;
  failedRetries = 0;
  #nextRetry: number | undefined;
  readonly #books: Books;
  readonly #owner: InvoiceOwner;
  #inFlight: "with the customer" | "automatic" | undefined;
  #firstFailure: number | undefined;
  #ended = false;
  #voidUnlessPaid = false;
  #strikeRetry = (): void => {};

  constructor(books: Books, number: number, terms: InvoiceTerms, owner: InvoiceOwner) {
    this.#books = books;
    this.#owner = owner;
    this.number = number;
    this.terms = terms;
    this.period = terms.period;
    this.payment = this.#newPayment(false);
  }

  /** When the next retry comes. It is open while a payment is under way. */
  get nextRetry(): number | undefined {
    return this.isInFlight ? undefined : this.#nextRetry;
  }

  get isInFlight(): boolean {
    return this.#inFlight !== undefined;
  }

  /** Whether it waits for its first automatic charge. */
  get isUntried(): boolean {
    return this.terms.renewal && !this.#ended && this.#firstFailure === undefined && !this.isInFlight;
  }

  payWithCustomer(method: TestMethod): Answer {
    return this.#payable().chargeWithCustomer(method);
  }

  /** Charges it automatically: at first, or as a retry. */
  collect(method: TestMethod): void {
    const payment = this.#payable();
    const attempt = this.failedRetries + (this.#firstFailure === undefined ? 1 : 2);
    this.#begin("automatic");
    payment.chargeWithoutCustomer(method, declineWithoutCustomer(method, attempt, payment.wasDown));
  }

  /** Ends it with its subscription (`subscription.cancel`): a payment that is processing decides. */
  end(): void {
    this.#ended = true;
    this.#nextRetry = undefined;
    this.#strikeRetry();
    if (this.payment.status === "processing") this.#voidUnlessPaid = true;
    else this.status = "void";
    this.payment.cancel();
  }

  /** Returns its payment if that can still be made, else a new one. */
  #payable(): Payment {
    if (!this.payment.isUnpaid) this.payment = this.#newPayment(this.payment.wasDown);
    return this.payment;
  }

  #newPayment(wasDown: boolean): Payment {
    const { amount, currency } = this.terms;
    const moved = (payment: Payment): void => this.#paymentMoved(payment);
    return new Payment(this.#books, { purpose: "subscription", amount, currency, wasDown, moved });
  }

  #begin(how: "with the customer" | "automatic"): void {
    this.attempts += 1;
    this.#inFlight = how;
    this.#strikeRetry();
  }

  #paymentMoved(payment: Payment): void {
    const { status } = payment;
    if (status === "requires_action" || status === "processing") {
      if (this.isInFlight) return;
      this.#begin("with the customer");
      this.#owner.began(payment);
    } else if (status === "succeeded") {
      this.#inFlight = undefined;
      this.#nextRetry = undefined;
      this.status = "paid";
      this.#owner.paid(this);
    } else if (status === "failed") this.#failed();
    else if (this.isInFlight) {
      this.#inFlight = undefined;
      this.#noteRetry();
      this.#owner.attemptCanceled();
    }
  }

  #failed(): void {
    const { now } = this.#books.agenda;
    if (this.#inFlight === "automatic" && this.#firstFailure !== undefined) this.failedRetries += 1;
    this.#inFlight = undefined;
    this.#firstFailure ??= now;
    const isRetried = this.terms.renewal && !this.#ended && this.failedRetries < MOST_RETRIES;
    this.#nextRetry = isRetried ? this.#firstFailure + (this.failedRetries + 1) * DAY : undefined;
    this.#noteRetry();
    if (this.#voidUnlessPaid) this.status = "void";
    this.#owner.failed(this);
  }

  #noteRetry(): void {
    if (this.#nextRetry === undefined) return;
    // One that fell due while a payment was under way comes at once.
    this.#nextRetry = Math.max(this.#nextRetry, this.#books.agenda.now);
    this.#strikeRetry = this.#books.agenda.note(this.#nextRetry, () => {
      this.#nextRetry = undefined;
      this.#owner.retryDue(this);
    });
  }

  get isGivenUp(): boolean {
    return this.failedRetries === MOST_RETRIES;
  }
}
