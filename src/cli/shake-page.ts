import { readFileSync, rmSync } from "node:fs";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { readRecording } from "../simulator/payment-recording.ts";
import { withoutSecrets } from "../exam/without-secrets.ts";
import { createSimulator } from "../report/create-simulator.ts";
import { documentOf } from "../report/document.ts";
import { gatherRun } from "../report/gather-run.ts";
import { playAgain } from "../report/playback.ts";
import type { ReportedRun } from "../report/reported-run.ts";
import type { ReportedShake, ShakenTestInWords } from "../report/reported-shake.ts";
import type { ReportedVariations } from "../report/reported-variations.ts";
import { tidied } from "../report/tidied.ts";
import { mayBeFinding } from "../shake/findings.ts";
import { messageIn } from "../shake/judge.ts";
import type { Tried } from "../shake/judge.ts";
import { tokenOf, tokenOfVariation } from "../shake/token.ts";
import type { VariedTest } from "../shake/vary.ts";
import { hasFailed } from "../testing/shake/test-record.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";

/** How many findings open the report of a run. A document with hundreds of runs would be too large for a browser. */
const MOST_RUNS = 25;

/** Removes the recordings of what cannot turn out to be a finding, so that those of a long shake fit on the disk. */
export function forgetBorneRuns(tried: readonly Tried[]): void {
  for (const each of tried) if (!mayBeFinding(each)) forget(each.shaken);
}

function forget({ recording }: Pick<TestRecord, "recording"> = {}): void {
  if (recording !== undefined && "path" in recording) rmSync(recording.path, { force: true });
}

/** Returns the page of a shake: its findings, and the run of each of them as a report. */
export async function pageOfShake(told: ReportedShake, judged: readonly Tried[]): Promise<string> {
  const byToken = new Map(judged.map((each) => [tokenOf(each.plain.test.key, each.placed), each]));
  const { runs, runOfFinding } = await runsOf(told.findings, byToken);
  // Assertions may quote what a test saw.
  return documentOf(runs, { shake: tidied({ ...told, runOfFinding }, withoutSecrets) });
}

/** Removes the recordings of what relies on nothing. */
export function forgetRunsThatHeld(tried: readonly VariedTest[]): void {
  for (const { shaken } of tried) if (!hasFailed(shaken)) forget(shaken);
}

/** Returns the page of a suite under other answers: what its tests rely on, and the run of each reliance as a report. */
export async function pageOfVariations(told: ReportedVariations, judged: readonly VariedTest[]): Promise<string> {
  const byToken = new Map(judged.map((each) => [tokenOfVariation(each.plain.test.key, each.variation), each]));
  const { runs, runOfFinding } = await runsOf(told.reliances, byToken);
  return documentOf(runs, { variations: tidied({ ...told, runOfFinding }, withoutSecrets) });
}

/** A test of a finding, by whose token its run is known. */
type FoundIn = ShakenTestInWords & { readonly token: string };

/** Returns the runs of findings, and where that of each is, or why it is missing. */
async function runsOf(
  findings: readonly { readonly tests: readonly FoundIn[] }[],
  byToken: ReadonlyMap<string, Pick<Tried, "shaken">>,
): Promise<{ readonly runs: readonly ReportedRun[]; readonly runOfFinding: readonly (number | string)[] }> {
  const runs: ReportedRun[] = [];
  const runOfFinding: (number | string)[] = [];
  for (const { tests } of findings) {
    const [first] = tests as readonly [FoundIn];
    const run =
      runs.length < MOST_RUNS
        ? await runOf(first, byToken.get(first.token))
        : `This page has the runs of the first ${MOST_RUNS} findings. Run it alone to see more of it.`;
    runOfFinding.push(typeof run === "string" ? run : runs.push(run) - 1);
  }
  return { runs, runOfFinding };
}

/** Plays the run of a finding again, or says why it cannot be shown. */
async function runOf(
  { test, file }: ShakenTestInWords,
  tried: Pick<Tried, "shaken"> | undefined,
): Promise<ReportedRun | string> {
  const { recording, outcome, entries = 0 } = tried?.shaken ?? {};
  if (recording === undefined || outcome === undefined) return "The run of this test was not recorded.";
  if ("missing" in recording) return `The run cannot be shown: ${withoutSecrets(recording.missing)}`;
  try {
    const played = await playAgain(readRecording(JSON.parse(readFileSync(recording.path, "utf8"))), createSimulator);
    const { journal } = played.sim.internals.parts.engine;
    const hasAftermath = journal.forgotten.count + journal.length > entries;
    return await gatherRun(played.sim, {
      title: file === undefined || test.startsWith(file) ? test : `${file} > ${test}`,
      heard: played,
      explanation: { causes: [] },
      ...(hasFailed(tried?.shaken)
        ? { outcome: "failed", error: { message: messageIn(outcome) } }
        : { outcome: "passed" }),
      ...(hasAftermath
        ? { asides: [{ after: entries, kind: "step", text: "The test ended. The service repeats its deliveries." }] }
        : {}),
    });
  } catch (error) {
    return `The run could not be played again: ${withoutSecrets(messageOf(error))}`;
  }
}
