import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BlockList } from "../../src/kit/engine/block-list.ts";

const move = fc.record({
  list: fc.nat(99),
  kind: fc.constantFrom("push", "push", "truncate", "fork"),
  // Around the size of a block.
  length: fc.oneof(fc.nat(12_000), fc.constantFrom(0, 1, 4095, 4096, 4097, 8192)),
});

test("a list in blocks behaves like an array that every copy copies whole", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 20 }), (moves) => {
      const lists: [BlockList<number>, number[]][] = [[new BlockList(), []]];
      let next = 0;
      for (const { list, kind, length } of moves) {
        const [ours, model] = lists[list % lists.length] as (typeof lists)[number];
        if (kind === "fork") lists.push([ours.fork(), [...model]]);
        else if (kind === "truncate") {
          const left = Math.min(length, model.length);
          ours.truncate(left);
          model.length = left;
        } else
          for (let index = 0; index < length; index += 1) {
            ours.push((next += 1));
            model.push(next);
          }
      }
      for (const [ours, model] of lists) {
        const middle = model.length >> 1;
        expect(ours.from(0)).toEqual(model);
        expect(ours.from(middle)).toEqual(model.slice(middle));
        expect(model.every((member, index) => ours.at(index) === member)).toBe(true);
        expect([ours.length, ours.last]).toEqual([model.length, model.at(-1)]);
      }
    }),
    { numRuns: 200, seed: 20_260_101 },
  );
});
