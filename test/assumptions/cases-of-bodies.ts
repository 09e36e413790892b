import { assumptionTable } from "centavo";
import { alternativesOf } from "../../src/kit/assumptions/alternatives.ts";
import { rowsOfBodies } from "../../src/service/wire/shapes.ts";
import type { RouteBodies, RowOfBodies } from "../../src/service/wire/shapes.ts";
import { everyCall } from "./all-calls.ts";
import type { Case, CasesOf } from "./case.ts";

/** The bodies of answers, which `bodies-of-routes.test.ts` looks at more closely. */
export const casesOfBodies = Object.fromEntries(
  rowsOfBodies.map((row) => [row, caseOf(row)]),
) as unknown as CasesOf<RowOfBodies>;

/** Looks at which answers have all but their id in `attributes`. */
function caseOf(row: RowOfBodies): Case<RouteBodies> {
  const inAttributes = alternativesOf(assumptionTable[row])[1]?.value as RouteBodies;
  const sees = (shaped: boolean) => Object.fromEntries(Object.keys(inAttributes).map((route) => [route, shaped]));
  return {
    async look({ sim, assumptions }) {
      const answered = await everyCall(assumptions, sim);
      return Object.fromEntries(
        Object.keys(inAttributes).map((route) => {
          const wire = answered[route]?.wire as { readonly data: object } | undefined;
          return [route, wire !== undefined && "attributes" in wire.data];
        }),
      );
    },
    sees: [
      [{}, sees(false)],
      [inAttributes, sees(true)],
    ],
  };
}
