import type { Simulator } from "centavo";
import { expect } from "vitest";
import { DAY, type Invoice, type Subscription } from "./merchant.ts";

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

/** Every move that subscriptions and invoices may make. */
export const LEGAL_MOVES = [...SUBSCRIPTION_MOVES, ...INVOICE_MOVES];

/** The moves that subscriptions and invoices of a world have made. */
export function movesSeen(sim: Simulator): string[] {
  return [...movesOf(sim, "subscription"), ...movesOf(sim, "invoice")].map(({ from, to }) => `${from} → ${to}`);
}

/** What is true of every world with subscriptions, at any moment. */
export function holds(sim: Simulator): void {
  checkMoves(movesOf(sim, "subscription"), SUBSCRIPTION_MOVES);
  const invoiceMoves = movesOf(sim, "invoice");
  checkMoves(invoiceMoves, INVOICE_MOVES);
  const byInvoice = Map.groupBy(invoiceMoves, ({ id }) => id);
  const invoices = sim.invoices.list();
  for (const invoice of invoices) checkAttempts(invoice, byInvoice.get(invoice.id) ?? []);
  const failed = new Set(invoiceMoves.flatMap(({ id, input }) => (input === "attempt_failed" ? [id] : [])));
  const bySubscription = Map.groupBy(invoices, ({ subscriptionId }) => subscriptionId);
  for (const subscription of sim.subscriptions.list())
    checkStanding(subscription, bySubscription.get(subscription.id) ?? [], failed, Date.parse(sim.clock.now()));
  checkMoney(sim, invoices);
  for (const { at } of sim.clock.pending()) expect(at >= sim.clock.now()).toBe(true);
}

function movesOf(sim: Simulator, resource: string): Move[] {
  return sim.journal.entries
    .filter(({ kind, details }) => (kind === "step" || kind === "timer") && details["resource"] === resource)
    .map(({ at, details }) => {
      const { id, input, from, to } = details as unknown as Omit<Move, "at">;
      return { at, id, input, from, to };
    });
}

function checkMoves(moves: readonly Move[], legal: ReadonlySet<string>): void {
  const state = new Map<string, string>();
  for (const { id, from, to } of moves) {
    expect(from).toBe(state.get(id));
    if (from !== undefined) expect(FINAL).not.toContain(from);
    if (from !== undefined && from !== to) expect(legal).toContain(`${from} → ${to}`);
    state.set(id, to);
  }
}

function checkAttempts({ attemptCount }: Invoice, moves: readonly Move[]): void {
  expect(moves.filter(({ input }) => input === "attempt")).toHaveLength(attemptCount);
  const firstFailure = moves.find(({ input }) => input === "attempt_failed")?.at ?? Number.NaN;
  const retries = moves.flatMap((move, index) => (move.input === "retry_due" ? [{ ...move, index }] : []));
  expect(retries.length).toBeLessThanOrEqual(3);
  for (const [count, { at, index }] of retries.entries()) {
    const scheduled = firstFailure + (count + 1) * DAY;
    expect(at).toBeGreaterThanOrEqual(scheduled);
    // A retry is late only where an attempt kept it waiting, which ended at this very moment.
    if (at > scheduled) expect(moves[index - 1]).toMatchObject({ at, from: "charging" });
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
  const { status, createdAt, currentPeriodStart, currentPeriodEnd, nextBillingAt } = subscription;
  const open = invoices.filter((invoice) => invoice.status === "open");
  const [oldest] = open;
  for (const [index, { periodStart }] of invoices.entries())
    if (index > 0) expect(invoices[index - 1]?.periodEnd).toBe(periodStart);
  expect(subscription.latestInvoice.id).toBe(invoices.at(-1)?.id);
  if (status === "incomplete") {
    expect(invoices).toHaveLength(1);
    if (now >= Date.parse(createdAt) + DAY) expect(oldest?.paymentIntent.status).toBe("processing");
    return;
  }
  if (status === "cancelled" || status === "incomplete_cancelled") {
    expect(nextBillingAt).toBeUndefined();
    for (const invoice of open) expect(invoice.paymentIntent.status).toBe("processing");
    return;
  }
  expect(currentPeriodStart).toBe(invoices.at(-1)?.periodStart);
  expect(nextBillingAt).toBe(currentPeriodEnd);
  // Nothing but a customer moves an invoice that has failed all of its retries; any other oldest one is on its way.
  if (oldest !== undefined && !isInFlight(oldest) && oldest.nextAttemptAt === undefined)
    expect(failed.has(oldest.id)).toBe(true);
  if (status === "active") expect(oldest === undefined || isInFlight(oldest)).toBe(true);
  else expect(oldest).toBeDefined();
  if (status === "past_due")
    expect(open.some((invoice) => isInFlight(invoice) || invoice.nextAttemptAt !== undefined)).toBe(true);
}

function checkMoney(sim: Simulator, invoices: readonly Invoice[]): void {
  const sum = (amounts: readonly { readonly amount: number }[]): number =>
    amounts.reduce((total, { amount }) => total + amount, 0);
  const succeeded = sim.transactions.list().filter(({ status }) => status === "succeeded");
  expect(sum(invoices.filter(({ status }) => status === "paid"))).toBe(sum(succeeded));
  expect(new Set(succeeded.map(({ invoiceId }) => invoiceId)).size).toBe(succeeded.length);
  expect(sim.ledger().balance).toBe(0);
  expect(sim.ledger().balances.customers).toBe(sum(succeeded));
}
