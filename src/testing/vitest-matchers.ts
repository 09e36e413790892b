import * as vitest from "vitest";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { matchersOf } from "./matchers/runner-matchers.ts";
import { takeLimitFrom } from "../kit/base/runtime/time-limit.ts";
import type { MatcherContext, MatcherResult, RunnerMatchers } from "./matchers/runner-matchers.ts";

type SnapshotMatcher = (this: MatcherContext, text: string, given?: string) => MatcherResult;

/**
 * vitest's matchers of Centavo. Importing `centavo/vitest` registers them with vitest's `expect`; another `expect` takes them by
 * `expect.extend(matchers)`.
 *
 * @example
 * import { matchers } from "centavo/vitest";
 *
 * expect.extend(matchers);
 */
export const matchers = matchersOf({
  // vitest writes the diff itself.
  withDiff: (_context, { pass, actual, expected }, message) => ({ pass, message: () => message, actual, expected }),
  // Called directly, because vitest finds the inline snapshot in the file by counting stack frames.
  toMatchSnapshot: (context, text, hint) =>
    snapshots("toMatchTimeline", "toMatchSnapshot").toMatchSnapshot.call(context, text, hint),
  toMatchInlineSnapshot: (context, text, snapshot) =>
    snapshots("toMatchInlineTimeline", "toMatchInlineSnapshot").toMatchInlineSnapshot.call(context, text, snapshot),
});

vitest.expect.extend(matchers);

// vitest 4.0 has no such class.
const { TestRunner } = vitest as {
  readonly TestRunner?: { readonly getCurrentTest?: () => { readonly timeout: number } | undefined };
};
takeLimitFrom(() => TestRunner?.getCurrentTest?.()?.timeout);

/** Returns vitest's own snapshot matchers. vitest 4.0 does not offer them to custom matchers. */
function snapshots<Name extends string>(matcher: string, name: Name): Readonly<Record<Name, SnapshotMatcher>> {
  const { Snapshots } = vitest as { readonly Snapshots?: unknown };
  if (Snapshots !== undefined) return Snapshots as Record<Name, SnapshotMatcher>;
  throw new CentavoError(
    "INVALID_STATE",
    `${matcher} needs vitest 4.1 or newer: this version has no snapshots for matchers. Until then, write expect(timelineOf(sim)).${name}(), with timelineOf from "centavo/testing".`,
  );
}

/** What a matcher's method returns: `void` or a promise. */
type ReturnedBy<Assertion> = Assertion extends { toBeTypeOf: (type: never) => infer Returned } ? Returned : unknown;

/** The matchers as methods of vitest's assertions, without its type parameters, which differ between vitest 4 and 5. */
type VitestMatchers = {
  [Name in keyof RunnerMatchers<unknown>]: <Assertion>(
    this: Assertion,
    ...given: Parameters<RunnerMatchers<unknown>[Name]>
  ) => ReturnedBy<Assertion>;
};

declare module "vitest" {
  interface Matchers extends VitestMatchers {}
}
