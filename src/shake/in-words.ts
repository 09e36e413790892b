import { printable } from "../kit/base/errors/printable.ts";
import type {
  ReportedBlindSpot,
  ReportedFinding,
  ReportedHarm,
  ReportedReason,
  ReportedShake,
  ShakenTestInWords,
} from "../report/reported-shake.ts";

/** How many tests and troubles of a finding, how many reasons, and how many tests that are left out, are listed. */
const MOST_TESTS = 5;
const MOST_REASONS = 8;
const MOST_OTHERS = 3;
const MOST_LEFT_OUT = 10;
/** How many troubles that were borne are named: those of a replay. */
const MOST_BORNE = 3;
const MOST_BLIND_SPOTS = 10;

/** Lists the findings, the worst first. Each begins with a mark: ○ if the baseline accepts it. */
export function findingsInLines({ findings, tests }: ReportedShake): readonly string[] {
  // Titles and messages of tests are anybody's text.
  return findings.flatMap((finding) => findingInLines(finding, tests)).map(printable);
}

function findingInLines(finding: ReportedFinding, all: number): readonly string[] {
  const { sentence, at, also, tests, page, brief, misunderstanding, remedy, isAccepted } = finding;
  const [first] = tests as readonly [ReportedHarm];
  // A test stands once, however many troubles do the same in it.
  const distinct = [...new Map(tests.toReversed().map((each) => [nameOf(each), each])).values()].toReversed();
  return [
    `${isAccepted ? "○" : "✗"} ${sentence}${at === undefined ? "" : ` (${at})`}${isAccepted ? " Accepted by the baseline." : ""}`,
    `    ${distinct.length} of ${counted(all, "test")}: ${brief}`,
    ...distinct
      .slice(0, MOST_TESTS)
      .flatMap((each) => [`    ${nameOf(each)}`].concat(each.what.map((harm) => `      → ${harm}`))),
    ...(distinct.length > MOST_TESTS ? [`    and ${counted(distinct.length - MOST_TESTS, "more test")}`] : []),
    ...also.slice(0, MOST_OTHERS).map((each) => `  Also: ${each}`),
    ...(also.length > MOST_OTHERS ? [`  and ${counted(also.length - MOST_OTHERS, "more trouble")}`] : []),
    `  Likely misunderstanding: ${misunderstanding}`,
    `  Remedy: ${remedy} node_modules/centavo/${page}`,
    `  Run it alone: ${first.command}`,
    "",
  ];
}

/** Lists what no test noticed, the dearest first. Each begins with a mark: ○ if the baseline accepts it. */
export function blindSpotsInLines({ blindSpots }: ReportedShake): readonly string[] {
  if (blindSpots === undefined) return [];
  const { open, closed } = blindSpots;
  const hidden = open.length - MOST_BLIND_SPOTS;
  const lines = [
    open.length === 0
      ? `No blind spot was found, and ${counted(closed, "place")} ${closed === 1 ? "is" : "are"} guarded by a test.`
      : `${counted(open.length, "blind spot")}, and ${counted(closed, "place")} guarded by a test:`,
    "",
    ...open.slice(0, MOST_BLIND_SPOTS).flatMap(blindSpotInLines),
    ...(hidden > 0 ? [`and ${counted(hidden, "more blind spot")}`, ""] : []),
  ];
  return lines.map(printable);
}

function blindSpotInLines({ sentence, at, tests, lines, isAccepted }: ReportedBlindSpot): readonly string[] {
  const [first] = tests as readonly [ReportedBlindSpot["tests"][number]];
  const others = tests.length - 1;
  return [
    `${isAccepted ? "○" : "?"} ${sentence}${at === undefined ? "" : ` (${at})`}${isAccepted ? " Accepted by the baseline." : ""}`,
    `    ${nameOf(first)}${others === 0 ? "" : ` and ${counted(others, "more test")}`} stayed green`,
    "  These lines close it:",
    ...lines.map((line) => `    ${line}`),
    `  Run it alone: ${first.command}`,
    "",
  ];
}

/** Says what else came of a shake: what was borne, noticed, and not tried. */
export function summaryInLines({
  findings,
  borne,
  noticed,
  runs,
  left,
  firstExit,
  ...told
}: ReportedShake): readonly string[] {
  const { countsOnIt, untried, ownCalls } = told;
  const isBorne = borne.count === 0 ? "" : ": the test stayed green, and nobody paid too much";
  const lines = [
    ...(findings.length === 0 ? ["No finding.", ""] : []),
    `In ${counted(runs, "run")} after the first, ${counted(borne.count, "trouble")} in ${counted(borne.tests, "test")} ${borne.count === 1 ? "was" : "were"} borne${isBorne}.`,
    ...(borne.count <= MOST_BORNE ? borne.kinds.flatMap(({ troubles }) => troubles.map((each) => `    ${each}`)) : []),
    ...(firstExit === undefined ? [] : [otherFailure(firstExit)]),
    ...(noticed.count === 0
      ? []
      : [
          `Under ${counted(noticed.count, "trouble")} a test failed, as it may when a call, a payment or an event fails. The service saw nobody lose money. --json lists them.`,
        ]),
    ...reasons(namesOf(countsOnIt).size === 1 ? "This test counts on it" : "These tests count on it", countsOnIt),
    ...reasons("Could not be tried, and --json lists them", untried),
    ...(left === 0 ? [] : [`${counted(left, "trouble")} had no run left: give more --seconds or --max-runs.`]),
    ...(ownCalls === 0
      ? []
      : [
          `${counted(ownCalls, "call")} of the tests' own, such as through the part client, cannot go wrong: only those of a shop can.`,
        ]),
    ...leftOutInLines(told),
  ];
  return lines.map(printable);
}

/** Says that a suite fails for another reason than its tests. */
export function otherFailure(firstExit: number): string {
  return `Something else fails in the suite, or a file cannot be loaded: its first run ended with exit code ${firstExit}, and these tests passed.`;
}

/** Names the tests that took no part, or not to their end. */
export function leftOutInLines({
  leftOut,
  failedAlready,
}: Pick<ReportedShake, "leftOut" | "failedAlready">): readonly string[] {
  return [
    ...leftOut.flatMap(({ why, isInPart, tests }) =>
      testsLeftOut(`${isInPart ? "Shaken only in part" : "Left out"}, because ${why}`, tests),
    ),
    ...testsLeftOut(
      `Left out, because ${failedAlready.length === 1 ? "it fails" : "they fail"} without any trouble`,
      failedAlready,
    ),
  ];
}

function testsLeftOut(
  heading: string,
  tests: readonly (ShakenTestInWords & { readonly message?: string })[],
): readonly string[] {
  if (tests.length === 0) return [];
  return [
    `${heading}:`,
    ...tests.slice(0, MOST_LEFT_OUT).flatMap(withMessage),
    ...(tests.length > MOST_LEFT_OUT ? [`    and ${counted(tests.length - MOST_LEFT_OUT, "more test")}`] : []),
  ];
}

function withMessage(each: ShakenTestInWords & { readonly message?: string }): readonly string[] {
  const name = `    ${nameOf(each)}`;
  return each.message === undefined ? [name] : [name, `      → ${each.message}`];
}

function reasons(heading: string, all: readonly ReportedReason[]): readonly string[] {
  if (all.length === 0) return [];
  return [
    `${heading}:`,
    ...all.slice(0, MOST_REASONS).map(({ why, count }) => `    ${counted(count, "trouble")}: ${why}`),
    ...(all.length > MOST_REASONS ? [`    and for ${counted(all.length - MOST_REASONS, "more reason")}`] : []),
  ];
}

function namesOf(groups: readonly ReportedReason[]): ReadonlySet<string> {
  return new Set(groups.flatMap(({ tests }) => tests.map(nameOf)));
}

/** Names a test with its file. */
export function nameOf({ test, file }: ShakenTestInWords): string {
  // Some runners begin the title with the file.
  return file === undefined || test.startsWith(file) ? test : `${file} > ${test}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
