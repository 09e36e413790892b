import type { Evidence } from "../evidence.ts";

interface PlanOfService {
  readonly id: string;
  readonly name: string;
}

/**
 * Learns the merchant's words for the service's plans from what one member did: the plan that a subscription began with is the one that the
 * member joined, and any other one is that to which the member changed.
 */
export function wordedPlans(
  { seen, plans }: Evidence,
  owner: string,
): {
  /** Whether a word of the books means a plan; undefined when that cannot be told. */
  readonly isPlan: (word: string, plan: PlanOfService) => boolean | undefined;
} {
  const acts = seen.acts.filter(({ id }) => id === owner);
  const joined = new Set(acts.flatMap(({ act, plan }) => (act === "join" ? [plan] : [])));
  const changed = new Set(acts.flatMap(({ act, plan }) => (act === "changePlan" ? [plan] : [])));
  const first = seen.readings
    .flatMap(({ subscriptions }) => subscriptions)
    .find(({ id }) => seen.owners.get(id) === owner)?.plan.id;
  return {
    isPlan: (word, { id, name }) => {
      if (same(word, id) || same(word, name)) return true;
      if (plans.some((plan) => same(word, plan.id) || same(word, plan.name))) return false;
      const words = id === first ? joined : changed;
      const others = id === first ? changed : joined;
      if (words.size !== 1 || others.size > 1) return undefined;
      if (words.has(word)) return true;
      return others.has(word) ? false : undefined;
    },
  };
}

function same(word: string, other: string): boolean {
  return word.toLowerCase() === other.toLowerCase();
}
