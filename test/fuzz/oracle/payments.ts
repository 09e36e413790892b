import type { Agenda } from "./agenda.ts";
import { HOUR } from "./calendar.ts";
import { feeOf, transactionStatus } from "./money.ts";
import type { Transaction } from "./money.ts";
import { methodOf } from "./test-methods.ts";
import type { TestMethod } from "./test-methods.ts";
import { refusals } from "./words.ts";
import type { Answer, DeclineCode, MethodKind, PaymentStatus } from "./words.ts";

/** How long a challenge stays open (`intent.authentication`). */
const CHALLENGE: Readonly<Record<MethodKind, number>> = { card: HOUR, gcash: 4 * HOUR, grab_pay: HOUR / 4 };

/** An event that merchants are told of, and the status that it tells. */
export interface Told {
  readonly at: number;
  readonly type: string;
  /** The resource that it is about, such as `intent 2`. */
  readonly about: string;
  readonly status: string;
}

/** What the world has in common. */
export interface Books {
  readonly agenda: Agenda;
  readonly processingTime: number;
  readonly told: Told[];
  readonly transactions: (() => Transaction)[];
  readonly payments: Payment[];
}

export interface Terms {
  readonly purpose: "payment_intent" | "checkout" | "subscription";
  readonly amount: number;
  readonly currency?: string;
  /** True when the processor was down for an earlier payment of the same owner. */
  readonly wasDown?: boolean;
  /** Learns of every move. */
  readonly moved?: (payment: Payment) => void;
}

/** One payment intent. That of a checkout session tells nobody anything (`checkout.payment`). */
export class Payment {
  readonly terms: Terms;
  status: PaymentStatus = "requires_payment_method";
  method: TestMethod | undefined;
  declineCode: DeclineCode | undefined;
  wasDown: boolean;
  readonly #books: Books;
  readonly #name: string;
  #decline: DeclineCode | undefined;
  #closeChallenge = (): void => {};

  constructor(books: Books, terms: Terms) {
    this.#books = books;
    this.terms = terms;
    this.wasDown = terms.wasDown === true;
    this.#name = `intent ${books.payments.push(this) - 1}`;
    if (terms.purpose !== "checkout") books.transactions.push(() => this.#transaction());
  }

  get fee(): number {
    return feeOf(this.terms.amount, this.method?.kind);
  }

  /** Whether it can still be paid. */
  get isUnpaid(): boolean {
    return this.status === "requires_payment_method" || this.status === "requires_confirmation";
  }

  /** Answers a confirmation by the merchant or the client key. */
  confirm(method: string | undefined): Answer {
    if (this.status === "requires_action") return refusals.challengeOpen;
    if (!this.isUnpaid) return refusals.alreadyConfirmed;
    if (method === undefined && this.method === undefined) return refusals.methodMissing;
    const named = method === undefined ? this.method : methodOf(method);
    const isRefused = this.terms.purpose === "subscription" && named?.kind !== "card";
    return named === undefined || isRefused ? refusals.methodInvalid : this.chargeWithCustomer(named);
  }

  chargeWithCustomer(method: TestMethod): Answer {
    const { kind, asks, decline, atOnce, downOnce } = method;
    this.method = method;
    if (downOnce === true && !this.wasDown) {
      this.wasDown = true;
      this.status = "requires_confirmation";
      return refusals.processorDown;
    }
    this.#decline = decline;
    if (asks !== undefined) {
      const close = this.#books.agenda.note(this.#books.agenda.now + CHALLENGE[kind], () =>
        this.#process("authentication_expired"),
      );
      this.#closeChallenge = () => close();
      this.#move("requires_action");
      return { http: 200, status: this.status };
    }
    this.#process(decline, atOnce);
    return atOnce === true && decline === "insufficient_funds"
      ? refusals.fundsMissing
      : { http: 200, status: this.status };
  }

  chargeWithoutCustomer(method: TestMethod, decline: DeclineCode | undefined): void {
    this.method = method;
    if (decline === "processor_unavailable") this.wasDown = true;
    this.#process(decline);
  }

  answerChallenge(passed: boolean): void {
    this.#process(passed ? this.#decline : "authentication_failed");
  }

  /** Cancels it, unless it is processing or has ended (`intent.cancel`). */
  cancel(): void {
    if (!this.isUnpaid && this.status !== "requires_action") return;
    this.#closeChallenge();
    this.#move("canceled");
  }

  #process(decline: DeclineCode | undefined, atOnce = false): void {
    this.#closeChallenge();
    this.#closeChallenge = () => {};
    this.#move("processing");
    const end = (): void => {
      this.declineCode = decline;
      this.#move(decline === undefined ? "succeeded" : "failed");
    };
    if (atOnce) end();
    else this.#books.agenda.note(this.#books.agenda.now + this.#books.processingTime, end);
  }

  #move(status: PaymentStatus): void {
    const { agenda, told } = this.#books;
    this.status = status;
    if (this.terms.purpose !== "checkout")
      told.push({ at: agenda.now, type: `payment_intent.${status}`, about: this.#name, status });
    this.terms.moved?.(this);
  }

  #transaction(): Transaction {
    const { purpose, amount, currency = "PHP" } = this.terms;
    return transactionOf({ type: purpose, status: this.status, amount, currency }, this);
  }
}

/** The transaction of a payment, or of the session that it pays for. */
export function transactionOf(
  {
    status,
    ...terms
  }: Pick<Transaction, "type" | "amount" | "currency"> & { readonly status: keyof typeof transactionStatus },
  { method, fee, declineCode }: Pick<Payment, "method" | "fee" | "declineCode">,
): Transaction {
  const isPaid = transactionStatus[status] === "succeeded";
  return {
    ...terms,
    status: transactionStatus[status],
    fee: isPaid ? fee : 0,
    net: isPaid ? terms.amount - fee : 0,
    ...(method === undefined ? {} : { method: method.id }),
    ...(declineCode === undefined ? {} : { declineCode }),
  };
}
