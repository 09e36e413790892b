import type { Finding, FindingInTest } from "./findings.ts";
import type { JudgedTrouble, ShakeResult } from "./shake.ts";

/** How many tests and troubles of a finding, and how many reasons, are listed. */
const MOST_TESTS = 5;
const MOST_REASONS = 8;
const MOST_OTHERS = 3;

/** How findings are shown. */
export interface ShownFindings {
  /** Returns the command that runs one trouble alone. */
  readonly replayWith: (token: string) => string;
  /** Highlights the mark of a finding. */
  readonly mark: (text: string) => string;
  /** The tokens of findings that are accepted. */
  readonly accepted: ReadonlySet<string>;
}

/** Lists the findings, the worst first. */
export function findingsInLines(findings: readonly Finding[], plain: number, shown: ShownFindings): readonly string[] {
  return findings.flatMap((finding) => findingInLines(finding, plain, shown));
}

function findingInLines(
  finding: Finding,
  plain: number,
  { replayWith, mark, accepted }: ShownFindings,
): readonly string[] {
  const { sentence, at, also, tests, law, misunderstanding, remedy } = finding;
  const isAccepted = tests.every(({ token }) => accepted.has(token));
  const [first] = tests as readonly [FindingInTest];
  // A test stands once, however many troubles do the same in it.
  const distinct = [...new Map(tests.toReversed().map((each) => [nameOf(each), each])).values()].toReversed();
  return [
    `${mark(isAccepted ? "○" : "✗")} ${sentence}${at === undefined ? "" : ` (${at})`}${isAccepted ? " Accepted by the baseline." : ""}`,
    `    ${distinct.length} of ${counted(plain, "test")}: ${headline(finding, distinct.length)}`,
    ...distinct
      .slice(0, MOST_TESTS)
      .flatMap(({ test, file, what }) =>
        [`    ${nameOf({ test, file })}`, what.map((each) => `      → ${each}`)].flat(),
      ),
    ...(distinct.length > MOST_TESTS ? [`    and ${distinct.length - MOST_TESTS} more`] : []),
    ...also.slice(0, MOST_OTHERS).map((each) => `  Also: ${each}`),
    ...(also.length > MOST_OTHERS ? [`  and ${counted(also.length - MOST_OTHERS, "more trouble")}`] : []),
    `  Likely misunderstanding: ${misunderstanding}`,
    `  Remedy: ${remedy} docs/guide/laws.md#${law}`,
    `  Run it alone: ${replayWith(first.token)}`,
    "",
  ];
}

function headline({ kind, tests }: Finding, count: number): string {
  if (kind === "test") return count === 1 ? "it fails" : "they fail";
  if (kind === "conduct") return "the merchant misbehaves";
  return tests.some(({ isNoticed }) => isNoticed) ? "money taken, test red" : "money taken, test green";
}

/** Says what else came of a shake: what was borne, noticed, and not tried. */
export function summaryInLines({ plain, judged, untried, left, runs }: ShakeResult): readonly string[] {
  const failed = plain.filter(({ outcome }) => outcome.is === "failed");
  const borne = of(judged, "borne");
  const noticed = of(judged, "noticed");
  return [
    `${counted(borne.length, "trouble")} in ${counted(testsIn(borne), "test")} ${borne.length === 1 ? "was" : "were"} borne, in ${counted(runs, "run")} after the first.`,
    ...(noticed.length === 0
      ? []
      : [`${counted(noticed.length, "trouble")} made a test fail that may fail then, and cost nobody money.`]),
    ...reasons("This test counts on it", "These tests count on it", of(judged, "counts on it").map(withReason)),
    ...reasons("Could not be tried", "Could not be tried", [
      ...of(judged, "untried").map(withReason),
      ...untried.map(({ why, plain: own }) => ({ why, test: nameOf({ test: own.test.title, file: own.test.file }) })),
    ]),
    ...(left === 0 ? [] : [`${counted(left, "trouble")} had no run left: give more --seconds or --max-runs.`]),
    ...(failed.length === 0
      ? []
      : [
          `Left out, because ${failed.length === 1 ? "it fails" : "they fail"} without any trouble:`,
          ...failed.map(({ test }) => `    ${nameOf({ test: test.title, file: test.file })}`),
        ]),
  ];
}

function of(judged: readonly JudgedTrouble[], is: JudgedTrouble["judgement"]["is"]): readonly JudgedTrouble[] {
  return judged.filter(({ judgement }) => judgement.is === is);
}

function testsIn(judged: readonly JudgedTrouble[]): number {
  return new Set(judged.map(({ plain }) => plain.test.key)).size;
}

interface Reason {
  readonly why: string;
  readonly test: string;
}

function withReason({ judgement, plain: { test } }: JudgedTrouble): Reason {
  return { why: "why" in judgement ? judgement.why : "", test: nameOf({ test: test.title, file: test.file }) };
}

function reasons(one: string, many: string, all: readonly Reason[]): readonly string[] {
  const groups = [...Map.groupBy(all, ({ why }) => why)].toSorted(([, left], [, right]) => right.length - left.length);
  if (groups.length === 0) return [];
  const tests = new Set(all.map(({ test }) => test));
  return [
    `${tests.size === 1 ? one : many}:`,
    ...groups.slice(0, MOST_REASONS).map(([why, own]) => `    ${counted(own.length, "trouble")}: ${why}`),
    ...(groups.length > MOST_REASONS ? [`    and for ${groups.length - MOST_REASONS} more reasons`] : []),
  ];
}

function nameOf({ test, file }: { readonly test: string; readonly file?: string | undefined }): string {
  // Some runners begin the title with the file.
  return file === undefined || test.startsWith(file) ? test : `${file} > ${test}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
