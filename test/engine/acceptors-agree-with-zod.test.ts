import { subscribe, unsubscribe } from "node:diagnostics_channel";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { acceptorOf } from "../../src/kit/engine/acceptor.ts";
import { journalDetails } from "../../src/kit/engine/journal-shapes.ts";
import type { Table } from "../../src/kit/engine/table.ts";
import { livedThrough } from "../fuzz/mutated-worlds.ts";
import { mutated, mutation } from "../fuzz/mutations.ts";
import { randomScript } from "../fuzz/random-world.ts";

const SEED = 20_260_101;

const simple = fc.constantFrom<z.ZodMiniType>(
  z.string(),
  z.string().check(z.minLength(1), z.maxLength(3)),
  z.string().check(z.regex(/^a/), z.trim()),
  z.uuid(),
  z.coerce.string(),
  z.number(),
  z.int(),
  z.int32(),
  z.int().check(z.minimum(0), z.maximum(2)),
  z.coerce.number(),
  z.boolean(),
  z.coerce.boolean(),
  z.literal(["a", 1, true]),
  z.literal(undefined),
  z.enum(["a", "b"]),
  z.unknown(),
  z.never(),
  z.null(),
  z.json(),
  z._default(z.string(), "a"),
  z.prefault(z.int(), 1),
  z.custom((value) => value !== "a"),
  z.pipe(z.string(), z.transform(Number)),
  z.string().check(z.refine((value) => value !== "a")),
  z.unknown().check(
    z.superRefine((value, context) => {
      if (value === null) context.addIssue({ code: "custom", message: "not null" });
    }),
  ),
);

const { schema } = fc.letrec<{ schema: z.ZodMiniType }>((tie) => {
  const inner = tie("schema");
  const fields = fc.dictionary(fc.constantFrom("a", "b", "c"), inner, { maxKeys: 3, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      simple,
      inner.map((each) => z.optional(each)),
      inner.map((each) => z.exactOptional(each)),
      inner.map((each) => z.nullable(each)),
      inner.map((each) => z.array(each)),
      inner.map((each) => z.array(each).check(z.minLength(1))),
      inner.map((each) => z.record(z.string(), each)),
      fc.tuple(inner, inner).map((options) => z.union(options)),
      fc.tuple(inner, inner).map((options) => z.xor(options)),
      fields.map((shape) => z.object(shape)),
      fields.map((shape) => z.strictObject(shape)),
      fields.map((shape) => z.looseObject(shape)),
      fc.tuple(fields, inner).map(([shape, rest]) => z.catchall(z.object(shape), rest)),
      fields.map((shape) => z.strictObject(shape).check(z.refine((value) => Object.keys(value).length !== 2))),
      fields.map((shape) =>
        z.discriminatedUnion("kind", [
          z.strictObject({ ...shape, kind: z.literal("a") }),
          z.looseObject({ kind: z.literal("b") }),
        ]),
      ),
    ),
  };
});

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(undefined, null, true, false, "", "a", "b", "abcd", "0b7c3e5e-4f62-4d6e-9a55-0c5a2b7d7e11"),
    fc.constantFrom(0, 1, -1, 0.5, 3, -0, Number.NaN, Infinity, 2 ** 40, 1e300),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    fc.record({ kind: fc.constantFrom("a", "b", "c"), a: tie("value") }, { requiredKeys: ["kind"] }),
  ),
}));

test("a schema of any make takes the same values as its acceptor", () => {
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 10, maxLength: 10 }), (given, values) => {
      for (const each of values) expect(acceptorOf(given)(each)).toBe(given.safeParse(each).success);
    }),
    { seed: SEED, numRuns: 3000 },
  );
});

test("the rows and entries of random worlds, changed anywhere, are taken by both or by neither", async () => {
  const judged = { taken: 0, refused: 0 };
  const agree = (by: z.ZodMiniType, given: unknown): void => {
    const isTaken = by.safeParse(given).success;
    expect(acceptorOf(by)(given)).toBe(isTaken);
    judged[isTaken ? "taken" : "refused"] += 1;
  };
  const changes = fc.array(mutation, { minLength: 5, maxLength: 5 });
  const property = fc.asyncProperty(randomScript, changes, async (script, mutations) => {
    const tables = new Map<string, Table<unknown>>();
    const remember = (message: unknown): void => {
      for (const [name, table] of (message as { world: { tables: typeof tables } }).world.tables)
        tables.set(name, table);
    };
    subscribe("centavo:journal", remember);
    const { snapshot } = await livedThrough(script);
    unsubscribe("centavo:journal", remember);
    for (const [name, rows] of Object.entries(snapshot.world.tables)) {
      const { row } = (tables.get(name) as Table<unknown>).checks;
      const rowSchema = typeof row === "function" ? row() : row;
      for (const [, given] of rows) {
        agree(rowSchema, given);
        for (const each of mutations) agree(rowSchema, (mutated({ given }, each).data as { given?: unknown }).given);
      }
    }
    for (const { kind, details } of snapshot.world.journal) {
      agree(journalDetails()[kind], details);
      for (const each of mutations)
        agree(journalDetails()[kind], (mutated({ details }, each).data as { details?: unknown }).details);
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: 10, endOnFailure: true });
  expect(Math.min(judged.taken, judged.refused)).toBeGreaterThan(1000);
});

test("the schema in a lazy one is made once, when the first value is checked", () => {
  let made = 0;
  const parcel = z.lazy(() => {
    made += 1;
    return z.strictObject({ weight: z.int() });
  });
  const accepts = acceptorOf(parcel);
  expect(made).toBe(0);
  expect([{ weight: 1 }, { weight: "1" }, { weight: 2, label: "L" }, {}].map(accepts)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(made).toBe(1);
});
