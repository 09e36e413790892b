import { commandLine } from "../report/causes/commands.ts";
import type {
  ReportedFinding,
  ReportedGroup,
  ReportedReason,
  ReportedShake,
  ShakenTestInWords,
} from "../report/reported-shake.ts";
import { hasFailed } from "../testing/shake/test-record.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import type { BlindSpots } from "./blind-spots.ts";
import { findingsOf } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { leftOutOf } from "./left-out.ts";
import { messageIn } from "./judge.ts";
import { sentenceOf } from "./placed-trouble.ts";
import type { JudgedTrouble, ShakeResult } from "./shake.ts";
import { kindsOfTrouble } from "../troubles/in-shake.ts";
import { ownCallsIn } from "./plan-of-test.ts";
import { kindOf } from "./troubles-of-shake.ts";

/** What a shake is told with. */
export interface TellingOfShake {
  /** The command of the suite. */
  readonly command: readonly string[];
  /** The tokens of findings that are accepted. */
  readonly accepted: ReadonlySet<string>;
  /** The exit code of the first run; 0 by default. */
  readonly firstCode?: number;
}

/** Returns everything that a shake tells, as plain data. */
export function reportedShake(
  { plain, judged, untried, left, runs, blindSpots }: ShakeResult,
  { command, accepted, firstCode = 0 }: TellingOfShake,
): ReportedShake {
  const [borne, counting] = [of(judged, "borne"), of(judged, "counts on it")];
  const replayWith = (token: string): string =>
    commandLine(["npx", "centavo", "shake", "--replay", token, "--", ...command]);
  return {
    suite: commandLine(command),
    runs,
    findings: findingsOf(judged).map((finding) => reportedFinding(finding, replayWith, accepted)),
    ...(blindSpots === undefined ? {} : { blindSpots: reportedBlindSpots(blindSpots, replayWith, accepted) }),
    borne: {
      count: borne.length,
      tests: testsOf(borne).length,
      kinds: kindsOfTrouble.flatMap((kind) => {
        const own = borne.filter(({ placed }) => kindOf(placed.trouble) === kind);
        const { count, troubles, tests } = groupOf(own);
        return count === 0 ? [] : [{ kind, count, troubles, tests: tests.length }];
      }),
    },
    noticed: groupOf(of(judged, "noticed").filter(({ placed }) => placed.duty !== "must be noticed")),
    countsOnIt: byReason(counting.map(withReason)),
    untried: byReason([
      ...of(judged, "untried").map(withReason),
      ...untried.map(({ why, plain: own, ...placed }) => ({ why, plain: own, placed })),
    ]),
    left,
    ownCalls: ownCallsIn(plain).length,
    ...aboutTests(plain, firstCode),
  };
}

/**
 * Tells of the tests of a suite, and of those that were not shaken.
 * @param firstCode the exit code of the first run
 */
export function aboutTests(
  plain: readonly TestRecord[],
  firstCode: number,
): Pick<ReportedShake, "tests" | "firstExit" | "leftOut" | "failedAlready"> {
  return {
    tests: plain.length,
    ...(firstCode === 0 || plain.some(hasFailed) ? {} : { firstExit: firstCode }),
    leftOut: leftOutOf(plain).map(({ why, isInPart, tests }) => ({ why, isInPart, tests: tests.map(inWords) })),
    failedAlready: plain
      .filter(hasFailed)
      .map((record) => Object.assign(inWords(record), { message: messageIn(record.outcome) })),
  };
}

function reportedFinding(
  { tests, law, ...finding }: Finding,
  replayWith: (token: string) => string,
  accepted: ReadonlySet<string>,
): ReportedFinding {
  return {
    ...finding,
    law,
    page: `docs/guide/laws.md#${law}`,
    isAccepted: tests.every(({ token }) => accepted.has(token)),
    tests: tests.map((each) => ({ ...each, command: replayWith(each.token) })),
  };
}

function reportedBlindSpots(
  { open, closed }: BlindSpots,
  replayWith: (token: string) => string,
  accepted: ReadonlySet<string>,
): NonNullable<ReportedShake["blindSpots"]> {
  return {
    open: open.map(({ tests, ...spot }) => ({
      ...spot,
      isAccepted: tests.every(({ token }) => accepted.has(token)),
      tests: tests.map((each) => ({ ...each, command: replayWith(each.token) })),
    })),
    closed,
  };
}

/** A trouble in a test. */
type InTest = Pick<JudgedTrouble, "plain"> & { readonly placed: Parameters<typeof sentenceOf>[0] };

function of(judged: readonly JudgedTrouble[], is: JudgedTrouble["judgement"]["is"]): readonly JudgedTrouble[] {
  return judged.filter(({ judgement }) => judgement.is === is);
}

function withReason({ judgement, plain, placed }: JudgedTrouble): InTest & { readonly why: string } {
  return { why: "why" in judgement ? judgement.why : "", plain, placed };
}

/** Groups troubles by their reason, the most common first. */
function byReason(all: readonly (InTest & { readonly why: string })[]): readonly ReportedReason[] {
  return [...Map.groupBy(all, ({ why }) => why)]
    .map(([why, group]): ReportedReason => Object.assign({ why }, groupOf(group)))
    .toSorted((one, other) => other.count - one.count);
}

function groupOf(group: readonly InTest[]): ReportedGroup {
  const troubles = [...new Set(group.map(({ placed, plain }) => sentenceOf(placed, plain)))];
  return { count: group.length, troubles, tests: testsOf(group) };
}

/** Returns the tests, each once. */
export function testsOf(group: readonly Pick<JudgedTrouble, "plain">[]): readonly ShakenTestInWords[] {
  const byKey = new Map(group.map(({ plain }) => [plain.test.key, plain]));
  return [...byKey.values()].map(inWords);
}

/** Names a test. */
export function inWords({ test: { title, file } }: TestRecord): ShakenTestInWords {
  return { ...(file === undefined ? {} : { file }), test: title };
}
