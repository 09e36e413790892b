import { DAY } from "./calendar.ts";
import { Payment, transactionOf } from "./payments.ts";
import type { Books } from "./payments.ts";
import { methodOf } from "./test-methods.ts";
import { refusals } from "./words.ts";
import type { Answer, SessionStatus } from "./words.ts";

/** One checkout session (`checkout.moves`, `checkout.payment`). */
export class Session {
  readonly amount: number;
  status: SessionStatus = "pending";
  payment: Payment;
  readonly #books: Books;
  readonly #name: string;
  readonly #expiresAt: number;
  readonly #forgetExpiry: () => void;
  #triesLeft: number;

  constructor(books: Books, name: string, { amount, tries }: { readonly amount: number; readonly tries: number }) {
    this.#books = books;
    this.#name = name;
    this.amount = amount;
    this.#triesLeft = tries;
    this.payment = this.#newPayment(false);
    this.#expiresAt = books.agenda.now + DAY;
    this.#forgetExpiry = books.agenda.note(this.#expiresAt, () => this.#expire());
    books.transactions.push(() =>
      transactionOf({ type: "checkout", status: this.status, amount, currency: "PHP" }, this.payment),
    );
  }

  /** Answers the merchant's process call, or the customer on the hosted page. */
  pay(method: string, from: "merchant" | "page"): Answer {
    if (from === "merchant" && (this.status === "expired" || this.status === "cancelled"))
      return refusals.sessionNotFound;
    if (this.payment.status === "requires_action") return refusals.challengeOpen;
    if (this.status !== "pending") return refusals.alreadyConfirmed;
    const named = methodOf(method);
    if (named === undefined) return refusals.methodInvalid;
    const answer = this.payment.chargeWithCustomer(named);
    return answer.http === 200 ? { http: 200, status: this.status } : answer;
  }

  /** The customer gives up on the hosted page. */
  cancel(): void {
    if (this.status !== "pending") return;
    this.#move("cancelled");
    this.payment.cancel();
  }

  /** The session's status follows its payment. */
  #paymentMoved({ status, wasDown }: Payment): void {
    if ((status === "requires_action" || status === "processing") && this.status === "pending")
      this.#move("processing");
    if (status === "succeeded") this.#move("completed");
    if (status !== "failed") return;
    if (this.#triesLeft === 0 || this.#books.agenda.now >= this.#expiresAt) {
      this.#move("failed");
      return;
    }
    this.#triesLeft -= 1;
    this.status = "pending";
    this.payment = this.#newPayment(wasDown);
  }

  /** A payment in flight may still end; a challenge that is open may not. */
  #expire(): void {
    if (this.payment.status === "processing") return;
    this.#move("expired");
    this.payment.cancel();
  }

  #newPayment(wasDown: boolean): Payment {
    const moved = (payment: Payment): void => this.#paymentMoved(payment);
    return new Payment(this.#books, { purpose: "checkout", amount: this.amount, wasDown, moved });
  }

  #move(status: SessionStatus): void {
    const { agenda, told } = this.#books;
    this.status = status;
    told.push({ at: agenda.now, type: `checkout.${status}`, about: this.#name, status });
    if (status !== "processing") this.#forgetExpiry();
  }
}
