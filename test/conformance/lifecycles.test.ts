import { describe, expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { lifecycles } from "./lifecycles.ts";

const built = lifecycles.flatMap(({ machine, ...rows }) => (machine === undefined ? [] : [{ ...rows, machine }]));

describe.for(built)("the lifecycle of: $resource ($part)", ({ machine, moves, statuses }) => {
  test("has the moves of the document and of named assumptions, no more and no less", () => {
    expect([...transitionsOf(machine)].toSorted()).toEqual(moves.map(({ from, to }) => `${from} → ${to}`).toSorted());
  });

  test.for(statuses)("has the status $word on the wire", ({ word, schema }) => {
    expect(schema?.safeParse(word).success).toBe(true);
  });

  test("has no other status on the wire", () => {
    const words = statuses.flatMap(({ word, verdict }) => (verdict === "supported" ? [word] : []));
    expect(Object.keys(machine.states).toSorted()).toEqual(words.toSorted());
    expect(statuses[0]?.schema).toMatchObject({ options: words });
  });
});

function transitionsOf(machine: AnyStateMachine): Set<string> {
  const moves = Object.values(machine.states).flatMap((state) =>
    [...state.transitions.values()]
      .flat()
      .flatMap(({ target = [] }) => target.map((next) => `${state.key} → ${next.key}`)),
  );
  return new Set(moves);
}
