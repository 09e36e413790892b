import { describe, expect, test } from "vitest";
import {
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
  stopChild,
} from "xstate";
import type { AnyStateMachine } from "xstate";
import { Lifecycle } from "../../src/kit/engine/lifecycle.ts";

/** A machine that does one thing when it goes from "a" to "b". */
function doing(actions: unknown): AnyStateMachine {
  return createMachine({
    context: {},
    initial: "a",
    states: { a: { on: { go: { target: "b", actions: actions as never } } }, b: {} },
  });
}

const go = (machine: AnyStateMachine): unknown => new Lifecycle("thing", machine).step("a", {}, { type: "go", at: 0 });
const child = fromPromise(() => Promise.resolve());
const withChild = ({ spawn }: { spawn: (source: unknown) => unknown }) => ({ child: spawn(child) });
let ran = false;

describe("a machine that acts instead of deciding is refused, and the action does not run:", () => {
  test.for([
    ["a custom function", () => (ran = true), /returned the action/],
    ["a message to an actor", sendTo(({ self }) => self, { type: "hello" }), /"xstate\.sendTo"/],
    ["an action that nobody has declared", "later" as never, /returned the action "later"/],
    ["a child that it spawns", spawnChild(child), /"xstate\.spawnChild"/],
    ["a child that it stops", stopChild("child"), /"xstate\.stopChild"/],
    ["a line in a log", log("hello"), /"xstate\.log"/],
    ["an actor in its data", assign({ child: ({ spawn }) => spawn(child) }), /spawned the actor/],
    ["an input to itself, at once", raise({ type: "again" }), /schedules "again" under the name undefined/],
    ["a timer without a name", raise({ type: "later" }, { delay: 5 }), /"later" under the name/],
    [
      "a timer without a delay",
      raise({ type: "later" }, { id: "t", delay: () => undefined as never }),
      /after undefined/,
    ],
    ["a timer in the past", raise({ type: "later" }, { id: "t", delay: -1 }), /after -1 ms/],
    ["a timer that never comes", raise({ type: "later" }, { id: "t", delay: Infinity }), /after Infinity ms/],
    ["a timer at no time", raise({ type: "later" }, { id: "t", delay: Number.NaN }), /after NaN ms/],
    ["one of these among others", enqueueActions(({ enqueue }) => enqueue(() => (ran = true))), /returned the action/],
  ] as const)("%s", ([, action, message]) => {
    expect(() => go(doing(action))).toThrow(message);
    expect(() => go(doing(action))).toThrow(expect.objectContaining({ code: "MACHINE_DEFECT" }));
    expect(ran).toBe(false);
  });
});

describe("a machine that only schedules, cancels and publishes", () => {
  test("is heard, whichever way it says so", () => {
    const actions = enqueueActions(({ enqueue }) => {
      enqueue.raise({ type: "later" }, { id: "t", delay: 5 });
      enqueue(cancel("t"));
      enqueue(emit({ type: "thing.done" }));
    });
    expect(go(doing(actions))).toMatchObject({
      effects: [
        { kind: "schedule", name: "t", delay: 5 },
        { kind: "cancel", name: "t" },
        { kind: "publish", fact: { type: "thing.done" } },
      ],
    });
  });

  test("may say `after`; leaving the state cancels its timer", () => {
    const machine = createMachine({ initial: "a", states: { a: { after: { 50: "b" }, on: { go: "b" } }, b: {} } });
    const lifecycle = new Lifecycle("thing", machine);
    const [timer] = lifecycle.start(undefined).effects;
    expect(timer).toMatchObject({ kind: "schedule", delay: 50 });
    expect(go(machine)).toMatchObject({
      effects: [{ kind: "cancel", name: timer?.kind === "schedule" && timer.name }],
    });
  });
});

describe("a machine with a state beyond a word and data is refused:", () => {
  test.for([
    ["parallel", { type: "parallel", states: { a: {}, b: {} } }, /is in the state {"a":{},"b":{}}/],
    ["nested", { initial: "a", states: { a: { initial: "x", states: { x: {} } } } }, /is in the state {"a":"x"}/],
    ["with an actor", { initial: "a", states: { a: { invoke: { src: child } } } }, /"xstate\.spawnChild"/],
    ["with an actor for life", { initial: "a", invoke: { src: child }, states: { a: {} } }, /"xstate\.spawnChild"/],
    ["with an actor in its data", { context: withChild, initial: "a", states: { a: {} } }, /spawned the actor/],
  ] as const)("%s", ([, config, message]) => {
    const start = (): unknown => new Lifecycle("thing", createMachine(config as never)).start(undefined);
    expect(start).toThrow(message);
    expect(start).toThrow(expect.objectContaining({ code: "MACHINE_DEFECT" }));
  });
});

describe("an error of the machine's own passes through unchanged:", () => {
  const broken = (): never => {
    throw new RangeError("no such fee");
  };

  test("at the start", () => {
    const machine = createMachine({ context: broken, initial: "a", states: { a: {} } });
    expect(() => new Lifecycle("thing", machine).start(undefined)).toThrow(new RangeError("no such fee"));
  });

  test("in a step", () => {
    expect(() => go(doing(assign(broken)))).toThrow(new RangeError("no such fee"));
  });

  test("in a guard", () => {
    const machine = setup({}).createMachine({
      initial: "a",
      states: { a: { on: { go: { guard: broken, target: "b" } } }, b: {} },
    });
    expect(() => go(machine)).toThrow(/Unable to evaluate guard .*no such fee/s);
  });
});
