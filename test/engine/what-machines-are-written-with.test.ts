import { describe, expect, test } from "vitest";
import { setup } from "xstate";
import { Lifecycle } from "../../src/kit/engine/lifecycle.ts";
import { deadline, inputsOf } from "../../src/kit/engine/machine.ts";

interface Data {
  readonly due: number | undefined;
  readonly note: string | undefined;
}
type Input = { readonly at: number } & (
  | { readonly type: "write"; readonly note: string }
  | { readonly type: "wait" }
  | { readonly type: "ring" }
);

const on = inputsOf<Data, Input>();
const machineSetup = setup({
  types: { context: {} as Data, events: {} as Input, input: {} as Data & { at: number } },
});
const { assign, raise } = machineSetup;
const keepNote = assign(on("write", ({ event: { note } }) => ({ note })));
const clock = raise(...deadline("clock", "ring", ({ due }: Data) => due));

const lifecycle = new Lifecycle(
  "alarm",
  machineSetup.createMachine({
    context: ({ input: { at: _at, ...data } }) => data,
    initial: "a",
    states: { a: { on: { write: { actions: keepNote }, wait: { actions: clock }, ring: { actions: keepNote } } } },
  }),
);

describe("a deadline", () => {
  test("is as far away as its moment", () => {
    expect(lifecycle.step("a", { due: 30 }, { type: "wait", at: 10 })?.effects).toEqual([
      { kind: "schedule", name: "clock", delay: 20, input: { type: "ring", at: 10 } },
    ]);
  });

  test("that has passed comes at once", () => {
    expect(lifecycle.step("a", { due: 5 }, { type: "wait", at: 10 })?.effects).toMatchObject([{ delay: 0 }]);
  });

  test("without a moment is a defect of the machine", () => {
    expect(() => lifecycle.step("a", {}, { type: "wait", at: 10 })).toThrow(/schedules "ring" .* after NaN ms/);
  });
});

describe("what a machine does on one input", () => {
  test("reads that input's fields", () => {
    const write = { type: "write", at: 0, note: "milk" };
    expect(lifecycle.step("a", {}, write)?.data).toEqual({ note: "milk" });
  });

  test("is a defect of the machine on another", () => {
    expect(() => lifecycle.step("a", {}, { type: "ring", at: 0 })).toThrow(
      expect.objectContaining({
        code: "MACHINE_DEFECT",
        message: 'An action or guard for "write" got the input "ring".',
      }),
    );
  });
});
