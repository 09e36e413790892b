import assert from "node:assert/strict";
import type { Simulator } from "centavo";
import type { Invoice, Subscription } from "../merchant/answers.ts";

const DAY = 86_400_000;

/** The moves of part 3.3 and of the `subscription.*` assumptions; any state may also stay what it is. */
const SUBSCRIPTION_MOVES = new Set([
  "incomplete → active",
  "incomplete → incomplete_cancelled",
  "incomplete → cancelled",
  "active → past_due",
  "active → cancelled",
  "past_due → active",
  "past_due → unpaid",
  "past_due → cancelled",
  "unpaid → active",
  "unpaid → cancelled",
]);
const INVOICE_MOVES = new Set([
  "open → charging",
  "open → void",
  "charging → open",
  "charging → paid",
  "charging → void",
]);
const FINAL = new Set(["incomplete_cancelled", "cancelled", "paid", "void"]);

interface Move {
  readonly at: number;
  readonly id: string;
  readonly input: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** The invariants of every world with subscriptions, at any moment. */
export function holds(sim: Simulator): void {
  const { subscription: subscriptionMoves, invoice: invoiceMoves } = movesOf(sim);
  checkMoves(subscriptionMoves, SUBSCRIPTION_MOVES);
  checkMoves(invoiceMoves, INVOICE_MOVES);
  const byInvoice = Map.groupBy(invoiceMoves, ({ id }) => id);
  const invoices = sim.invoices.list();
  for (const invoice of invoices) checkAttempts(invoice, byInvoice.get(invoice.id) ?? []);
  const failed = new Set(invoiceMoves.flatMap(({ id, input }) => (input === "attempt_failed" ? [id] : [])));
  const bySubscription = Map.groupBy(invoices, ({ subscriptionId }) => subscriptionId);
  for (const subscription of sim.subscriptions.list())
    checkStanding(subscription, bySubscription.get(subscription.id) ?? [], failed, Date.parse(sim.clock.now()));
  checkMoney(sim, invoices);
}

/** Reads the journal once, because each reading copies it. */
function movesOf(sim: Simulator): { readonly subscription: readonly Move[]; readonly invoice: readonly Move[] } {
  const steps = sim.journal.entries.filter(({ kind }) => kind === "step" || kind === "timer");
  const moves = (resource: string): Move[] =>
    steps
      .filter(({ details }) => details["resource"] === resource)
      .map(({ at, details }) => {
        const { id, input, from, to } = details as unknown as Omit<Move, "at">;
        return { at: Date.parse(at), id, input, from, to };
      });
  return { subscription: moves("subscription"), invoice: moves("invoice") };
}

function checkMoves(moves: readonly Move[], legal: ReadonlySet<string>): void {
  const state = new Map<string, string>();
  for (const { id, from, to } of moves) {
    assert.equal(from, state.get(id), `where ${id} stood`);
    if (from !== undefined) assert.ok(!FINAL.has(from), `${id} left ${from}`);
    if (from !== undefined && from !== to) assert.ok(legal.has(`${from} → ${to}`), `${id}: ${from} → ${to}`);
    state.set(id, to);
  }
}

function checkAttempts({ id, attemptCount }: Invoice, moves: readonly Move[]): void {
  assert.equal(moves.filter(({ input }) => input === "attempt").length, attemptCount, `the attempts of ${id}`);
  const firstFailure = moves.find(({ input }) => input === "attempt_failed")?.at ?? Number.NaN;
  const retries = moves.flatMap((move, index) => (move.input === "retry_due" ? [{ ...move, index }] : []));
  assert.ok(retries.length <= 3, `the retries of ${id}`);
  for (const [count, { at, index }] of retries.entries()) {
    const scheduled = firstFailure + (count + 1) * DAY;
    assert.ok(at >= scheduled, `retry ${count + 1} of ${id} is early`);
    if (at === scheduled) continue;
    // A retry is late only if it waited for an attempt that ended at this very moment.
    const before = moves[index - 1];
    assert.deepEqual([before?.at, before?.from], [at, "charging"], `retry ${count + 1} of ${id} is late`);
  }
}

function isInFlight({ paymentIntent: { status } }: Invoice): boolean {
  return status === "processing" || status === "requires_action";
}

function checkStanding(
  subscription: Subscription,
  invoices: readonly Invoice[],
  failed: ReadonlySet<string>,
  now: number,
): void {
  const { id, status, createdAt, currentPeriodStart, currentPeriodEnd, nextBillingAt } = subscription;
  const open = invoices.filter((invoice) => invoice.status === "open");
  const [oldest] = open;
  for (const [index, { periodStart }] of invoices.entries())
    if (index > 0) assert.equal(invoices[index - 1]?.periodEnd, periodStart, `${id} has a gap between its periods`);
  assert.equal(subscription.latestInvoice.id, invoices.at(-1)?.id, `the latest invoice of ${id}`);
  const stands = `${id} is ${status}`;
  if (status === "incomplete") {
    assert.equal(invoices.length, 1, stands);
    if (now >= Date.parse(createdAt) + DAY) assert.equal(oldest?.paymentIntent.status, "processing", stands);
    return;
  }
  if (status === "cancelled" || status === "incomplete_cancelled") {
    assert.equal(nextBillingAt, undefined, stands);
    for (const invoice of open) assert.equal(invoice.paymentIntent.status, "processing", stands);
    return;
  }
  assert.equal(currentPeriodStart, invoices.at(-1)?.periodStart, stands);
  assert.equal(nextBillingAt, currentPeriodEnd, stands);
  // Only a customer moves an invoice that has failed all of its retries; any other oldest one has an attempt or a retry to come.
  if (oldest !== undefined && !isInFlight(oldest) && oldest.nextAttemptAt === undefined)
    assert.ok(failed.has(oldest.id), `${stands}, and nothing happens to ${oldest.id}`);
  if (status === "active")
    assert.ok(oldest === undefined || isInFlight(oldest), `${stands}, and ${oldest?.id} is open`);
  else assert.ok(oldest !== undefined, `${stands}, and nothing is open`);
  if (status === "past_due")
    assert.ok(
      open.some((invoice) => isInFlight(invoice) || invoice.nextAttemptAt !== undefined),
      `${stands}, and nothing more is tried`,
    );
}

function checkMoney(sim: Simulator, invoices: readonly Invoice[]): void {
  const sum = (amounts: readonly { readonly amount: number }[]): number =>
    amounts.reduce((total, { amount }) => total + amount, 0);
  const transactions = sim.transactions.list();
  const succeeded = transactions.filter(({ status }) => status === "succeeded");
  const billed = succeeded.filter(({ subscriptionId }) => subscriptionId !== undefined);
  assert.equal(sum(invoices.filter(({ status }) => status === "paid")), sum(billed), "what was billed was paid");
  assert.equal(new Set(billed.map(({ invoiceId }) => invoiceId)).size, billed.length, "no invoice is paid twice");
  const payable = new Set(
    invoices.flatMap(({ status, paymentIntent }) => (status === "open" ? [paymentIntent.id] : [])),
  );
  for (const { id, status, subscriptionId, intentId = "" } of transactions)
    if (subscriptionId !== undefined && status === "pending")
      assert.ok(payable.has(intentId), `${id} is pending, and no open invoice's`);
  assert.equal(sim.ledger().balance, 0);
  assert.equal(sim.ledger().balances.customers, sum(succeeded));
}
