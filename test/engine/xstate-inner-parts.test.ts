import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { setup } from "xstate";
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate";

// One test for each inner part of XState that src/kit/engine/lifecycle.ts leans on. When a new version breaks a step, the first failure
// here says which part has changed.

interface Data {
  readonly count: number;
}
interface Input {
  readonly type: "go" | "look" | "stay" | "refused" | "end";
}

const machineSetup = setup({
  types: {
    context: {} as Data,
    events: {} as Input,
    emitted: {} as { type: "gone" },
    input: {} as { count: number },
  },
  guards: { never: () => false },
});
const { assign, cancel, emit, enqueueActions, raise } = machineSetup;
const machine = machineSetup.createMachine({
  context: ({ input }) => input,
  initial: "a",
  states: {
    a: {
      on: {
        go: {
          target: "b",
          actions: [
            assign({ count: ({ context }) => context.count + 1 }),
            raise({ type: "stay" }, { id: "timer", delay: ({ context }) => context.count }),
            cancel("other"),
            emit({ type: "gone" }),
          ],
        },
        look: {},
        refused: { guard: "never", target: "b" },
        end: "c",
      },
    },
    b: {},
    c: { type: "final" },
  },
});

/** What Centavo asks a machine with in place of a snapshot. */
const snapshotOf = (state: string, count = 1) =>
  ({ machine, value: state, context: { count } }) as unknown as AnyMachineSnapshot;

const taken = (type: Input["type"], state = "a") =>
  (machine as AnyStateMachine).getTransitionData(snapshotOf(state), { type });

/** The fields of an action that are not functions. */
const fieldsOf = (action: unknown): object => ({ ...(action as object) });

describe("XState's inner parts:", () => {
  test("the minor version is the one that these tests passed with", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    const { version } = JSON.parse(readFileSync("node_modules/xstate/package.json", "utf8")) as { version: string };
    expect(dependencies["xstate"]).toMatch(/^~5\.33\.\d+$/);
    expect(version).toMatch(/^5\.33\./);
  });

  test("the transition data lists what is taken, an empty transition too, and nothing that a guard refuses", () => {
    const counts = (["go", "look", "refused", "stay"] as const).map((type) => taken(type).length);
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  test("a transition has its source, its targets, whether it enters again, and its actions", () => {
    const { root } = machine;
    expect(taken("go")[0]).toMatchObject({ source: root.states["a"], target: [root.states["b"]], reenter: false });
    expect(taken("look")[0]).toMatchObject({ source: root.states["a"], target: undefined, actions: [] });
    expect(taken("go")[0]?.actions).toHaveLength(4);
  });

  test("an action is a function with a type, and with what it was made from", () => {
    const [assigning, raising, cancelling, emitting] = (taken("go")[0]?.actions ?? []).map(fieldsOf);
    expect(assigning).toMatchObject({ type: "xstate.assign", assignment: { count: expect.any(Function) as unknown } });
    const delay: unknown = expect.any(Function);
    expect(raising).toMatchObject({ type: "xstate.raise", event: { type: "stay" }, id: "timer", delay });
    expect(cancelling).toMatchObject({ type: "xstate.cancel", sendId: "other" });
    expect(emitting).toMatchObject({ type: "xstate.emit", event: { type: "gone" } });
  });

  test("an action that enqueues others resolves to them as its third part", () => {
    const action = enqueueActions(({ context, check, enqueue }) => {
      if (context.count === 4 && !check("never")) enqueue(emit({ type: "gone" }));
      enqueue.assign({ count: 5 });
    }) as unknown as { type: string; resolve: (...parts: unknown[]) => unknown[] };
    const given = { context: { count: 4 }, event: { type: "go" } };
    const queued = action.resolve({}, snapshotOf("a", 4), given, undefined, action)[2] as unknown[];
    expect(action.type).toBe("xstate.enqueueActions");
    expect(queued.map(fieldsOf)).toMatchObject([{ type: "xstate.emit" }, { type: "xstate.assign" }]);
  });

  test("the way in has its target and its actions", () => {
    expect(machine.root.initial).toMatchObject({ target: [machine.root.states["a"]], actions: [] });
  });

  test("a machine tells the types of its states, and what they invoke", () => {
    expect(machine.root.type).toBe("compound");
    expect(Object.values(machine.root.states).map(({ key, type, invoke }) => [key, type, invoke])).toEqual([
      ["a", "atomic", []],
      ["b", "atomic", []],
      ["c", "final", []],
    ]);
  });
});
