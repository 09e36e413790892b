import { verdictOnAnswer } from "../../merchant/deliveries/judge-answer.ts";
import type { ExpectedEffect } from "./hostile-case.ts";
import type { HostileFault, HostileFaultKind } from "./hostile-report.ts";
import type { JudgedDelivery, OrderState } from "./trial.ts";

/** The fault of a case: its kind, and why it is wrong. */
export type Verdict = Pick<HostileFault, "kind" | "why">;

/** Returns the worst fault of a case, or undefined if there is none. */
export function verdictOn(
  deliveries: readonly JudgedDelivery[],
  effect: ExpectedEffect,
  before: OrderState,
  after: OrderState,
): Verdict | undefined {
  const verdicts = [
    ...deliveries.map(({ delivery: { answer, method }, expected }) => verdictOnAnswer(answer, expected, method)),
    verdictOnEffect(effect, before, after),
  ];
  return WORST_FIRST.flatMap((kind) => verdicts.find((verdict) => verdict?.kind === kind) ?? [])[0];
}

const WORST_FIRST: readonly HostileFaultKind[] = ["fulfilled", "changed", "accepted", "crashed", "refused"];

function verdictOnEffect(effect: ExpectedEffect, before: OrderState, after: OrderState): Verdict | undefined {
  const wanted = FULFILMENTS[effect];
  const verdict =
    verdictOnCount(before.fulfilments, wanted.before, " before the first hostile delivery") ??
    verdictOnCount(after.fulfilments, wanted.after, "");
  if (verdict !== undefined || !wanted.stays || after.status === before.status) return verdict;
  return { kind: "changed", why: `The order was ${before.status}, and became ${after.status}.` };
}

type Range = readonly [least: number, most: number];

function verdictOnCount(count: number, [least, most]: Range, when: string): Verdict | undefined {
  if (count < least)
    return {
      kind: "refused",
      why: `The order was paid, and fulfilled ${times(count)} instead of ${times(least)}${when}.`,
    };
  const instead = most === 0 ? "though it was unpaid" : `instead of ${times(most)}`;
  return count > most
    ? { kind: "fulfilled", why: `The order was fulfilled ${times(count)}, ${instead}${when}.` }
    : undefined;
}

interface Fulfilments {
  readonly before: Range;
  readonly after: Range;
  /** Whether the status must stay the same. */
  readonly stays: boolean;
}

/** The minimum and maximum number of fulfilments of an order. */
const FULFILMENTS: Readonly<Record<ExpectedEffect, Fulfilments>> = {
  "first fulfilment": { before: [0, 0], after: [1, 1], stays: false },
  "one fulfilment": { before: [0, 1], after: [1, 1], stays: false },
  "at most one": { before: [0, 1], after: [0, 1], stays: false },
  none: { before: [0, 0], after: [0, 0], stays: true },
  unchanged: { before: [1, 1], after: [1, 1], stays: true },
};

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
