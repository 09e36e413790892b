import { expect as base } from "@playwright/test";
import type { Expect, ExpectMatcherState, MatcherReturnType } from "@playwright/test";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isThrown } from "../kit/base/errors/thrown-values.ts";
import type { RemoteSimulator } from "../remote/remote-simulator.ts";
import { isObject } from "../simulator/shown.ts";
import type { DeliveredOptions } from "../testing/matchers/delivered.ts";
import type { AnyStatus } from "../testing/matchers/matchers.ts";
import { withPrintedDiff } from "../testing/matchers/printed-diff.ts";
import { matchersOf } from "../testing/matchers/runner-matchers.ts";
import type { MatcherContext, MatchersToExtend } from "../testing/matchers/runner-matchers.ts";
import { lookUntil } from "./patience.ts";
import type { Look } from "./patience.ts";
import { localOf } from "./world.ts";

/** Where a matcher looks up an id. */
export interface WorldOption {
  /** The fixture `sim`; by default the one of the running test. */
  readonly sim?: RemoteSimulator;
}

type Result = Promise<MatcherReturnType>;
type Matcher<Given extends readonly unknown[]> = (
  this: ExpectMatcherState,
  received: unknown,
  ...given: Given
) => Result;

/**
 * Centavo's matchers. As Playwright's own of pages, those of a simulator or an id look again until they pass, or until the time of `expect`
 * is over: `await` them.
 */
export interface CentavoMatchers {
  /** Compares the status of an id as it becomes, or of a view as it was read. */
  readonly toHaveStatus: Matcher<[status: AnyStatus, options?: WorldOption]>;
  /** Holds an intent, session, invoice or external id to exactly one succeeded payment, of its full amount. */
  readonly toHaveBeenPaidOnce: Matcher<[options?: WorldOption]>;
  /** Compares every status that an intent, session, subscription or invoice has had, in order. */
  readonly toHaveMoved: Matcher<[statuses: readonly AnyStatus[], options?: WorldOption]>;
  /** Counts the deliveries of an event that the shop answered with 2xx. Received is the fixture `sim`. */
  readonly toHaveDelivered: Matcher<[type: string, partial?: object, options?: DeliveredOptions]>;
  /** Holds the fixture `sim` to have nothing to do. */
  readonly toHaveNoPendingWork: Matcher<[]>;
  /** Holds the ledger of the fixture `sim`, or the result of `sim.ledger()`, to balance. */
  readonly toBalance: Matcher<[]>;
  /**
   * Compares the timeline of the fixture `sim` with the snapshot that Playwright keeps for this test.
   * @param name of the snapshot; `timeline.txt` by default
   */
  readonly toMatchTimeline: Matcher<[name?: string]>;
}

/** Those of the other runners, which look once and at a simulator in this process. */
const inProcess = matchersOf({
  withDiff: withPrintedDiff,
  toMatchSnapshot: (_context, text, name) => comparedWithSnapshot(text, name),
  // Not among the matchers below.
  toMatchInlineSnapshot: (_context, text) => comparedWithSnapshot(text, undefined),
});

function comparedWithSnapshot(text: string, name = "timeline.txt"): MatcherReturnType {
  try {
    base(text).toMatchSnapshot(name);
    return { pass: true, message: () => "The timeline equals the snapshot." };
  } catch (error) {
    return { pass: false, message: () => (error as Error).message };
  }
}

/** Makes a matcher that looks again while its subject may change. */
function patient(name: keyof MatchersToExtend): Matcher<never> {
  return async function matcher(received, ...given: readonly unknown[]) {
    const context = this as MatcherContext & { readonly timeout?: number };
    const look = (): MatcherReturnType =>
      (inProcess[name] as Matcher<unknown[]> & ((...all: unknown[]) => MatcherReturnType)).call(
        this,
        inThisProcess(received),
        ...given.map(inThisProcess),
      ) as never;
    // A view stays as it was read.
    const mayChange = typeof received === "string" || localOf(received) !== undefined;
    const attempt = () => attemptOf(look, context.isNot === true);
    const last = await lookUntil(attempt, mayChange ? (context.timeout ?? 0) : 0);
    if (last.error !== undefined) throw last.error;
    return last.seen as MatcherReturnType;
  };
}

interface Attempt {
  readonly seen?: MatcherReturnType;
  readonly error?: Error;
}

/** Looks once. What is not there yet may come; any other error stays. */
function attemptOf(look: () => MatcherReturnType, isNot: boolean): Look<Attempt> {
  try {
    const seen = look();
    return { result: { seen }, isEnough: seen.pass !== isNot };
  } catch (error) {
    const mayCome = isThrown(error, CentavoError) && error.code === "NOT_FOUND";
    return { result: { error: error as Error }, isEnough: !mayCome };
  }
}

/** Returns the simulator behind the fixture `sim`, also in the options of a matcher; anything else as it is. */
function inThisProcess(value: unknown): unknown {
  const local = localOf(value);
  if (local !== undefined) return local;
  if (!isObject(value) || localOf(value["sim"]) === undefined) return value;
  return { ...value, sim: localOf(value["sim"]) };
}

const matchers = {
  toHaveStatus: patient("toHaveStatus"),
  toHaveBeenPaidOnce: patient("toHaveBeenPaidOnce"),
  toHaveMoved: patient("toHaveMoved"),
  toHaveDelivered: patient("toHaveDelivered"),
  toHaveNoPendingWork: patient("toHaveNoPendingWork"),
  toBalance: patient("toBalance"),
  toMatchTimeline: async function toMatchTimeline(received, name) {
    return inProcess.toMatchTimeline.call(this, inThisProcess(received), name);
  } satisfies CentavoMatchers["toMatchTimeline"],
} as unknown as CentavoMatchers;

/**
 * Playwright's `expect` with Centavo's matchers.
 *
 * @example
 * await expect("order-1").toHaveBeenPaidOnce();
 * await expect(sim).toHaveDelivered("payment_intent.succeeded", {}, { times: 1 });
 */
export const expect: Expect<CentavoMatchers> = base.extend(matchers as never);
