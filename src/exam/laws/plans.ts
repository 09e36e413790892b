import type { PlanView } from "../../simulator/payment-service.ts";
import type { Evidence } from "../evidence.ts";

type PlanOfService = Pick<PlanView, "id" | "name" | "amount" | "interval" | "intervalCount">;

/**
 * Learns which words of the books mean which plan of the service from one member's acts: a subscription begins with the
 * plan that the member joined, and any other plan is the one that the member changed to. A merchant may recreate a plan
 * under another name, so two plans of the same price count as one.
 */
export function wordedPlans(
  { seen, plans }: Evidence,
  owner: string,
): {
  /** Whether a word in the books means this plan; undefined when unknown. */
  readonly isPlan: (word: string, plan: PlanOfService) => boolean | undefined;
} {
  const acts = seen.acts.filter(({ id }) => id === owner);
  const joined = new Set(acts.flatMap(({ act, plan }) => (act === "join" ? [plan] : [])));
  const changed = new Set(acts.flatMap(({ act, plan }) => (act === "changePlan" ? [plan] : [])));
  const first = seen.readings
    .flatMap(({ subscriptions }) => subscriptions)
    .find(({ id }) => seen.owners.get(id) === owner)?.plan;
  return {
    isPlan: (word, plan) => {
      const named = [plan, ...plans].filter(({ id, name }) => same(word, id) || same(word, name));
      if (named.length > 0) return named.some((each) => costsTheSame(each, plan));
      if (first !== undefined && first.id !== plan.id && costsTheSame(first, plan)) return undefined;
      const words = plan.id === first?.id ? joined : changed;
      const others = plan.id === first?.id ? changed : joined;
      if (words.size !== 1 || others.size > 1) return undefined;
      if (words.has(word)) return true;
      return others.has(word) ? false : undefined;
    },
  };
}

function costsTheSame(one: PlanOfService, other: PlanOfService): boolean {
  return one.amount === other.amount && one.interval === other.interval && one.intervalCount === other.intervalCount;
}

function same(word: string, other: string): boolean {
  return word.toLowerCase() === other.toLowerCase();
}
