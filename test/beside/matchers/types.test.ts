import { expect as jestExpect } from "expect";
import "centavo/jest";
import type { AnyStatus } from "centavo/testing";
import "centavo/vitest";
import type { Simulator } from "centavo";
import type { Verdict } from "centavo/exam";
import { expect, expectTypeOf, test } from "vitest";

declare const sim: Simulator;
declare const verdict: Verdict;

test("the matchers are methods of vitest's assertions", () => {
  expectTypeOf(() => expect(sim.intents.last()).toHaveStatus("succeeded")).returns.toEqualTypeOf<void>();
  expectTypeOf(() => expect("order-1").not.toHaveBeenPaidOnce({ sim })).returns.toEqualTypeOf<void>();
  expectTypeOf(() => expect(sim).toHaveDelivered("a", { data: {} }, { times: 1 })).returns.toEqualTypeOf<void>();
  expectTypeOf(() => expect(sim).toBalance()).returns.toEqualTypeOf<void>();
  expectTypeOf(() => expect(verdict).toPass()).returns.toEqualTypeOf<void>();
  expectTypeOf(() => expect(sim).toMatchTimeline()).returns.toEqualTypeOf<void>();
  expectTypeOf(() => expect(Promise.resolve(sim)).resolves.toHaveNoPendingWork()).returns.toEqualTypeOf<
    Promise<void>
  >();
  expectTypeOf(() => expect.poll(() => sim.intents.last()).toHaveStatus("failed")).returns.toEqualTypeOf<
    Promise<void>
  >();
  // @ts-expect-error no resource has this status
  expectTypeOf(() => expect("order-1").toHaveStatus("succeded")).returns.toEqualTypeOf<void>();
  // @ts-expect-error times comes in the options
  expectTypeOf(() => expect(sim).toHaveDelivered("a", {}, 1)).returns.toEqualTypeOf<void>();
});

test("the matchers are methods of Jest's assertions", () => {
  expectTypeOf(() => jestExpect(sim.intents.last()).toHaveStatus("succeeded")).returns.toEqualTypeOf<void>();
  expectTypeOf(() => jestExpect(sim.ledger()).not.toBalance()).returns.toEqualTypeOf<void>();
  expectTypeOf(() => jestExpect(Promise.resolve("a")).resolves.toHaveMoved(["pending"])).returns.toEqualTypeOf<
    Promise<void>
  >();
  // @ts-expect-error no resource has this status
  expectTypeOf(() => jestExpect("order-1").toHaveStatus("succeded")).returns.toEqualTypeOf<void>();
});

test("a status is one of any resource", () => {
  expectTypeOf<"canceled" | "cancelled" | "paid" | "past_due">().toExtend<AnyStatus>();
});
