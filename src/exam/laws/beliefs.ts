import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { Evidence } from "../evidence.ts";
import type { Belief } from "./law.ts";

/** The acts with which a customer asks for no payment. */
export const FREE_ACTS: ReadonlySet<string> = new Set(["look", "leave", "changePlan"]);

const conflictIsFailure: Belief = {
  misunderstanding: "A conflict (409 by default) means that the payment failed.",
  remedy:
    "A conflict says that the payment was confirmed before, or that an earlier call with the same Idempotency-Key is still under way. Read the status of that payment, and make no other.",
};

const planIsChargedAtOnce: Belief = {
  misunderstanding: "A change of plan is charged at once.",
  remedy:
    "Ask the service to change the plan (by default PATCH /api/subscription/{id}/plan), and charge nothing yourself: the next invoice has the new price, and the new plan begins with it.",
};

/** What makes a price wrong by a centavo, or no whole number of centavos. */
export const floatsAreExact: Belief = {
  misunderstanding: "19.99 times 100 is 1999.",
  remedy:
    "Keep amounts as whole centavos. In floating point, 19.99 * 100 is 1998.9999999999998: where a price has a decimal point, round what you compute, as in Math.round(19.99 * 100).",
};

/** The beliefs that make a merchant charge a customer again. */
export const chargingBeliefs: readonly Belief[] = [conflictIsFailure, planIsChargedAtOnce];

/** Returns the belief that led a merchant to charge a customer again, where what happened shows it. */
export function whyChargedAgain({ payments, subscriptions, seen }: Evidence, id: string): Partial<Belief> {
  const own = [...payments, ...subscriptions].filter(({ owner }) => owner === id);
  const latest = Math.max(...own.map(({ createdAt }) => OriginalDate.parse(createdAt)));
  const act = seen.acts.findLast(({ id: each, at, act: name }) => each === id && at <= latest && name !== "look");
  if (act?.act === "changePlan") return planIsChargedAtOnce;
  const isConflict = seen.calls.some(
    (call) => call.id === id && call.status === 409 && (call.answeredAt ?? Infinity) <= latest,
  );
  return isConflict ? conflictIsFailure : {};
}
