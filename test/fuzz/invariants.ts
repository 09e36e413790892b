import assert from "node:assert/strict";
import type { AnyStateMachine } from "xstate";
import type { AssumptionOverrides, EventView, JournalEntry, Simulator } from "../../src/index.ts";
import { checkoutMachine, invoiceMachine, paymentIntentMachine, subscriptionMachine } from "../../src/machines.ts";
import { holds as subscriptionsHold } from "../subscriptions/invariants.ts";
import { transactionStatus } from "./oracle/money.ts";

const machines: Readonly<Record<string, AnyStateMachine>> = {
  payment_intent: paymentIntentMachine,
  checkout: checkoutMachine,
  subscription: subscriptionMachine,
  invoice: invoiceMachine,
};

/** Facts inside the service, which no merchant is told of. */
const UNANNOUNCED = new Set([
  "payment_intent.created",
  "payment_intent.requires_confirmation",
  "checkout.created",
  "subscription.renewed",
  "subscription.invoice.retry_due",
]);

/** Where an event stands that was just announced: on its way, without a receiver, or swallowed by a fault. */
const ANNOUNCED_AS = new Set(["pending", "no-receiver", "dropped"]);

type Details = Readonly<Record<string, unknown>>;

/** The invariants of every world at every moment. Reads the journal from where the last check ended. */
export class Invariants {
  readonly #sim: Simulator;
  readonly #retries: number;
  readonly #keepsOpenInvoices: boolean;
  #read = 0;
  #last: JournalEntry | undefined;
  readonly #states = new Map<string, string>();
  readonly #facts: JournalEntry[] = [];
  readonly #announcements: JournalEntry[] = [];
  readonly #deliveries = new Map<string, number>();
  readonly #strikes = new Map<string, number>();
  /** Events that faults swallowed, and how often faults sent others once more. */
  readonly #swallowed = new Set<string>();
  readonly #copies = new Map<string, number>();
  readonly #copiesOf = new Map<string, number>();
  /** Events in which a fault names another object. */
  readonly #aboutAnother = new Set<string>();

  constructor(sim: Simulator, assumptions: AssumptionOverrides) {
    this.#sim = sim;
    this.#retries = assumptions["webhook.retries"] ?? 12;
    this.#keepsOpenInvoices = assumptions["subscription.cancel"] === "keep";
  }

  /** @param redeliveries how often each event was sent again by hand */
  check(redeliveries: Readonly<Record<string, number>>): void {
    const { entries } = this.#sim.journal;
    for (; this.#read < entries.length; this.#read += 1) this.#readEntry(entries[this.#read] as JournalEntry);
    const events = this.#sim.webhooks.events();
    this.#checkClock();
    this.#checkAnnouncements(events);
    this.#checkDeliveries(events, redeliveries);
    this.#checkFaults();
    this.#checkMoney();
  }

  /** Checks the invariants that cost too much after every command. */
  checkAtTheEnd(redeliveries: Readonly<Record<string, number>>): void {
    this.check(redeliveries);
    this.#checkIds();
  }

  #readEntry(entry: JournalEntry): void {
    const { sequence, at, kind, details } = entry;
    assert.equal(sequence, (this.#last?.sequence ?? 0) + 1, "the journal has no gap");
    assert.ok(at >= (this.#last?.at ?? ""), `the journal goes back in time at ${sequence}`);
    assert.notEqual(kind, "failure", `the journal tells of a defect: ${JSON.stringify(details)}`);
    this.#last = entry;
    if (kind === "step" || kind === "timer") this.#readMove(details);
    if (kind === "fact" && this.#isAnnounced(details)) this.#facts.push(entry);
    if (kind === "webhook") this.#readEvent(entry);
    if (kind === "delivery") count(this.#deliveries, details["event"]);
    if (kind === "fault") this.#readFault(details);
  }

  /** Checks events that were announced, swallowed or made up; their deliveries come later. */
  #readEvent(entry: JournalEntry): void {
    const { status, fault, event } = entry.details as { status?: string; fault?: string; event?: string };
    if (!ANNOUNCED_AS.has(status ?? "")) return;
    if (fault !== undefined)
      assert.ok(this.#strikes.has(fault), `${event} is the work of ${fault}, which has not fired`);
    if (status === "dropped") this.#swallowed.add(String(event));
    // An event that a fault makes up tells of no fact.
    if (fault === undefined || status === "dropped") this.#announcements.push(entry);
  }

  #readFault({ act, id, kind, event, copies = 1 }: Details): void {
    const name = String(id);
    if (act === "add") {
      this.#strikes.delete(name);
      this.#copiesOf.set(name, Number(copies));
    }
    if (act !== "strike") return;
    count(this.#strikes, name);
    if (kind === "webhook.other-object") this.#aboutAnother.add(String(event));
    if (kind === "webhook.duplicate") count(this.#copies, String(event), this.#copiesOf.get(name));
  }

  #readMove({ resource, id, input, from, to }: Details): void {
    const key = `${String(resource)} ${String(id)}`;
    const move = `${key}: ${String(from)} → ${String(to)} by ${String(input)}`;
    assert.equal(from, this.#states.get(key), `${move}, which is not where it stood`);
    const machine = machines[String(resource)];
    assert.ok(machine !== undefined, `${move}, and there is no such machine`);
    const legal = from === undefined ? targetsAtCreation(machine) : targetsOf(machine, from, String(input));
    assert.ok(legal.includes(String(to)), `${move} is not a move of the machine; legal are ${legal.join(", ")}`);
    this.#states.set(key, String(to));
  }

  #isAnnounced({ type, id }: Details): boolean {
    if (UNANNOUNCED.has(String(type))) return false;
    return !String(id).startsWith("pi_") || this.#sim.intents.get(String(id))?.purpose !== "checkout";
  }

  #checkClock(): void {
    const { clock } = this.#sim;
    const now = clock.now();
    assert.ok((this.#last?.at ?? "") <= now, "the journal is ahead of the clock");
    for (const { at, key } of clock.pending()) {
      // Only its client ends a call that hangs, so it has no moment; everything else has one.
      if (key.startsWith("hanging-call/")) assert.equal(at, undefined, `${key} hangs, and is due at ${at}`);
      else assert.ok(at !== undefined && at >= now, `${key} is due at ${at}, and it is ${now}`);
    }
  }

  /** Every fact that merchants are told of has its event, in the same order and of the same moment, be it one that a fault swallowed. */
  #checkAnnouncements(known: readonly EventView[]): void {
    const told = (entry: JournalEntry): string => `${entry.at} ${String(entry.details["type"])}`;
    assert.deepEqual(this.#announcements.map(told), this.#facts.map(told), "every fact has its event");
    const events = new Map(known.map((event) => [event.id, event]));
    for (const [index, { details }] of this.#announcements.entries()) {
      const event = events.get(String(details["event"]));
      assert.ok(event !== undefined, `the event ${String(details["event"])} is gone`);
      const about = String(this.#facts[index]?.details["id"]);
      const token = this.#sim.checkouts.get(about)?.sessionToken ?? about;
      const isAboutAnother = this.#aboutAnother.has(event.id);
      const verdict = isAboutAnother ? "is about" : "is not about";
      assert.equal(
        JSON.stringify(event.body).includes(token),
        !isAboutAnother,
        `the event ${event.id} ${verdict} ${about}`,
      );
    }
    this.#announcements.length = 0;
    this.#facts.length = 0;
  }

  #checkDeliveries(events: readonly EventView[], redeliveries: Readonly<Record<string, number>>): void {
    const { webhooks, clock } = this.#sim;
    const due = new Set(clock.pending().map(({ key }) => key));
    // What a fault holds back, or what stands in line behind a slow answer, is due when that ends.
    const isHeldBack = [...due].some((key) => key.startsWith("webhook-window/") || key.startsWith("webhook-line/"));
    for (const { id, attempts, status, url } of events) {
      assert.equal(attempts, this.#deliveries.get(id) ?? 0, `the attempts of ${id} are those of the journal`);
      const scheduled = url === undefined || this.#swallowed.has(id) ? 0 : 1 + this.#retries;
      const most = scheduled + (redeliveries[id] ?? 0) + (this.#copies.get(id) ?? 0);
      assert.ok(attempts <= most, `${id} was tried ${attempts} times, and the schedule has ${most}`);
      if (status !== "pending") continue;
      assert.ok(due.has(`webhook/${id}/deliver`) || isHeldBack, `${id} is pending, and nothing will deliver it`);
    }
    for (const { eventId, at, nextAt, delivered } of webhooks.attempts()) {
      if (nextAt === undefined) continue;
      assert.ok(!delivered, `${eventId} was delivered and is tried again`);
      assert.ok(Date.parse(nextAt) - Date.parse(at) >= 2000, `${eventId} is tried again too soon`);
    }
  }

  /** A fault fires as often as the journal says, and as it was told to. */
  #checkFaults(): void {
    for (const { id, fault, hits, occasions } of this.#sim.faults.list()) {
      assert.equal(hits, this.#strikes.get(id) ?? 0, `${id} has fired as often as the journal says`);
      const most = Math.min(
        fault.nth === undefined ? Infinity : 1,
        fault.times ?? Infinity,
        occasions - (fault.after ?? 0),
      );
      assert.ok(hits <= Math.max(0, most), `${id} has fired ${hits} times, and may only ${most} times`);
    }
  }

  /** Every payment is one transaction whose status is its own, what succeeded is charged once, and the books balance. */
  #checkMoney(): void {
    const { intents, checkouts, transactions } = this.#sim;
    const known = new Map(transactions.list().map((transaction) => [transaction.id, transaction]));
    const sessions = checkouts.list();
    const payments = intents.list().filter(({ purpose }) => purpose !== "checkout");
    assert.equal(known.size, payments.length + sessions.length, "every payment is one transaction");
    let paid = 0;
    for (const { transactionId, status, amount } of [...payments, ...sessions]) {
      const transaction = known.get(transactionId);
      assert.equal(transaction?.status, transactionStatus[status], `${transactionId}, whose payment is ${status}`);
      assert.equal(transaction?.amount, amount, `the amount of ${transactionId}`);
      if (transaction?.status === "succeeded") paid += amount;
      else assert.equal(transaction?.net, 0, `what the merchant gets for ${transactionId}, which is ${status}`);
    }
    const charged = intents.list().filter(({ status }) => status === "succeeded");
    assert.equal(sum(charged), paid, "every session is paid by one intent");
    const ledger = this.#sim.ledger();
    assert.equal(ledger.balance, 0, "the ledger balances");
    assert.equal(ledger.balances.customers, paid, "customers paid what succeeded");
  }

  #checkIds(): void {
    const { intents, checkouts, plans, subscriptions, invoices, transactions, webhooks } = this.#sim;
    const ids = [intents, plans, subscriptions, invoices, transactions].flatMap((reader) =>
      reader.list().map(({ id }) => id),
    );
    const tokens = checkouts.list().map(({ sessionToken }) => sessionToken);
    const all = [...ids, ...tokens, ...webhooks.events().map(({ id }) => id)];
    assert.equal(new Set(all).size, all.length, "every id is used once");
    if (!this.#keepsOpenInvoices) subscriptionsHold(this.#sim);
  }
}

/** The states that an input leads to from a state, by the machine's own table. */
function targetsOf(machine: AnyStateMachine, from: string, input: string): string[] {
  const transitions = machine.root.states[from]?.transitions.get(input) ?? [];
  return transitions.flatMap(({ target }) => target?.map(({ key }) => key) ?? [from]);
}

function targetsAtCreation(machine: AnyStateMachine): string[] {
  return machine.root.initial.target.map(({ key }) => key);
}

function count(counts: Map<string, number>, key: string, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

function sum(amounts: readonly { readonly amount: number }[]): number {
  return amounts.reduce((total, { amount }) => total + amount, 0);
}
