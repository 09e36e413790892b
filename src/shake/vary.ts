import { hasFailed } from "../testing/shake/test-record.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { messageIn, TOO_LATE, whyNotJudged } from "./judge.ts";
import { makeInTurns, togetherByTest } from "./turns.ts";
import type { Made, Turns, Waiting } from "./turns.ts";
import { variationsOf } from "./variations.ts";
import type { Variation } from "./variations.ts";

/** What runs a suite under other answers. */
export interface VaryOptions extends Pick<Turns<unknown>, "run" | "jobs" | "onPlan"> {
  /** Whether a variation may be made in a test; by default all may. */
  readonly isWanted?: (variation: Variation, test: TestRecord) => boolean;
  /** Called after each run with what was tried in it. */
  readonly onTried?: (tried: readonly VariedTest[]) => void;
}

/** A test under another answer to one question, and what became of it. */
export interface VariedTest {
  readonly variation: Variation;
  readonly plain: TestRecord;
  /** Absent when the test left no record of this run. */
  readonly shaken: TestRecord | undefined;
}

/** Whether a test relies on the answer that it usually gets: it fails under another one. */
export type Reliance =
  | { readonly is: "relies"; readonly message: string }
  | { readonly is: "holds" }
  | { readonly is: "untried"; readonly why: string };

/** A test under another answer, with its judgement. */
export interface JudgedVariation extends VariedTest {
  readonly judgement: Reliance;
}

export interface VaryResult {
  /** What each test passed when nothing was changed. */
  readonly plain: readonly TestRecord[];
  readonly judged: readonly JudgedVariation[];
  /** How many variations, each counted in each test, no run was left for. */
  readonly left: number;
  /** The assumptions of these variations. */
  readonly leftIds: readonly string[];
  /** How many runs there were after the first. */
  readonly runs: number;
}

interface WaitingVariation extends Waiting {
  readonly variation: Variation;
}

/**
 * Runs a suite once as it is, and then again and again. In each run, the service of each test answers one of the open questions otherwise that
 * the test rested on. Which tests fail then rely on the usual answer.
 */
export async function vary({
  run,
  isWanted = () => true,
  onTried,
  ...turns
}: VaryOptions): Promise<VaryResult | undefined> {
  const first = await run(0, {});
  if (first === undefined) return undefined;
  const plain = first.records;
  const passed = plain.filter(({ outcome }) => outcome.is === "passed");
  const plans = passed.map((record) => ({
    record,
    variations: variationsOf(record).filter((variation) => isWanted(variation, record)),
  }));
  const { made, left, runs } = await makeInTurns(togetherByTest(plans).map(waitingIn), {
    run,
    ...turns,
    onTried: onTried && ((ofRun) => onTried(ofRun.map(variedOf))),
  });
  return {
    plain,
    judged: made.map(variedOf).map((each) => Object.assign(each, { judgement: judge(each) })),
    left: left.reduce((sum, { tests }) => sum + tests.length, 0),
    leftIds: [...new Set(left.map(({ variation }) => variation.id))],
    runs,
  };
}

/** Returns what one run after the other makes in worlds that stand together: the service answers the same in all of them. */
function waitingIn(
  group: readonly { readonly record: TestRecord; readonly variations: readonly Variation[] }[],
): readonly WaitingVariation[] {
  const each = group.flatMap(({ record, variations }) => variations.map((variation) => ({ record, variation })));
  const alike = Map.groupBy(each, ({ variation: { id, name } }) => `${id} ${name}`);
  return [...alike.values()].map((same) => {
    const [{ variation }] = same as [(typeof each)[number]];
    return {
      variation,
      tests: same.map(({ record }) => record),
      planned: { faults: [], assumptions: { [variation.id]: variation.value }, endsWithTest: true },
    };
  });
}

function variedOf({ each: { variation }, plain, shaken }: Made<WaitingVariation>): VariedTest {
  return { variation, plain, shaken };
}

function judge({ shaken }: VariedTest): Reliance {
  const why = whyNotJudged(shaken);
  if (why !== undefined || shaken === undefined) return { is: "untried", why: why ?? "" };
  if (!hasFailed(shaken)) return { is: "holds" };
  // How long a test takes is up to the machine, too.
  if (shaken.outcome.isTooLate === true) return { is: "untried", why: TOO_LATE };
  return { is: "relies", message: messageIn(shaken.outcome) };
}
