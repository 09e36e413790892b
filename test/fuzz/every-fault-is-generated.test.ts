import * as fc from "fast-check";
import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { recurrenceFields } from "../../src/kit/faults/recurrence.ts";
import { paymentService } from "../../src/service/service.ts";
import { faultOf } from "./random-faults.ts";

const declared = paymentService.knownFaults.families.flatMap(({ kinds }) =>
  kinds.map(({ kind, fields }) => ({
    kind,
    fields: Object.keys({ ...recurrenceFields, ...fields }),
  })),
);

describe("random faults", () => {
  test.for(declared)("$kind is one that a simulator takes", ({ kind }) => {
    const sim = createSimulator();
    fc.assert(
      fc.property(faultOf(kind), (fault) => {
        sim.faults.add(fault).remove();
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  test.for(declared)("$kind comes with each of its fields", ({ kind, fields }) => {
    const seen = new Set(fc.sample(faultOf(kind), { numRuns: 500, seed: 1 }).flatMap((fault) => Object.keys(fault)));
    expect(fields.filter((field) => field !== "id" && !seen.has(field))).toEqual([]);
  });
});
