import { describe, expect, test } from "vitest";
import { lifecycles } from "./lifecycles.ts";
import type { LifecycleRows } from "./lifecycles.ts";

describe.for(lifecycles)("the lifecycle of: $resource ($part)", ({ machine, wordOf, moves, statuses }) => {
  test("has the moves of the document and of named assumptions, no more and no less", () => {
    expect([...movesOf(machine, wordOf)].toSorted()).toEqual(moves.map(({ from, to }) => `${from} → ${to}`).toSorted());
  });

  test.for(statuses)("has the status $word on the wire", ({ word, schema }) => {
    expect(schema.safeParse(word).success).toBe(true);
  });

  test("has no other status on the wire", () => {
    const words = statuses.filter(({ schema }) => schema === statuses[0]?.schema).map(({ word }) => word);
    expect(statuses[0]?.schema).toMatchObject({ options: words });
    expect(Object.keys(wordOf).toSorted()).toEqual(Object.keys(machine.states).toSorted());
    expect([...new Set(Object.values(wordOf))].toSorted()).toEqual(words.toSorted());
  });
});

/** Every move that changes the status on the wire. */
function movesOf(machine: LifecycleRows["machine"], wordOf: LifecycleRows["wordOf"]): Set<string> {
  const moves = Object.values(machine.states).flatMap((state) =>
    [...state.transitions.values()].flat().flatMap(({ target = [] }) =>
      target.flatMap((next) => {
        const [from, to] = [wordOf[state.key], wordOf[next.key]];
        return from === to ? [] : [`${from} → ${to}`];
      }),
    ),
  );
  return new Set(moves);
}
