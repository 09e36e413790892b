import { cleaner, explanationOf } from "./causes/cause-report.ts";
import type { Explanation } from "./causes/cause-report.ts";
import type { SessionClues } from "./causes/clues.ts";
import { coverageOf } from "./coverage/of-simulator.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { asLiteral } from "../kit/base/errors/literal.ts";
import { GatheredRows } from "./gathered-rows.ts";
import { playAgain } from "./playback.ts";
import type { Playback } from "./playback.ts";
import { reportedCoverage } from "./reported-coverage.ts";
import type { Aside, ReportedExam, ReportedRun } from "./reported-run.ts";
import { shownError } from "./shown-error.ts";
import { tidied } from "./tidied.ts";

/** What a report knows besides the simulator. */
export interface RunContext {
  readonly title?: string;
  readonly outcome?: "passed" | "failed";
  /** What the test threw, if it failed. */
  readonly error?: unknown;
  readonly session?: SessionClues;
  /** Why it failed, if that was found before the simulator was closed. */
  readonly explanation?: Explanation;
  readonly exam?: ReportedExam;
  readonly asides?: readonly Aside[];
  /** The seed in the form in which the reader can find it again; by default the simulator's own. */
  readonly seed?: string;
  /** The command that replays the run. */
  readonly replay?: string;
  /** What was recorded while the run was replayed; false if there is no time to replay it. */
  readonly heard?: Playback | false;
}

/** Gathers what the report shows of a run. It only reads the simulator. */
export async function gatherRun(sim: Simulator, context: RunContext = {}): Promise<ReportedRun> {
  const { title = "A simulated run", error, session = {}, outcome, exam, asides = [], replay } = context;
  const { explanation = outcome === "passed" ? { causes: [] } : explanationOf(sim, error, session) } = context;
  const { seed = sim.seed } = context;
  const { engine } = sim.internals.parts;
  const { entries } = engine.journal;
  const { now } = engine;
  const { heard, problem } = await heardOf(sim, context.heard);
  const gathered = new GatheredRows(sim, heard);
  const rows = gathered.take(entries);
  const run: ReportedRun = {
    title,
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error: shownError(error) }),
    ...explanation,
    ...(exam === undefined ? {} : { exam }),
    seed,
    digest: sim.journal.digest(),
    now: toTimestamp(now),
    ...(replay === undefined ? {} : { replay }),
    notes: notesOf(sim, problem),
    rows: [],
    asides,
    resources: gathered.resources.all,
    pending: pendingIn(sim, gathered),
    faults: gathered.faults.all,
    assumptions: assumptionsIn(sim),
    coverage: reportedCoverage(coverageOf(sim)),
  };
  return { ...tidied(run, cleaner(sim)), rows };
}

/** Returns what waits for the clock, with the resources that it concerns. */
export function pendingIn(sim: Simulator, gathered: GatheredRows): ReportedRun["pending"] {
  return sim.clock.pending().map(({ at, what }) => ({ at, what, about: gathered.placesIn(what) }));
}

/** Returns the assumptions that a run relied on. */
export function assumptionsIn(sim: Simulator): ReportedRun["assumptions"] {
  return sim.assumptions.used().map(({ id, question, answer, value, changed }) => ({
    id,
    question,
    answer,
    value: value === undefined ? undefined : asLiteral(value),
    isChanged: changed,
  }));
}

async function heardOf(
  sim: Simulator,
  given: Playback | false | undefined,
): Promise<{ heard?: Playback; problem?: string }> {
  if (given === false) return { problem: "there was no time left to play the run again" };
  try {
    const heard = given ?? (await playAgain(sim.recording(), (options) => sim.another(options)));
    return heard.problem === undefined ? { heard } : { heard, problem: heard.problem };
  } catch (error) {
    // A report without messages is better than no report.
    return { problem: messageOf(error) };
  }
}

/** Says what of a run is missing. */
export function notesOf(sim: Simulator, problem?: string): string[] {
  const { count } = sim.internals.parts.engine.journal.forgotten;
  return [
    ...(count === 0 ? [] : [`The journal is bounded: ${count} earlier entries are forgotten.`]),
    ...(problem === undefined ? [] : [`Headers and bodies are not complete: ${problem}`]),
  ];
}
