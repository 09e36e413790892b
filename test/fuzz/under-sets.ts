import type { AssumptionOverrides } from "../../src/index.ts";
import { sets } from "../assumptions/sets.ts";

/**
 * The whole sets of values under which random stories end as the oracle says. It knows the usual bounds of amounts and statuses of successes
 * alone, so these values are left out.
 */
export const setsForStories: Readonly<Record<string, AssumptionOverrides>> = Object.fromEntries(
  Object.entries(sets).map(([name, { "http.bounds": _bounds, "http.success-status": _status, ...values }]) => [
    name,
    values,
  ]),
);
