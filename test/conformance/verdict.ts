import type { AssumptionId } from "../../src/service/assumption-table.ts";

/** What stands behind a row: the service document alone, or named assumptions. */
export type Verdict = "supported" | { readonly assumed: readonly AssumptionId[] };

export function assumed(...ids: readonly [AssumptionId, ...AssumptionId[]]): Verdict {
  return { assumed: ids };
}
