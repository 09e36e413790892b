import { createSimulator, type Simulator } from "centavo";
import { invoiceMachine } from "centavo/machines";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import type { Invoice } from "../merchant/answers.ts";
import { BareMachine, movesOf } from "./bare-machine.ts";
import type { Taken } from "./bare-machine.ts";
import { journaledMoves } from "./journaled.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const HOUR = 3_600_000;
const RHYTHM = { interval: "day", intervalCount: 30 } as const;
const period = { start: START, end: START + 30 * 24 * HOUR };

const attempt = (automatic: boolean) => ({ type: "attempt", intentId: "pi", automatic });
const failed = { type: "attempt_failed", retriesAfter: [24 * HOUR, 48 * HOUR, 72 * HOUR] };
const ends = [
  { type: "attempt_succeeded", period },
  failed,
  { type: "attempt_canceled" },
  { type: "void" },
  { type: "void_unless_paid" },
  { type: "keep" },
];
const everything = [attempt(true), attempt(false), { type: "replace_intent", intentId: "pi" }, ...ends];
const machine = new BareMachine(invoiceMachine);

describe("every path of the bare machine is a history of the service:", () => {
  test.for([
    { of: "a first invoice, of up to five moves", dunning: false, longest: 5, inputs: everything },
    { of: "a renewal's invoice, of up to five moves", dunning: true, longest: 5, inputs: everything },
    {
      of: "a renewal's invoice that is not paid by hand, of up to twelve moves",
      dunning: true,
      longest: 12,
      inputs: [attempt(true), { type: "attempt_succeeded", period }, failed],
    },
  ])("$of", async ({ dunning, longest, inputs }) => {
    const paths = machine.paths({ at: START, dunning, failedRetries: 0 } as { at: number }, longest, () => inputs);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const life = new Life(path);
      await (dunning ? life.renew() : life.begin());
      await life.live();
      const lived = journaledMoves(life.sim, "invoice", life.id);
      // The attempt of a retry follows at the same moment, where a path of this length may end.
      const isCut = path.at(-1)?.input === "retry_due";
      expect(isCut ? lived.slice(0, -1) : lived, movesOf(path).join("\n")).toEqual(movesOf(path));
      await life.sim.close();
    }
  });
});

/**
 * Runs a path through the front door. An attempt lasts an hour; the rest of the path decides whether the customer is challenged and how
 * the attempt ends. A renewal's invoice that is not charged at once waits behind an older one.
 */
class Life {
  readonly #path: readonly Taken[];
  readonly #merchant: Merchant;
  #subscription = "";
  #older: string | undefined;
  id = "";

  constructor(path: readonly Taken[]) {
    this.#path = path;
    const cancel = path.some(({ input }) => input === "keep") ? "keep" : "void";
    const window = "90 days";
    this.#merchant = new Merchant(
      createSimulator({
        assumptions: {
          "subscription.cancel": cancel,
          "intent.authentication": { card: window, gcash: window, grab_pay: window },
        },
      }),
    );
  }

  get sim(): Simulator {
    return this.#merchant.sim;
  }

  get #invoice(): Invoice {
    return this.sim.invoices.get(this.id) as Invoice;
  }

  /** A subscription that is not paid yet; its first invoice runs the path. */
  async begin(): Promise<void> {
    const { id } = await this.#merchant.initiate((await this.#merchant.createPlan(RHYTHM)).id);
    this.#subscription = id;
    this.id = this.#merchant.invoice(id).id;
  }

  /** A subscription that is renewed; the renewal's invoice runs the path. */
  async renew(): Promise<void> {
    await this.begin();
    await this.#merchant.processPayment(this.#subscription);
    await this.sim.clock.settle();
    if (!isAutomatic(this.#path[0])) {
      this.sim.faults.add({ kind: "processor.decline", code: "generic_decline" });
      await this.sim.clock.advanceUntil(() => this.#merchant.subscriptionStatus(this.#subscription) === "unpaid");
      this.#older = this.#merchant.invoice(this.#subscription).id;
    }
    this.#settle(-1);
    await this.#advanceToRenewal();
    this.id = this.#merchant.invoice(this.#subscription).id;
  }

  async live(): Promise<void> {
    for (const [index, move] of this.#path.entries()) {
      if (move.input === "attempt") await this.#attempt(index);
      else if (move.input === "replace_intent") await this.#replaceIntent();
      else if (move.byTimer) await this.#retryIsDue(index);
      else if (move.input === "attempt_canceled") await this.#cancelAttempt(index);
      else if (move.input === "attempt_succeeded" || move.input === "attempt_failed")
        await this.sim.clock.advance("1 hour");
      else await this.#merchant.cancelSubscription(this.#subscription);
    }
  }

  async #advanceToRenewal(): Promise<void> {
    await this.sim.clock.advanceTo(this.sim.subscriptions.get(this.#subscription)?.nextBillingAt ?? "");
  }

  /** Plans the end of the attempt that begins after a move. */
  #settle(index: number): void {
    const end = this.#path.slice(index + 1).find(({ input }) => input.startsWith("attempt_"));
    this.sim.faults.clear();
    this.sim.faults.add({ kind: "processor.late", delay: "1 hour" });
    if (end?.input === "attempt_failed") this.sim.faults.add({ kind: "processor.decline", code: "generic_decline" });
  }

  async #attempt(index: number): Promise<void> {
    // An automatic one began by itself, with the renewal, the retry, or the cancellation before it.
    const automatic = isAutomatic(this.#path[index]);
    expect(journaledMoves(this.sim, "invoice", this.id)).toHaveLength(automatic ? index + 1 : index);
    if (automatic) return;
    this.#settle(index);
    const after = this.#path.slice(index + 1);
    const reopened = after.findIndex(({ from }) => from === "open");
    const isChallenged = after
      .slice(0, reopened === -1 ? after.length : reopened)
      .some(({ input }) => input === "attempt_canceled" || input === "void");
    const method = isChallenged ? "pm_card_challenge" : "pm_card_approved";
    const { paymentIntent } = this.#invoice;
    if (isUnpaid(paymentIntent)) await this.#merchant.confirmByKey(paymentIntent, method);
    else {
      await this.#payOlder();
      this.#settle(index);
      await this.#merchant.processPayment(this.#subscription, method);
    }
  }

  /** The processor is down for a payment by hand, which has a new intent if the last one cannot be used. */
  async #replaceIntent(): Promise<void> {
    await this.#payOlder();
    const { paymentIntent } = this.#invoice;
    if (isUnpaid(paymentIntent)) this.sim.intents.cancel(paymentIntent.id);
    this.sim.faults.clear();
    this.sim.faults.add({ kind: "processor.unavailable", times: 1 });
    await this.#merchant.processPayment(this.#subscription);
  }

  async #retryIsDue(index: number): Promise<void> {
    this.#settle(index);
    await this.sim.clock.advanceTo(this.#invoice.nextAttemptAt ?? "");
  }

  /** The back office cancels the challenged intent. The attempts that follow by themselves are planned before. */
  async #cancelAttempt(index: number): Promise<void> {
    // A subscription that ended and keeps its invoice has canceled the challenge already.
    if (this.#path[index - 1]?.input === "keep") return;
    if (isAutomatic(this.#path[index + 1])) await this.#payOlder();
    this.#settle(index);
    this.sim.intents.cancel(this.#invoice.paymentIntent.id);
  }

  /** Pays the older invoice, so that this one is the oldest. */
  async #payOlder(): Promise<void> {
    if (this.#older === undefined) return;
    this.#older = undefined;
    this.sim.faults.clear();
    await this.#merchant.processPayment(this.#subscription);
    await this.sim.clock.settle();
  }
}

/** Whether no attempt has used the intent; the processor may have been down for it. */
function isUnpaid({ status }: { readonly status: string }): boolean {
  return status === "requires_payment_method" || status === "requires_confirmation";
}

function isAutomatic(move: Taken | undefined): boolean {
  return move?.given["automatic"] === true;
}
