import { readFileSync, rmSync } from "node:fs";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { readRecording } from "../simulator/payment-recording.ts";
import { withoutSecrets } from "../exam/without-secrets.ts";
import { createSimulator } from "../report/create-simulator.ts";
import { documentOf } from "../report/document.ts";
import { gatherRun } from "../report/gather-run.ts";
import { playAgain } from "../report/playback.ts";
import type { ReportedRun } from "../report/reported-run.ts";
import type { ReportedHarm, ReportedShake } from "../report/reported-shake.ts";
import { tidied } from "../report/tidied.ts";
import { mayBeFinding } from "../shake/findings.ts";
import { messageIn } from "../shake/judge.ts";
import type { Tried } from "../shake/judge.ts";
import { tokenOf } from "../shake/token.ts";
import { hasFailed } from "../testing/shake/test-record.ts";

/** How many findings open the report of a run. A document with hundreds of runs would be too large for a browser. */
const MOST_RUNS = 25;

/** Removes the recordings of what cannot turn out to be a finding, so that those of a long shake fit on the disk. */
export function forgetBorneRuns(tried: readonly Tried[]): void {
  for (const each of tried) {
    const { recording } = each.shaken ?? {};
    if (recording !== undefined && "path" in recording && !mayBeFinding(each)) rmSync(recording.path, { force: true });
  }
}

/** Returns the page of a shake: its findings, and the run of each of them as a report. */
export async function pageOfShake(told: ReportedShake, judged: readonly Tried[]): Promise<string> {
  const byToken = new Map(judged.map((each) => [tokenOf(each.plain.test.key, each.placed), each]));
  const runs: ReportedRun[] = [];
  const runOfFinding: (number | string)[] = [];
  for (const { tests } of told.findings) {
    const [first] = tests as readonly [ReportedHarm];
    const run =
      runs.length < MOST_RUNS
        ? await runOf(first, byToken.get(first.token))
        : `This page has the runs of the first ${MOST_RUNS} findings. Run it alone to see more of it.`;
    runOfFinding.push(typeof run === "string" ? run : runs.push(run) - 1);
  }
  // Assertions may quote what a test saw.
  return documentOf(runs, { shake: tidied({ ...told, runOfFinding }, withoutSecrets) });
}

/** Plays the run of a finding again, or says why it cannot be shown. */
async function runOf({ test, file }: ReportedHarm, tried: Tried | undefined): Promise<ReportedRun | string> {
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
