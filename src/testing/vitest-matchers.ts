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
  // No function of ours may stand between: vitest finds the snapshot in the file by counting the callers.
  toMatchSnapshot: (context, text, hint) =>
    snapshots("toMatchTimeline", "toMatchSnapshot").toMatchSnapshot.call(context, text, hint),
  toMatchInlineSnapshot: (context, text, snapshot) =>
    snapshots("toMatchInlineTimeline", "toMatchInlineSnapshot").toMatchInlineSnapshot.call(context, text, snapshot),
});

vitest.expect.extend(matchers);

// vitest 4.0 does not tell.
const { TestRunner } = vitest as {
  readonly TestRunner?: { readonly getCurrentTest?: () => { readonly timeout: number } | undefined };
};
takeLimitFrom(() => TestRunner?.getCurrentTest?.()?.timeout);

/** Returns vitest's own matchers of snapshots. vitest 4.0 has none for matchers of others. */
function snapshots<Name extends string>(matcher: string, name: Name): Readonly<Record<Name, SnapshotMatcher>> {
  const { Snapshots } = vitest as { readonly Snapshots?: unknown };
  if (Snapshots !== undefined) return Snapshots as Record<Name, SnapshotMatcher>;
  throw new CentavoError(
    "INVALID_STATE",
    `${matcher} needs vitest 4.1 or newer: this version has no snapshots for matchers. Until then, write expect(timelineOf(sim)).${name}(), with timelineOf from "centavo/testing".`,
  );
}

/** What a matcher returns there: `void` or a promise of an assertion, and a value to compare with where it stands for one. */
type ReturnedBy<Assertion> = Assertion extends { toBeTypeOf: (type: never) => infer Returned } ? Returned : unknown;

/** The matchers as methods of vitest's assertions. They do not name its type parameters, which differ between vitest 4 and 5. */
type VitestMatchers = {
  [Name in keyof RunnerMatchers<unknown>]: <Assertion>(
    this: Assertion,
    ...given: Parameters<RunnerMatchers<unknown>[Name]>
  ) => ReturnedBy<Assertion>;
};

declare module "vitest" {
  interface Matchers extends VitestMatchers {}
}
