import { checks } from "./matchers.ts";
import type { CentavoMatchers, Given, MatcherName } from "./matchers.ts";
import { messageOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { timelineIn } from "./timeline.ts";
import type { TimelineMatchers } from "./timeline.ts";

/** Every matcher of a runner, which returns `R`. */
export interface RunnerMatchers<R> extends CentavoMatchers<R>, TimelineMatchers<R> {}

/** The parts of `this` that a matcher of vitest or Jest uses. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
  readonly promise?: string | undefined;
  readonly utils: {
    matcherHint(name: string, received?: string, expected?: string, options?: object): string;
  };
}

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** A matcher in the form that `expect.extend` takes. */
type RunnerMatcher<Arguments extends readonly unknown[]> = (
  this: MatcherContext,
  received: unknown,
  ...given: Arguments
) => MatcherResult;

export interface Runner {
  /** Adds a failure's values to a matcher's result, for a diff in the runner's own style. */
  readonly withDiff: (context: MatcherContext, outcome: Outcome, message: string) => MatcherResult;
  readonly toMatchSnapshot: (context: MatcherContext, text: string, hint: string | undefined) => MatcherResult;
  readonly toMatchInlineSnapshot: (
    context: MatcherContext,
    text: string,
    snapshot: string | undefined,
  ) => MatcherResult;
}

/** Every matcher of a runner by name, in the form that `expect.extend` takes. */
export type MatchersToExtend = {
  [Name in keyof RunnerMatchers<unknown>]: RunnerMatcher<Parameters<RunnerMatchers<unknown>[Name]>>;
};

export function matchersOf(runner: Runner): MatchersToExtend {
  const compared = Object.keys(checks).map((name) => [name, matcherOf(runner, name as MatcherName)]);
  return {
    ...(Object.fromEntries(compared) as Pick<MatchersToExtend, MatcherName>),
    toMatchTimeline(received, hint) {
      return runner.toMatchSnapshot(this, timelineIn("toMatchTimeline", received), hint);
    },
    toMatchInlineTimeline(received, snapshot) {
      return runner.toMatchInlineSnapshot(this, timelineIn("toMatchInlineTimeline", received), snapshot);
    },
  };
}

function matcherOf<Name extends MatcherName>(runner: Runner, name: Name): RunnerMatcher<Given<Name>> {
  const check: (received: unknown, ...given: Given<Name>) => Outcome = checks[name];
  return function matcher(received, ...given) {
    const outcome = check(received, ...given);
    const { isNot = false, promise = "", utils } = this;
    const hint = utils.matcherHint(name, undefined, given.length === 0 ? "" : undefined, { isNot, promise });
    const message = `${hint}\n\n${messageOf(outcome, isNot)}`;
    return isNot ? { pass: outcome.pass, message: () => message } : runner.withDiff(this, outcome, message);
  };
}
