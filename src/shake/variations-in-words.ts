import { printable } from "../kit/base/errors/printable.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import type { ReportedDependent, ReportedReliance, ReportedVariations } from "../report/reported-variations.ts";
import { counted, leftOutInLines, nameOf, otherFailure } from "./in-words.ts";

/** How many tests of a reliance, and how many assumptions and other reasons, are listed. */
const MOST_TESTS = 5;
const MOST_NAMED = 12;
const MOST_REASONS = 8;
/** How much of a value is shown, in characters. */
const MOST_OF_VALUE = 160;

/** Lists what the tests rely on, what to ask the provider first comes first. Each begins with a mark: ○ if the baseline accepts it. */
export function reliancesInLines({ reliances }: ReportedVariations): readonly string[] {
  // Titles and messages of tests are anybody's text.
  return reliances.flatMap(relianceInLines).map(printable);
}

function relianceInLines({ sentence, question, tests, page, isAccepted }: ReportedReliance): readonly string[] {
  const [first] = tests as readonly [ReportedDependent];
  // A test stands once, under the first answer that it does not bear.
  const distinct = [...new Map(tests.toReversed().map((each) => [nameOf(each), each])).values()].toReversed();
  const others = new Set(tests.map(({ under }) => JSON.stringify(under)));
  others.delete(JSON.stringify(first.under));
  return [
    `${isAccepted ? "○" : "?"} ${sentence}${isAccepted ? " Accepted by the baseline." : ""}`,
    ...distinct
      .slice(0, MOST_TESTS)
      .flatMap((each) => [`    ${nameOf(each)}`, `      under ${valueOf(each)}`, `      → ${each.what}`]),
    ...(distinct.length > MOST_TESTS ? [`    and ${counted(distinct.length - MOST_TESTS, "more test")}`] : []),
    ...(others.size === 0
      ? []
      : [`  Also under: ${[...others].map((value) => shortened(value, MOST_OF_VALUE)).join(", ")}`]),
    `  Ask the provider: ${question}? node_modules/centavo/${page}`,
    `  Run it alone: ${first.command}`,
    "",
  ];
}

function valueOf({ under }: ReportedDependent): string {
  return shortened(JSON.stringify(under), MOST_OF_VALUE);
}

/** Says what else came of a suite under other answers. */
export function variationsSummaryInLines(told: ReportedVariations): readonly string[] {
  const { reliances, runs, free, decided, fixed, untried, left, firstExit } = told;
  const ids = new Set(reliances.map(({ id }) => id));
  const lines = [
    ids.size === 0
      ? `In ${counted(runs, "run")} after the first, no test relied on an answer that was varied.`
      : `In ${counted(runs, "run")} after the first, tests relied on ${counted(ids.size, "answer")}.`,
    ...(firstExit === undefined ? [] : [otherFailure(firstExit)]),
    ...(free.length === 0
      ? []
      : [`No test relies on ${counted(free.length, ids.size === 0 ? "answer" : "other answer")}: ${named(free)}.`]),
    ...(decided.length === 0
      ? []
      : [`The suite sets these itself, so they were not varied: ${named(decided.map(({ id }) => id))}.`]),
    ...(fixed.length === 0
      ? []
      : [`The tests also rest on ${counted(fixed.length, "answer")} that cannot be varied, and --json lists them.`]),
    ...(untried.length === 0
      ? []
      : [
          "Could not be tried:",
          ...untried.slice(0, MOST_REASONS).map(({ why, count }) => `    ${counted(count, "variation")}: ${why}`),
          ...(untried.length > MOST_REASONS
            ? [`    and for ${counted(untried.length - MOST_REASONS, "more reason")}`]
            : []),
        ]),
    ...(left === 0 ? [] : [`${counted(left, "variation")} had no run left: give more --seconds or --max-runs.`]),
    ...leftOutInLines(told),
  ];
  return lines.map(printable);
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_NAMED).join(", ");
  return ids.length > MOST_NAMED ? `${shown} and ${ids.length - MOST_NAMED} more` : shown;
}
