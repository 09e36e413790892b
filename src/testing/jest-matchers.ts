import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { withPrintedDiff } from "./matchers/printed-diff.ts";
import { matchersOf } from "./matchers/runner-matchers.ts";
import type { MatcherContext, MatcherResult, RunnerMatchers } from "./matchers/runner-matchers.ts";

type SnapshotMatcher = (this: MatcherContext, text: string, ...given: readonly string[]) => MatcherResult;

/**
 * Jest's matchers of Centavo. Importing `centavo/jest` registers them with the global `expect`; another `expect` takes them by
 * `expect.extend(matchers)`.
 *
 * @example
 * import { expect } from "@jest/globals";
 * import { matchers } from "centavo/jest";
 *
 * expect.extend(matchers);
 */
export const matchers = matchersOf({
  withDiff: withPrintedDiff,
  toMatchSnapshot: (context, text, hint) => snapshot("toMatchSnapshot", context, text, hint),
  toMatchInlineSnapshot: (context, text, given) => snapshot("toMatchInlineSnapshot", context, text, given),
});

const { expect: globalExpect } = globalThis as { readonly expect?: { extend?(given: object): void } };
globalExpect?.extend?.(matchers);

/** Where `expect` keeps the matchers of a process, including Jest's snapshot matchers. */
const REGISTERED = Symbol.for("$$jest-matchers-object");

function snapshot(name: string, context: MatcherContext, text: string, given: string | undefined): MatcherResult {
  const { [REGISTERED]: registered } = globalThis as {
    readonly [REGISTERED]?: { readonly matchers: Readonly<Record<string, SnapshotMatcher | undefined>> };
  };
  const matcher = registered?.matchers[name];
  if (matcher === undefined)
    throw new CentavoError(
      "INVALID_STATE",
      'toMatchTimeline and toMatchInlineTimeline need the snapshots of Jest, and this expect runs in another runner. Compare timelineOf(sim) from "centavo/testing" with a text that you keep.',
    );
  return given === undefined ? matcher.call(context, text) : matcher.call(context, text, given);
}

// eslint-disable-next-line typescript/ban-ts-comment -- here the module is there, so that an expected error would be none
/** @ts-ignore -- Only those who import `expect` from `@jest/globals` or `expect` have this module. */
declare module "expect" {
  interface Matchers<R extends void | Promise<void>> extends RunnerMatchers<R> {}
}

declare global {
  // eslint-disable-next-line typescript/no-namespace -- it is how `@types/jest` declares its matchers
  namespace jest {
    interface Matchers<R> extends RunnerMatchers<R> {}
  }
}
