import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMachine, emit, setup } from "xstate";
import { Lifecycle } from "../../src/kit/engine/lifecycle.ts";
import { ParcelWorld, parcelMachine } from "./parcels.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const terms = { label: "L", travelTime: 1000, at: 5 };

describe("a step", () => {
  const lifecycle = new Lifecycle("parcel", parcelMachine);

  test("gives the new state, the new data and what the machine asks for, in its order", () => {
    const created = lifecycle.start(terms);
    expect(created).toEqual({ state: "packed", data: { label: "L", travelTime: 1000, tries: 0 }, effects: [] });
    expect(lifecycle.step("packed", created.data, { type: "send", at: 7 })).toEqual({
      state: "on_the_way",
      data: { label: "L", travelTime: 1000, tries: 1 },
      effects: [
        { kind: "publish", fact: { type: "parcel.sent" } },
        { kind: "schedule", name: "arrival", delay: 1000, input: { type: "arrive", at: 7 } },
      ],
    });
    expect(lifecycle.step("on_the_way", created.data, { type: "arrive", at: 9 })?.effects).toEqual([
      { kind: "cancel", name: "arrival" },
      { kind: "publish", fact: { type: "parcel.delivered" } },
    ]);
  });

  test("does not touch the data that it starts from", () => {
    const data = Object.freeze({ label: "L", travelTime: 1, tries: 0 });
    lifecycle.step("packed", data, { type: "send", at: 0 });
    expect(data.tries).toBe(0);
  });

  test("is undefined when the state does not take the input, and in final states", () => {
    const { data } = lifecycle.start(terms);
    expect(lifecycle.step("packed", data, { type: "arrive", at: 0 })).toBeUndefined();
    expect(lifecycle.step("delivered", data, { type: "send", at: 0 })).toBeUndefined();
  });

  test("is taken even if it changes nothing", () => {
    const machine = createMachine({ initial: "a", states: { a: { on: { look: { target: "a" } } } } });
    const data = { seen: 1 };
    const thing = new Lifecycle("thing", machine);
    expect(thing.step("a", data, { type: "look", at: 0 })).toEqual({ state: "a", data, effects: [] });
    expect(thing.step("a", data, { type: "touch", at: 0 })).toBeUndefined();
  });

  test("is not taken in a final state, even if the whole machine takes the input", () => {
    const machine = createMachine({
      initial: "a",
      on: { look: { actions: emit({ type: "seen" }) } },
      states: { a: { type: "final" } },
    });
    expect(new Lifecycle("thing", machine).step("a", {}, { type: "look", at: 0 })).toBeUndefined();
  });
});

describe("a lifecycle says beforehand", () => {
  const lifecycle = new Lifecycle("parcel", parcelMachine);
  const data = { label: "L", travelTime: 1000, tries: 0 };

  test.for([
    ["packed", "send", true],
    ["packed", "arrive", false],
    ["on_the_way", "arrive", true],
    ["delivered", "send", false],
  ] as const)("that a parcel that is %s takes %s: %s", ([state, type, accepted]) => {
    expect(lifecycle.accepts(state, data, { type, at: 0 })).toBe(accepted);
    expect(lifecycle.step(state, data, { type, at: 0 }) !== undefined).toBe(accepted);
  });

  test("what a guard makes of the data and the input", () => {
    const machine = setup({
      types: { context: {} as { limit: number }, events: {} as { type: "draw"; amount: number } },
      guards: { isCovered: ({ context, event }) => event.amount <= context.limit },
    }).createMachine({
      context: { limit: 5 },
      initial: "a",
      states: { a: { on: { draw: { guard: "isCovered", target: "a" } } } },
    });
    const account = new Lifecycle("account", machine);
    const draw = (amount: number) => account.accepts("a", { limit: 5 }, { type: "draw", at: 0, amount } as never);
    expect([draw(5), draw(6)]).toEqual([true, false]);
  });

  test("which states are the end", () => {
    expect(Object.keys(parcelMachine.states).filter((state) => lifecycle.isOver(state))).toEqual(["delivered", "lost"]);
  });
});

describe("a resource", () => {
  test("is an immutable row with its times, and its steps are journaled", async () => {
    const { engine, parcels, clock } = new ParcelWorld({ now: 100 });
    const row = engine.unit(() => parcels.create("p1", { label: "L", travelTime: 50 }));
    expect(row).toEqual({
      id: "p1",
      state: "packed",
      data: { label: "L", travelTime: 50, tries: 0 },
      createdAt: 100,
      updatedAt: 100,
    });
    await clock.advance({ milliseconds: 10 });
    engine.unit(() => parcels.step("p1", { type: "send" }));
    await clock.advance("1 second");
    expect(parcels.rows.get("p1")).toMatchObject({ state: "delivered", createdAt: 100, updatedAt: 160 });
    expect(row.state).toBe("packed");
    expect(engine.journal.entries.map(({ at, kind, details }) => [at, kind, details])).toEqual([
      [100, "step", { resource: "parcel", id: "p1", input: "create", to: "packed" }],
      [110, "step", { resource: "parcel", id: "p1", input: "send", from: "packed", to: "on_the_way" }],
      [110, "fact", { type: "parcel.sent", id: "p1" }],
      [160, "timer", { resource: "parcel", id: "p1", input: "arrive", from: "on_the_way", to: "delivered" }],
      [160, "fact", { type: "parcel.delivered", id: "p1" }],
    ]);
  });

  test("that does not take an input names its state, and nothing happens", () => {
    const { engine, parcels } = new ParcelWorld();
    engine.unit(() => parcels.create("p1", { label: "L", travelTime: 50 }));
    const before = engine.snapshot();
    expect(() => engine.unit(() => parcels.step("p1", { type: "arrive" }))).toThrow(
      'The parcel p1 is packed and does not take the input "arrive" there.',
    );
    expect(() => engine.unit(() => parcels.step("p2", { type: "send" }))).toThrow("There is no parcel p2.");
    expect(engine.snapshot()).toEqual(before);
  });

  test("has a unique id", () => {
    const { engine, parcels } = new ParcelWorld();
    engine.unit(() => parcels.create("p1", { label: "L", travelTime: 50 }));
    expect(() => engine.unit(() => parcels.create("p1", { label: "M", travelTime: 50 }))).toThrow(
      /already a parcel p1/,
    );
  });
});
