import type { AssumptionId } from "../../src/assumptions.ts";

/** What stands behind a row: the service document alone, named assumptions, or nothing yet. */
export type Verdict = "supported" | { readonly assumed: readonly AssumptionId[] } | { readonly notBuilt: Area };

/** What is not built yet, why, and the paths that show that it is. */
export const areas = {
  subscriptions: {
    reason: "payments come first: a subscription is charged through payment intents",
    paths: "/api/subscription",
  },
  transactions: {
    reason: "the records are derived from payments and subscriptions, so they come after both",
    paths: "/api/transactions",
  },
} as const;

export type Area = keyof typeof areas;

export function assumed(...ids: readonly [AssumptionId, ...AssumptionId[]]): Verdict {
  return { assumed: ids };
}

export function notBuilt(area: Area): Verdict {
  return { notBuilt: area };
}
