import { hasFailed } from "../testing/shake/test-record.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { nameOfPoint } from "../troubles/point.ts";
import { isCharging } from "../troubles/routes.ts";
import { blindSpotsOf } from "./blind-spots.ts";
import type { BlindSpots } from "./blind-spots.ts";
import { whyItCountsOn } from "./counts-on-it.ts";
import { forgeryTaken, isForgery, judge } from "./judge.ts";
import type { Judgement, Tried } from "./judge.ts";
import type { PlacedTrouble, UntriedTrouble } from "./placed-trouble.ts";
import { isLateAnswer, planOfTest, repeatsIn } from "./plan-of-test.ts";
import { rankOf } from "./troubles-of-shake.ts";
import { makeInTurns, togetherByTest } from "./turns.ts";
import type { Made, Turns, Waiting } from "./turns.ts";

/** What a shake needs. */
export interface ShakeOptions extends Pick<Turns<unknown>, "run" | "jobs" | "onPlan"> {
  /** Whether a trouble may be made; by default all may. */
  readonly isWanted?: (placed: Pick<PlacedTrouble, "trouble" | "point">, test: TestRecord) => boolean;
  /** Whether the service also says something else than it knows, to see whether any test notices. By default it does not. */
  readonly blindSpots?: boolean;
  /** Called after each run with what was tried in it. */
  readonly onTried?: (tried: readonly Tried[]) => void;
}

/** A trouble in a test with its judgement. */
export interface JudgedTrouble extends Tried {
  readonly judgement: Judgement;
}

export interface ShakeResult {
  /** What each test passed when nothing went wrong. */
  readonly plain: readonly TestRecord[];
  readonly judged: readonly JudgedTrouble[];
  /** What no test noticed; absent unless it was asked for. */
  readonly blindSpots?: BlindSpots;
  /** What could not be tried, with its test. */
  readonly untried: readonly (UntriedTrouble & { readonly plain: TestRecord })[];
  /** How many troubles no run was left for. */
  readonly left: number;
  /** How many runs there were after the first. */
  readonly runs: number;
}

/** Runs a suite once as it is, and then again and again, each time with one trouble in each test. */
export async function shake({
  run,
  isWanted = () => true,
  blindSpots = false,
  onTried,
  ...turns
}: ShakeOptions): Promise<ShakeResult | undefined> {
  const first = await run(0, {});
  if (first === undefined) return undefined;
  const plain = first.records;
  const passed = plain.filter(({ outcome }) => outcome.is === "passed");
  const repeats = repeatsIn(passed);
  const plans = passed.map((record) => {
    const { placed, untried } = planOfTest(record, repeats, blindSpots);
    const wanted = placed.filter((each) => isWanted(each, record));
    return {
      record,
      placed: wanted,
      controls: placed.filter((each) => !wanted.includes(each) && isControlOfSome(each, wanted)),
      untried: untried.filter((each) => isWanted(each, record)),
    };
  });
  const controls = new Set(plans.flatMap((plan) => plan.controls));
  const { made, left, runs } = await makeInTurns(listsOf(plans), {
    run,
    ...turns,
    onTried: onTried && ((ofRun) => onTried(ofRun.map(triedOf))),
  });
  const untried = plans.flatMap(({ record, untried: own }) => own.map((each) => ({ ...each, plain: record })));
  const judged = judgeAll(made.map(triedOf)).filter(({ placed }) => !controls.has(placed));
  return {
    plain,
    judged,
    untried,
    left: left.filter(({ placed }) => !controls.has(placed)).length,
    runs,
    ...(blindSpots ? { blindSpots: blindSpotsOf(judged) } : {}),
  };
}

/** The trouble that shows whether a test needs an event. */
const LOST_EVENT = "webhook.drop";

/** A trouble of a test that waits for its run. */
interface WaitingTrouble extends Waiting {
  readonly placed: PlacedTrouble;
}

function triedOf({ each: { placed }, plain, shaken }: Made<WaitingTrouble>): Tried {
  return { placed, plain, shaken };
}

/** Whether nobody asked for a trouble, and others cannot be judged without it. */
function isControlOfSome({ trouble, point }: PlacedTrouble, wanted: readonly PlacedTrouble[]): boolean {
  return (
    trouble.name === LOST_EVENT &&
    wanted.some((each) => isForgery(each) && nameOfPoint(each.point) === nameOfPoint(point))
  );
}

interface PlannedTest {
  readonly record: TestRecord;
  readonly placed: readonly PlacedTrouble[];
  /** What is made only to judge the others. */
  readonly controls: readonly PlacedTrouble[];
}

/** Returns lists of troubles, of each of which one run makes one. Worlds that the same test uses share a list. */
function listsOf(plans: readonly PlannedTest[]): readonly (readonly WaitingTrouble[])[] {
  const waiting = (record: TestRecord, placed: PlacedTrouble): WaitingTrouble => {
    const { planned } = placed;
    return { tests: [record], planned, placed };
  };
  return togetherByTest(plans).map((group) => {
    const troubles = group.flatMap(({ record, placed }) => placed.map((each) => waiting(record, each)));
    const controls = group.flatMap((plan) => plan.controls.map((each) => waiting(plan.record, each)));
    return troubles.toSorted((one, other) => rankIn(one) - rankIn(other)).concat(controls);
  });
}

function rankIn({ placed: { trouble, point } }: WaitingTrouble): number {
  return rankOf(trouble, point);
}

/** Judges every trouble; whether a forged event was taken depends on what happens when the event never comes. */
function judgeAll(tried: readonly Tried[]): readonly JudgedTrouble[] {
  const missed = new Set(tried.filter(showsThatItIsMissed).map(placeOf));
  const controls = Map.groupBy(
    tried.filter(
      ({ placed: { trouble, point }, shaken }) =>
        isLateAnswer(trouble) && !isCharging(point.subject) && hasFailed(shaken),
    ),
    ({ plain }) => plain.test.key,
  );
  return tried.map((each) => {
    const forgery = forgeryTaken(each, missed.has(placeOf(each)));
    return {
      ...each,
      judgement: forgery
        ? { is: "money", breaches: [forgery], isNoticed: false }
        : judge(each, isLateAnswer(each.placed.trouble) ? (controls.get(each.plain.test.key) ?? []) : []),
    };
  });
}

/** Whether a test fails without an event because of what the merchant does then. */
function showsThatItIsMissed({ placed, plain, shaken }: Tried): boolean {
  if (placed.trouble.name !== LOST_EVENT || shaken?.trouble?.struckAt === undefined || !hasFailed(shaken)) return false;
  return shaken.outcome.isTooLate === undefined && whyItCountsOn(placed, plain, shaken) === undefined;
}

function placeOf({ placed: { point }, plain }: Tried): string {
  return JSON.stringify([plain.test.key, point]);
}
