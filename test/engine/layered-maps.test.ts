import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LayeredMap } from "../../src/kit/engine/layered-map.ts";

type Move =
  | { readonly kind: "set"; readonly map: number; readonly key: string; readonly value: number }
  | { readonly kind: "delete"; readonly map: number; readonly key: string }
  | { readonly kind: "fork"; readonly map: number }
  /** Goes through the map, and writes at the first few members. */
  | {
      readonly kind: "loop";
      readonly map: number;
      readonly writes: readonly (readonly [string, number | undefined])[];
    };

const map = fc.nat(99);
const key = fc.nat(24).map(String);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("set" as const), map, key, value: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("delete" as const), map, key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fork" as const), map }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("loop" as const),
      map,
      writes: fc.array(fc.tuple(key, fc.option(fc.nat(9), { nil: undefined })), { maxLength: 6 }),
    }),
  },
);

interface Writable {
  set(key: string, value: number): unknown;
  delete(key: string): unknown;
}

function write(to: Writable, name: string, value: number | undefined): void {
  if (value === undefined) to.delete(name);
  else to.set(name, value);
}

/** Writes at each of the first members, and returns every member that the loop saw. */
function loop(
  through: Iterable<[string, number]> & Writable,
  writes: Extract<Move, { kind: "loop" }>["writes"],
): [string, number][] {
  const seen: [string, number][] = [];
  for (const member of through) {
    const next = writes[seen.length];
    seen.push(member);
    if (next !== undefined) write(through, ...next);
  }
  return seen;
}

test("a map with forks behaves like one that is copied whole, in every world", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 200, size: "max" }), (moves) => {
      const worlds: [LayeredMap<number>, Map<string, number>][] = [[new LayeredMap(), new Map<string, number>()]];
      for (const step of moves) {
        const [ours, model] = worlds[step.map % worlds.length] as (typeof worlds)[number];
        if (step.kind === "fork") worlds.push([ours.fork(), new Map(model)]);
        else if (step.kind === "loop") expect(loop(ours, step.writes)).toEqual(loop(model, step.writes));
        else for (const each of [ours, model]) write(each, step.key, step.kind === "set" ? step.value : undefined);
      }
      for (const [ours, model] of worlds) {
        expect([...ours]).toEqual([...model]);
        expect([...ours.keys()]).toEqual([...model.keys()]);
        expect([...ours.values()]).toEqual([...model.values()]);
        expect(ours.size).toBe(model.size);
        for (let number = 0; number < 25; number += 1) expect(ours.get(String(number))).toBe(model.get(String(number)));
      }
    }),
    { numRuns: 300, seed: 20_260_101 },
  );
});
