import { Agenda } from "./agenda.ts";
import { HOUR } from "./calendar.ts";
import { balancesOf } from "./money.ts";
import { Payment } from "./payments.ts";
import type { Books } from "./payments.ts";
import { Session } from "./sessions.ts";
import { plans } from "./steps.ts";
import type { Step, Story } from "./steps.ts";
import { Subscription } from "./subscriptions.ts";
import type { Answer } from "./words.ts";

/** A resource as it must look, in terms that both the oracle and the service can be put. */
export interface View {
  readonly status: string;
}

/** What a world must look like. */
export interface Expected {
  readonly transactions: readonly View[];
  readonly payments: readonly View[];
  readonly sessions: readonly View[];
  readonly subscriptions: readonly View[];
  readonly invoices: readonly View[];
  /** By currency. */
  readonly balances: Readonly<Record<string, object>>;
  /** Those that the step has told. */
  readonly events: readonly (View & { readonly type: string })[];
}

/** The resource that a step is about, by its place among those of its kind, in the order of their creation. */
export interface Target {
  readonly kind: "intent" | "session" | "subscription";
  readonly index: number;
}

export const currencies = [...new Set(plans.map(({ currency }) => currency))];

/**
 * Says what the service must answer to each step, and what must be so after it. Written from the service document and the assumptions;
 * it shares no code with the service.
 */
export class Oracle {
  readonly #books: Books;
  readonly #tries: number;
  readonly #sessions: Session[] = [];
  readonly #subscriptions: Subscription[] = [];
  readonly #numbers = { next: 1 };
  #read = 0;

  constructor({ start, processingTime, checkoutRetry }: Story) {
    this.#tries = checkoutRetry;
    this.#books = {
      agenda: new Agenda(Date.parse(start)),
      processingTime: processingTime === "2 hours" ? 2 * HOUR : 0,
      told: [],
      transactions: [],
      payments: [],
    };
  }

  /** Returns the resource that a step is about, or undefined if there is none. */
  targetOf(step: Step): Target | undefined {
    const { payments } = this.#books;
    const nth = (kind: Target["kind"], all: readonly unknown[], fits: readonly unknown[]): Target | undefined => {
      const picked = "pick" in step ? fits.at(-1 - (step.pick % Math.max(1, fits.length))) : undefined;
      return picked === undefined ? undefined : { kind, index: all.indexOf(picked) };
    };
    switch (step.do) {
      case "confirm":
        return nth(
          "intent",
          payments,
          payments.filter(({ terms }) => terms.purpose !== "checkout"),
        );
      case "cancel intent": {
        const fits = payments.filter(
          ({ terms, isUnpaid, status }) => terms.purpose !== "checkout" && (isUnpaid || status === "requires_action"),
        );
        return nth("intent", payments, fits);
      }
      case "pass the challenge":
      case "fail the challenge":
        return nth(
          "intent",
          payments,
          payments.filter(({ status }) => status === "requires_action"),
        );
      case "process":
      case "pay on the page":
      case "leave the page":
        return nth("session", this.#sessions, this.#sessions);
      case "pay the subscription":
      case "change method":
      case "change plan":
      case "cancel subscription":
        return nth("subscription", this.#subscriptions, this.#subscriptions);
      case "create intent":
      case "create checkout":
      case "initiate":
      case "advance":
      case "advance to the next":
        return undefined;
    }
  }

  /** Returns the session that a payment pays for. */
  sessionOf(payment: number): number | undefined {
    const index = this.#sessions.findIndex((session) => session.payment === this.#books.payments[payment]);
    return index === -1 ? undefined : index;
  }

  /** Returns the instant to which a step advances the clock. */
  instantOf(step: Step): number | undefined {
    const { now, next = now } = this.#books.agenda;
    if (step.do === "advance") return now + step.milliseconds;
    return step.do === "advance to the next" ? Math.max(now, next + step.off) : undefined;
  }

  /** Returns the answer to a step, if it is a call. */
  take(step: Step, target: Target | undefined): Answer | undefined {
    const instant = this.instantOf(step);
    if (instant !== undefined) {
      this.#books.agenda.advanceTo(instant);
      return undefined;
    }
    if (target?.kind === "intent") return this.#onIntent(step, this.#books.payments[target.index]);
    if (target?.kind === "session") return this.#onSession(step, this.#sessions[target.index]);
    if (target?.kind === "subscription") return this.#onSubscription(step, this.#subscriptions[target.index]);
    if (step.do === "create intent") {
      const payment = new Payment(this.#books, { purpose: "payment_intent", amount: step.amount });
      // The one time that the service says `pending` (`intent.pending`).
      return { http: 200, status: payment.isUnpaid ? "pending" : payment.status };
    }
    if (step.do === "create checkout") {
      const name = `session ${this.#sessions.length}`;
      const { status } = this.#kept(
        this.#sessions,
        new Session(this.#books, name, { amount: step.amount, tries: this.#tries }),
      );
      return { http: 200, status };
    }
    const plan = step.do === "initiate" ? plans[step.plan] : undefined;
    if (plan === undefined) return undefined;
    const name = `subscription ${this.#subscriptions.length}`;
    const { status } = this.#kept(this.#subscriptions, new Subscription(this.#books, name, plan, this.#numbers));
    return { http: 200, status };
  }

  #kept<One>(all: One[], one: One): One {
    all.push(one);
    return one;
  }

  #onIntent(step: Step, payment: Payment | undefined): Answer | undefined {
    if (step.do === "confirm") return payment?.confirm(step.method);
    if (step.do === "cancel intent") payment?.cancel();
    else payment?.answerChallenge(step.do === "pass the challenge");
    return undefined;
  }

  #onSession(step: Step, session: Session | undefined): Answer | undefined {
    if (step.do === "process") return session?.pay(step.method, "merchant");
    if (step.do === "pay on the page") session?.pay(step.method, "page");
    else session?.cancel();
    return undefined;
  }

  #onSubscription(step: Step, subscription: Subscription | undefined): Answer | undefined {
    if (step.do === "pay the subscription") return subscription?.processPayment(step.method);
    if (step.do === "change method") return subscription?.changeMethod(step.method);
    if (step.do === "cancel subscription") return subscription?.cancel();
    const plan = step.do === "change plan" ? plans[step.plan] : undefined;
    return plan === undefined ? undefined : subscription?.changePlan(plan);
  }

  /** Says what must be so now. */
  expected(): Expected {
    const { payments, told } = this.#books;
    const transactions = this.#books.transactions.map((of) => of());
    const events = told.slice(this.#read);
    this.#read = told.length;
    return {
      transactions,
      payments: payments.map(({ terms, status, method, fee, declineCode }) => ({
        purpose: terms.purpose,
        amount: terms.amount,
        status,
        fee,
        method: method?.id,
        declineCode,
      })),
      sessions: this.#sessions.map(({ status, amount, payment }) => ({
        status,
        amount,
        fee: payment.fee,
        method: payment.method?.id,
      })),
      subscriptions: this.#subscriptions.map(({ status, plan, pendingPlan, method, period, invoices, isOver }) => ({
        status,
        amount: plan.amount,
        pending: pendingPlan?.amount,
        method: method?.id,
        start: period?.start,
        end: period?.end,
        next: isOver ? undefined : period?.end,
        latest: invoices.at(-1)?.number,
      })),
      invoices: this.#subscriptions
        .flatMap(({ invoices }) => invoices)
        .toSorted((left, right) => left.number - right.number)
        .map(({ number, status, terms, period, attempts, nextRetry, payment }) => ({
          number,
          status,
          amount: terms.amount,
          currency: terms.currency,
          start: period.start,
          end: period.end,
          attempts,
          next: nextRetry,
          payment: payments.indexOf(payment),
        })),
      balances: Object.fromEntries(currencies.map((currency) => [currency, balancesOf(transactions, currency)])),
      events,
    };
  }
}
