import * as fc from "fast-check";
import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { callFault, clockFault, processorFault, webhookFault } from "../../src/faults/schema.ts";
import { faultOf, fieldsOfKind } from "./random-faults.ts";

const options = [...callFault.options, ...processorFault.options, ...webhookFault.options, ...clockFault.options];

/** What says where a fault bites, or names it. */
const shared = new Set([
  "id",
  "kind",
  "resource",
  "merchant",
  "route",
  "method",
  "path",
  "paymentMethod",
  "customer",
  "event",
]);

describe("random faults", () => {
  test("are of every kind that the schema knows", () => {
    const kinds = options.map(({ shape }) => shape.kind.value);
    expect(Object.keys(fieldsOfKind).toSorted()).toEqual(kinds.toSorted());
  });

  test.for(options.map(({ shape }) => ({ kind: shape.kind.value })))(
    "$kind is one that a simulator takes",
    ({ kind }) => {
      const sim = createSimulator();
      fc.assert(
        fc.property(faultOf(kind), (fault) => {
          sim.faults.add(fault).remove();
        }),
        { numRuns: 50, seed: 1 },
      );
    },
  );

  test.for(options.map(({ shape }) => ({ kind: shape.kind.value, shape })))(
    "$kind comes with each field of its own",
    ({ kind, shape }) => {
      const fields = Object.keys(shape).filter((field) => !shared.has(field));
      const seen = new Set(fc.sample(faultOf(kind), { numRuns: 500, seed: 1 }).flatMap((fault) => Object.keys(fault)));
      expect(fields.filter((field) => !seen.has(field))).toEqual([]);
    },
  );
});
