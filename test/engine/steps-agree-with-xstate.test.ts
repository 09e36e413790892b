import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  and,
  assign as xstateAssign,
  cancel,
  createMachine,
  emit,
  initialTransition,
  not,
  setup,
  transition,
} from "xstate";
import type { AnyStateMachine } from "xstate";
import { Lifecycle } from "../../src/kit/engine/lifecycle.ts";
import type { Effect, Step } from "../../src/kit/engine/lifecycle.ts";
import * as machines from "../../src/machines.ts";
import { parcelMachine } from "./parcels.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const AT = Date.UTC(2026, 0, 31);

interface Input {
  readonly type: string;
  readonly at: number;
  readonly failedRetries?: number | "one more";
}

/** What XState's public functions return besides the snapshot. */
interface Returned {
  readonly type: string;
  readonly params: unknown;
}

function effectOf({ type, params }: Returned): Effect {
  if (type === "xstate.emit") return { kind: "publish", fact: (params as { event: { type: string } }).event };
  if (type === "xstate.cancel") return { kind: "cancel", name: (params as { sendId: string }).sendId };
  const { event, id, delay } = params as { event: { type: string }; id: string; delay: number };
  return { kind: "schedule", name: id, delay, input: event };
}

/** A subscription counts its failed retries one by one, which chance alone would hardly meet. */
function counted(input: Input, data: { failedRetries?: number }): Input {
  return input.failedRetries === "one more" ? { ...input, failedRetries: (data.failedRetries ?? -1) + 1 } : input;
}

function repeated(type: string): string[] {
  return Array.from({ length: 12 }, () => type);
}

/** Walks through a machine, in Centavo's way and in XState's, and compares each step. Returns the states on the way. */
function walk(machine: AnyStateMachine, terms: object, inputs: readonly Input[]): string[] {
  const lifecycle = new Lifecycle("thing", machine);
  let [snapshot, returned] = initialTransition(machine, terms);
  let step: Step = lifecycle.start(terms);
  const states: string[] = [];
  for (const given of [undefined, ...inputs]) {
    if (given !== undefined) {
      const before = snapshot;
      const input = counted(given, before.context as object);
      const taken = before.status === "active" && machine.getTransitionData(before, input).length > 0;
      const { state, data } = step;
      const next = lifecycle.step(state, data, input);
      expect(lifecycle.accepts(state, data, input)).toBe(taken);
      expect(next !== undefined).toBe(taken);
      if (next === undefined) continue;
      step = next;
      [snapshot, returned] = transition(machine, before, input);
    }
    const effects = (returned as unknown as Returned[]).map(effectOf);
    expect(step).toEqual({ state: snapshot.value as string, data: snapshot.context as object, effects });
    expect(lifecycle.isOver(snapshot.value as string)).toBe(snapshot.status === "done");
    states.push(snapshot.value as string);
  }
  return states;
}

describe("a walk at random through", () => {
  const period = { start: AT, end: AT + 1, cycle: 0 };
  const plan = { id: "plan_1", interval: "month", intervalCount: 1, amount: 1 };
  const terms = { at: AT, processingTime: 1000, expiresAt: AT + 5000, triesLeft: 2, intentId: "pi_0" };
  const more = { firstPaymentDue: AT + 9000, dunning: true, plan, contact: { name: "Ana" } };
  const fields = fc.record({
    method: fc.constantFrom({ id: "pm_1" }, { id: "pm_2" }),
    contact: fc.constantFrom(undefined, { email: "ana@mail.example" }),
    outcome: fc.constantFrom({ approved: true }, { approved: false, declineCode: "card_declined" }),
    challenge: fc.constantFrom(undefined, { id: "c", nextAction: "redirect", expiresAt: AT + 60_000 }),
    holdUp: fc.constantFrom(undefined, 5000, "for good"),
    passed: fc.boolean(),
    openInvoices: fc.nat({ max: 1 }),
    failedRetries: fc.constantFrom(0, 1, 2, 3, "one more" as const),
    plan: fc.constantFrom(plan, { ...plan, id: "plan_2" }, { ...plan, id: "plan_3", interval: "week" }),
    period: fc.constant(period),
    intentId: fc.constantFrom("pi_1", "pi_2"),
    automatic: fc.boolean(),
    reason: fc.constantFrom(undefined, "too dear"),
    nextIntentId: fc.constantFrom(undefined, "pi_3"),
    challengeOpen: fc.boolean(),
  });

  test.for(Object.entries({ ...machines, parcelMachine }))(
    "%s gives the state, data and effects of XState's own, in their order",
    ([, machine]) => {
      const types = Object.values(machine.states as AnyStateMachine["states"]).flatMap(
        ({ ownEvents }) => ownEvents as string[],
      );
      // Inputs that end everything would leave little to see if they came as often as the others.
      const often = [...new Set<string>(types)].flatMap((type) =>
        /cancel|void|due|recover/.test(type) ? [type] : repeated(type),
      );
      const input = fc
        .tuple(fc.constantFrom(...often), fc.nat({ max: 100_000 }), fields)
        .map(([type, after, given]) => Object.assign(given, { type, at: AT + after }));
      const seen = new Set<string>();
      fc.assert(
        fc.property(fc.array(input, { maxLength: 60, size: "max" }), (inputs) => {
          for (const state of walk(machine, { ...terms, ...more, label: "L", travelTime: 5 }, inputs)) seen.add(state);
        }),
        { numRuns: 300 },
      );
      expect([...seen].toSorted()).toEqual(Object.keys(machine.states).toSorted());
    },
  );
});

describe("a step agrees with XState's own", () => {
  const entered = (name: string) => ({
    entry: emit({ type: `${name} entered` }),
    exit: emit({ type: `${name} left` }),
  });
  const did = emit({ type: "did" });
  const {
    assign,
    enqueueActions,
    raise,
    createMachine: createTyped,
  } = setup({
    types: { context: {} as { count: number }, events: {} as { type: string; at: number } },
    actions: { count: xstateAssign(({ context }) => ({ count: context.count + 1 })) },
    guards: { isOdd: ({ context }) => context.count % 2 === 1 },
  });

  test.for([
    ["to the same state", { on: { go: { target: "a", actions: did } } }],
    ["to the same state, entered again", { on: { go: { target: "a", reenter: true, actions: did } } }],
    ["to no state", { on: { go: { actions: did } } }],
    ["to no state, entered again", { on: { go: { reenter: true, actions: did } } }],
    ["without actions", { on: { go: {} } }],
    ["to another state, with several actions", { on: { go: { target: "b", actions: [did, cancel("timer"), did] } } }],
    ["to the end, which is entered and left with the whole machine", { on: { go: "end" } }],
    ["of an input that any transition takes", { on: { "*": "b" } }],
    ["of an input that a guard refuses first", { on: { go: [{ guard: not(and([])), target: "end" }, "b"] } }],
    ["to nowhere, for an input that is forbidden", { on: { go: undefined } }],
  ] as const)("%s", ([, a]) => {
    const states = { a: { ...entered("a"), ...a }, b: entered("b"), end: { ...entered("end"), type: "final" } };
    const machine = createMachine({ ...entered("all"), initial: "a", states } as never);
    walk(machine, {}, [
      { type: "go", at: 1 },
      { type: "go", at: 2 },
    ]);
  });

  test.for([
    ["to a state", { target: ".b", actions: did }],
    ["to the state that it is in", { target: ".a", actions: did }],
    ["to no state", { actions: did }],
  ] as const)("of the whole machine %s", ([, go]) => {
    const states = { a: entered("a"), b: entered("b") };
    const machine = createMachine({ ...entered("all"), initial: "a", on: { go }, states } as never);
    walk(machine, {}, [
      { type: "go", at: 1 },
      { type: "go", at: 2 },
    ]);
  });

  test("of the whole machine to a state that is called like the machine", () => {
    const states = { a: entered("a"), b: entered("b") };
    const machine = createMachine({ id: "b", initial: "a", on: { go: { target: ".b" } }, states } as never);
    expect(walk(machine, {}, [{ type: "go", at: 1 }])).toEqual(["a", "b"]);
  });

  test("in what each action sees of those before it, and in named actions and guards", () => {
    const machine = createTyped({
      context: { count: 0 },
      initial: "a",
      entry: "count",
      states: {
        a: {
          on: {
            go: [
              {
                guard: "isOdd",
                actions: [
                  "count",
                  enqueueActions(({ context, enqueue, check }) => {
                    enqueue.assign({ count: () => context.count + (check("isOdd") ? 10 : 20) });
                    enqueue("count");
                    enqueue.raise({ type: "later", at: 0 }, { id: "t", delay: 5 });
                    enqueue.cancel("t");
                  }),
                  raise({ type: "again", at: 0 }, { id: "t", delay: ({ context }) => context.count }),
                  assign(({ context, event }) => ({ count: context.count + event.at })),
                ],
              },
              { target: "a", reenter: true, actions: "count" },
            ],
          },
        },
      },
    });
    const inputs = [1, 2, 3, 4, 5].map((at) => ({ type: "go", at }));
    expect(walk(machine as never, {}, inputs)).toHaveLength(6);
  });
});
