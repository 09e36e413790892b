import type { PlannedTrouble, RunPlan } from "../testing/shake/run-folder.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";

/** One run of a suite. */
export interface SuiteRun {
  readonly records: readonly TestRecord[];
}

/** How a suite is run again and again. */
export interface Turns<Each> {
  /** Runs the suite. Resolves to undefined when there is no time left for another run. */
  readonly run: (number: number, plan: RunPlan) => Promise<SuiteRun | undefined>;
  /** How many runs may be made at the same time. */
  readonly jobs?: number | undefined;
  /** Called after each run with what was tried in it. */
  readonly onTried?: ((tried: readonly Made<Each>[]) => void) | undefined;
  /** Called with the number of runs once that is known. */
  readonly onPlan?: ((runs: number) => void) | undefined;
}

/** What waits for its run, in the tests in which it is planned, as they passed when nothing was changed. */
export interface Waiting {
  readonly tests: readonly TestRecord[];
  readonly planned: PlannedTrouble;
}

/** What was planned, and what one of its tests passed then. */
export interface Made<Each> {
  readonly each: Each;
  readonly plain: TestRecord;
  /** Absent when the test left no record of this run. */
  readonly shaken: TestRecord | undefined;
}

/** Groups what belongs to tests, so that worlds which the same test uses stand together. */
export function togetherByTest<Own extends { readonly record: TestRecord }>(
  plans: readonly Own[],
): readonly (readonly Own[])[] {
  const sharing = new Set(plans.flatMap(({ record: { test } }) => (test.isShared === true ? [test.file] : [])));
  const groups = Map.groupBy(plans, ({ record: { test } }) =>
    sharing.has(test.file) ? `file ${test.file ?? ""}` : (test.group ?? test.key),
  );
  return [...groups.values()];
}

/**
 * Runs a suite once for each place in the lists.
 * @param lists one run makes one of each list
 * @returns what was made, in the order of the runs, and what no run was left for
 */
export async function makeInTurns<Each extends Waiting>(
  lists: readonly (readonly Each[])[],
  { run, jobs = 1, onTried, onPlan }: Turns<Each>,
): Promise<{ readonly made: readonly Made<Each>[]; readonly left: readonly Each[]; readonly runs: number }> {
  const needed = Math.max(0, ...lists.map((list) => list.length));
  onPlan?.(needed);
  const made = new Map<number, readonly Made<Each>[]>();
  let [next, isOut] = [1, false];
  const work = async (): Promise<void> => {
    while (next <= needed && !isOut) {
      const number = next++;
      const chosen = lists.flatMap((list) => list[number - 1] ?? []);
      const plan = chosen.flatMap(({ tests, planned }) => tests.map(({ test }) => [test.key, planned] as const));
      const shaken = await run(number, Object.fromEntries(plan));
      if (shaken === undefined) {
        isOut = true;
        break;
      }
      const byKey = new Map(shaken.records.map((record) => [record.test.key, record]));
      const ofRun = chosen.flatMap((each) =>
        each.tests.map((plain): Made<Each> => {
          const own = byKey.get(plain.test.key);
          return { each, plain, shaken: own && withUncaughtError(plain, own) };
        }),
      );
      made.set(number, ofRun);
      onTried?.(ofRun);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, needed) }, work));
  return {
    // In the order of the runs, however many were made at the same time.
    made: [...made].toSorted(([one], [other]) => one - other).flatMap(([, ofRun]) => ofRun),
    left: lists.flatMap((list) => list.filter((_, index) => !made.has(index + 1))),
    runs: made.size,
  };
}

/** Returns what a test passed, as failed where an error that nothing caught is new: its runner may say so of no test. */
function withUncaughtError(plain: TestRecord, shaken: TestRecord): TestRecord {
  const { uncaught, outcome } = shaken;
  if (uncaught === undefined || plain.uncaught !== undefined || outcome.is !== "passed") return shaken;
  return { ...shaken, outcome: { is: "failed", message: `Nothing caught an error: ${uncaught}` } };
}
