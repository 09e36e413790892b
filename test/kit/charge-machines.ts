import { setup } from "xstate";
import { addDuration } from "../../src/engine/duration.ts";
import { deadline } from "../../src/engine/machine.ts";

/** What a charge or membership is made with. */
export interface Terms {
  readonly account: string;
  readonly amount: number;
  readonly source: string;
  /** When the bank settles the charge, or the membership renews, in milliseconds since 1970. */
  readonly due: number;
  readonly refused: boolean;
}
const { assign, createMachine, emit, raise } = setup({
  types: {
    context: {} as Terms,
    input: {} as Terms & { at: number },
    events: {} as { type: "settle" | "renew"; at: number },
    emitted: {} as { type: "charge.succeeded" | "charge.failed" | "membership.renewed" },
  },
});
const contextOf = ({ input }: { readonly input: Terms & { readonly at: number } }): Terms => {
  const { at: _, ...terms } = input;
  return terms;
};
const entry = raise(...deadline("due", "settle", ({ due }: Terms) => due));
const fail = { target: "failed", actions: emit({ type: "charge.failed" }) };
const succeed = { target: "succeeded", actions: emit({ type: "charge.succeeded" }) };
const settle = [{ guard: ({ context }: { context: Terms }) => context.refused, ...fail }, succeed];
/** The bank settles a charge once. */
export const chargeMachine = createMachine({
  context: contextOf,
  initial: "pending",
  states: { pending: { entry, on: { settle } }, succeeded: { type: "final" }, failed: { type: "final" } },
});

const nextMonth = assign({ due: ({ context }) => addDuration(context.due, "1 month") });
const renew = { target: "active", reenter: true, actions: [nextMonth, emit({ type: "membership.renewed" })] };
/** A membership renews every month, for ever. */
export const membershipMachine = createMachine({
  context: contextOf,
  initial: "active",
  states: { active: { entry: raise(...deadline("due", "renew", ({ due }: Terms) => due)), on: { renew } } },
});
