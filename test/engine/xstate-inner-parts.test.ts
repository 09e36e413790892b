import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createEmptyActor, setup, transition } from "xstate";
import type { AnyMachineSnapshot } from "xstate";

// One test for each inner part of XState that src/engine/lifecycle.ts leans on. When a new version breaks a step, the first failure
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
    input: {} as { count: number } | undefined,
  },
  guards: { never: () => false },
});
const { assign, cancel, emit, raise } = machineSetup;
const machine = machineSetup.createMachine({
  context: ({ input }) => {
    if (input === undefined) throw new RangeError("no input");
    return input;
  },
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

interface Returned {
  readonly type: string;
  readonly params: unknown;
}

const idle = createEmptyActor();

function scope(returned: Returned[]): Parameters<typeof machine.transition>[2] {
  const nothing = (): void => {};
  return {
    self: idle,
    system: idle.system,
    id: "thing",
    sessionId: "thing",
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor: (action: Returned) => returned.push(action),
  } as unknown as Parameters<typeof machine.transition>[2];
}

const snapshotOf = (state: "a" | "b" | "c", count = 1) =>
  ({ ...machine.resolveState({ value: state, context: { count: 0 } }), context: { count } }) as ReturnType<
    typeof machine.resolveState
  >;

function step(input: Input) {
  const returned: Returned[] = [];
  const before = snapshotOf("a");
  return { before, after: machine.transition(before, input, scope(returned)) as AnyMachineSnapshot, returned };
}

describe("XState's inner parts:", () => {
  test("the minor version is the one that these tests passed with", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    const { version } = JSON.parse(readFileSync("node_modules/xstate/package.json", "utf8")) as { version: string };
    expect(dependencies["xstate"]).toMatch(/^~5\.33\.\d+$/);
    expect(version).toMatch(/^5\.33\./);
  });

  test("an empty actor that never starts has the system that a step reads", () => {
    expect(idle.system).toBeDefined();
  });

  test("a resolved state with another context is a snapshot like the one that a transition gives", () => {
    const [after] = transition(machine, snapshotOf("a", 4), { type: "go" });
    expect(after).toMatchObject({ value: "b", context: { count: 5 }, status: "active" });
  });

  test("a resolved state is done in a final state, and active in any other", () => {
    expect([snapshotOf("a").status, snapshotOf("c").status]).toEqual(["active", "done"]);
  });

  test("a transition takes a plain object as its scope, and gives state, data and children", () => {
    expect(step({ type: "go" }).after).toMatchObject({ value: "b", context: { count: 2 }, children: {} });
  });

  test("the scope's executor gets each action that is not an assignment, in order, by these names and parameters", () => {
    expect(step({ type: "go" }).returned.map(({ type, params }) => ({ type, params }))).toMatchObject([
      { type: "xstate.raise", params: { event: { type: "stay" }, id: "timer", delay: 2 } },
      { type: "xstate.cancel", params: { sendId: "other" } },
      { type: "xstate.emit", params: { event: { type: "gone" } } },
    ]);
  });

  test("a transition that takes nothing gives the snapshot back as it is", () => {
    for (const type of ["refused", "stay"] as const) {
      const { before, after } = step({ type });
      expect(after, type).toBe(before);
    }
  });

  test("the transition data lists what is taken, an empty transition too, and nothing that a guard refuses", () => {
    const taken = (type: Input["type"]) => machine.getTransitionData(snapshotOf("a"), { type }).length;
    expect([taken("go"), taken("look"), taken("refused"), taken("stay")]).toEqual([1, 1, 0, 0]);
  });

  test("the initial snapshot takes the same scope, and keeps an error of the machine's own instead of throwing it", () => {
    expect(machine.getInitialSnapshot(scope([]), { count: 7 })).toMatchObject({ value: "a", context: { count: 7 } });
    const broken = machine.getInitialSnapshot(scope([]), undefined) as AnyMachineSnapshot;
    expect([broken.status, broken.error]).toEqual(["error", new RangeError("no input")]);
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
