import { createSimulator, type Simulator } from "centavo";
import { subscriptionMachine } from "centavo/machines";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { BareMachine, movesOf } from "./bare-machine.ts";
import type { Standing, Taken } from "./bare-machine.ts";
import { journaledMoves } from "./journaled.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PERIOD = 30 * DAY;
const RHYTHM = { interval: "day", intervalCount: 30 } as const;
const plan = {
  ...RHYTHM,
  id: "plan_1",
  merchantId: "mer",
  name: "Club",
  amount: 100,
  currency: "PHP",
  createdAt: START,
};
const method = { id: "pm", kind: "card", behaviour: "pm" };

const changePlan = { type: "change_plan", plan: { ...plan, id: "plan_2" } };
const payments = [
  { type: "change_method", method },
  { type: "first_payment_started" },
  { type: "activate", anchor: START },
  ...[0, 1, 2, 3].map((failedRetries) => ({ type: "payment_failed", failedRetries })),
  ...[0, 1, 2, 3].map((failedRetries) => ({ type: "give_up", failedRetries })),
  { type: "recover", openInvoices: 0 },
  { type: "recover", openInvoices: 1 },
  { type: "cancel", reason: undefined },
];
const terms = { at: START, plan, firstPaymentDue: START + DAY } as { at: number };
const machine = new BareMachine(subscriptionMachine);

const isBegun = ({ snapshot }: Standing): boolean => snapshot.value !== "incomplete";
const START_OF_ALL = ["change_method", "first_payment_started", "activate"];
/** After the first payment, which succeeds at once. */
const begun = (inputs: readonly { readonly type: string }[]) => (standing: Standing, path: readonly Taken[]) =>
  isBegun(standing) ? inputs : payments.filter(({ type }) => type === START_OF_ALL[path.length]);
/** Until the subscription recovers. */
const untilRecovered = (standing: Standing, path: readonly Taken[]) =>
  path.some(({ input }) => input === "recover") ? [] : begun(payments)(standing, path);

describe("every path of the bare machine is a history of the service:", () => {
  test.for([
    ["of up to six moves", machine.paths(terms, 6, () => [...payments, changePlan])],
    ["of up to four moves after the first payment", machine.paths(terms, 7, begun([...payments, changePlan]))],
    [
      "of up to seven moves after the first payment, until the first renewal is paid",
      machine
        .paths(terms, 10, untilRecovered)
        .filter((path) => path[3]?.input === "renew" && path.filter(({ byTimer }) => byTimer).length === 1),
    ],
  ] as const)("%s", async ([, paths]) => {
    expect(paths.length).toBeGreaterThan(100);
    await areHistories(paths);
  });
});

async function areHistories(paths: readonly Taken[][]): Promise<void> {
  for (const path of paths) {
    const life = new Life(path);
    await life.live();
    expect(journaledMoves(life.sim, "subscription", life.id), movesOf(path).join("\n")).toEqual(movesOf(path));
    await life.sim.close();
  }
}

const isResult = ({ input }: Taken): boolean => ["payment_failed", "give_up", "recover", "activate"].includes(input);

/**
 * Runs a path through the front door. The outcome and time of an attempt are planned before it begins; an attempt whose end the path
 * does not mention is stuck.
 */
class Life {
  readonly #path: readonly Taken[];
  readonly #merchant = new Merchant(createSimulator());
  #landing = 0;
  id = "";

  constructor(path: readonly Taken[]) {
    this.#path = path;
  }

  get sim(): Simulator {
    return this.#merchant.sim;
  }

  async live(): Promise<void> {
    const { id } = await this.#merchant.initiate((await this.#merchant.createPlan(RHYTHM)).id);
    this.id = id;
    const other = (await this.#merchant.createPlan(RHYTHM)).id;
    for (const [index, { input, from, byTimer }] of this.#path.entries()) {
      if (input === "cancel") await this.#merchant.cancelSubscription(id);
      else if (input === "change_plan") await this.#merchant.changePlan(id, other);
      else if (input === "change_method") await this.#changeMethod(index, from);
      else if (byTimer) await this.#timer(index);
      else if (isResult(this.#path[index] as Taken)) await this.#result(index);
    }
  }

  get #now(): number {
    return Date.parse(this.sim.clock.now());
  }

  get #renewal(): number {
    return Date.parse(this.sim.subscriptions.get(this.id)?.nextBillingAt ?? "");
  }

  async #advanceTo(moment: number): Promise<void> {
    await this.sim.clock.advanceTo(new Date(Math.max(moment, this.#now)).toISOString());
  }

  /** The next end of an attempt that the path has, from a move on. */
  #resultAfter(index: number): { readonly at: number; readonly result: Taken } | undefined {
    const at = this.#path.findIndex((move, later) => later > index && isResult(move));
    return at === -1 ? undefined : { at, result: this.#path[at] as Taken };
  }

  /** Plans the outcome of the attempt that starts at `start`: the end that the path has, after this many renewals. */
  #settle(index: number, start: number): void {
    this.sim.faults.clear();
    const next = this.#resultAfter(index);
    if (next === undefined) {
      this.sim.faults.add({ kind: "processor.stuck" });
      return;
    }
    const between = this.#path.slice(index + 1, next.at).filter(({ byTimer }) => byTimer);
    const following = this.#path.slice(next.at + 1);
    const renewsBeforeNext = following.findIndex(({ input }) => input === "renew");
    const endsBeforeNext = following.findIndex(isResult);
    const isSoonRenewed = renewsBeforeNext !== -1 && (endsBeforeNext === -1 || renewsBeforeNext < endsBeforeNext);
    if (this.#path[next.at]?.from === "incomplete") {
      this.#landing = between.length > 0 ? START + DAY + HOUR : start + HOUR;
    } else {
      const renewal = this.#renewal + (start < this.#renewal ? 0 : PERIOD);
      const landing = renewal + between.length * PERIOD;
      this.#landing = isSoonRenewed ? landing - 12 * HOUR : Math.max(start, landing - PERIOD) + HOUR;
    }
    this.sim.faults.add({ kind: "processor.late", delay: { milliseconds: this.#landing - start } });
    if (next.result.input === "payment_failed" || next.result.input === "give_up")
      this.sim.faults.add({ kind: "processor.decline", code: "generic_decline" });
  }

  async #changeMethod(index: number, from: string): Promise<void> {
    const after = this.#path[index + 1];
    if (from === "active" || (from === "incomplete" && after?.input !== "first_payment_started")) {
      await this.#merchant.changeMethod(this.id, "pm_card_approved");
      return;
    }
    const next = this.#resultAfter(index);
    const again = this.#path.findIndex(({ input }, later) => later > index && input === "change_method");
    const isPaid =
      from === "incomplete" || (next !== undefined && (again === -1 || next.at < again) && this.#isByHand(next));
    if (isPaid) this.#settle(index, this.#now);
    else {
      this.sim.faults.clear();
      this.sim.faults.add({ kind: "processor.unavailable", customer: "present" });
    }
    await this.#merchant.processPayment(this.id, "pm_card_approved");
    this.#leaveStuck();
  }

  /** Whether an attempt by hand comes to this end: a failure that is not a retry's, or the recovery. */
  #isByHand({ at, result }: { readonly at: number; readonly result: Taken }): boolean {
    return result.input === "recover" || result.given["failedRetries"] === this.#retriesBefore(at);
  }

  #retriesBefore(index: number): number {
    const failures = this.#path.slice(0, index).flatMap(({ given }) => given["failedRetries"] ?? []) as number[];
    return this.#path[index]?.from === "active" || this.#path[index]?.from === "incomplete"
      ? -1
      : Math.max(0, ...failures);
  }

  /** From here on, an attempt that the path does not mention is stuck. */
  #leaveStuck(): void {
    this.sim.faults.clear();
    this.sim.faults.add({ kind: "processor.stuck" });
  }

  async #timer(index: number): Promise<void> {
    if (this.#path[index]?.input === "first_payment_due") {
      await this.#advanceTo(START + DAY);
      return;
    }
    const isFirst = this.#merchant.invoices(this.id).every(({ status }) => status !== "open");
    if (isFirst) this.#settle(index, this.#renewal);
    await this.#advanceTo(this.#renewal);
    this.#leaveStuck();
  }

  async #result(index: number): Promise<void> {
    const { input, from, given } = this.#path[index] as Taken;
    const isUnderWay = this.#landing > this.#now;
    if (!isUnderWay) {
      const invoices = this.#merchant.invoices(this.id).filter(({ status }) => status === "open");
      const [oldest] = invoices;
      const isRetry = input === "recover" || given["failedRetries"] === this.#retriesBefore(index) + 1;
      const due = Date.parse(oldest?.nextAttemptAt ?? "");
      if (isRetry && !Number.isNaN(due)) {
        this.#settle(index - 1, due);
        await this.#advanceTo(due);
        this.#leaveStuck();
      } else {
        // Another invoice, whose intent is still unused.
        const fresh = invoices.find(({ paymentIntent }) => paymentIntent.status === "requires_payment_method");
        this.#settle(index - 1, this.#now);
        if (fresh !== undefined) await this.#merchant.confirmByKey(fresh.paymentIntent, "pm_card_approved");
        this.#leaveStuck();
      }
    }
    // The younger invoices are charged, and paid, as soon as the oldest is.
    if (input === "recover") this.sim.faults.clear();
    await this.#advanceTo(this.#landing);
    if (from !== "incomplete") this.#leaveStuck();
  }
}
