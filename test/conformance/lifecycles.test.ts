import { describe, expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { declaredLifecycles, lifecycles } from "./lifecycles.ts";

test("every lifecycle of the resources has its table, and no other has", () => {
  const declared = declaredLifecycles.map(({ lifecycle }) => lifecycle.name);
  expect(lifecycles.map(({ lifecycle }) => lifecycle).toSorted()).toEqual(declared.toSorted());
});

describe.for(lifecycles)("the lifecycle of: $resource ($part)", ({ lifecycle: name, moves, statuses }) => {
  const declared = declaredLifecycles.find(({ lifecycle }) => lifecycle.name === name);
  if (declared === undefined) throw new Error(`No resource declares the lifecycle ${name}.`);
  const { statusOf: wordOf, status, lifecycle } = declared;
  const { machine } = lifecycle;

  test("has the moves of the document and of named assumptions, no more and no less", () => {
    expect([...movesOf(machine, wordOf)].toSorted()).toEqual(moves.map(({ from, to }) => `${from} → ${to}`).toSorted());
  });

  test.for(statuses)("has the status $word on the wire", ({ word, schema }) => {
    expect(schema.safeParse(word).success).toBe(true);
  });

  test("has no other status on the wire", () => {
    const words = statuses.filter(({ schema }) => schema === status).map(({ word }) => word);
    expect(status.options).toEqual(words);
    expect(Object.keys(wordOf).toSorted()).toEqual(Object.keys(machine.states).toSorted());
    expect([...new Set(Object.values(wordOf))].toSorted()).toEqual(words.toSorted());
  });
});

/** Every move that changes the status on the wire. */
function movesOf(machine: AnyStateMachine, wordOf: Readonly<Record<string, string>>): Set<string> {
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
