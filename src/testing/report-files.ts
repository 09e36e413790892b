import { replayCommand } from "../report/causes/commands.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isThrown, messageOf } from "../kit/base/errors/thrown-values.ts";
import type { RunContext } from "../report/gather-run.ts";
import { htmlReportOf } from "../report/html-report.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { pathOfFile, writeFileOf } from "./recording-files.ts";
import type { NamedTest, WrittenFile } from "./recording-files.ts";
import type { TestOptions } from "./test-options.ts";

/**
 * Writes the report of a test beside its recording, if its options ask for one.
 * @returns why there is none if it could not be written, because the test's own result matters more
 */
export async function writeReportOf(
  sim: Simulator,
  test: NamedTest,
  { recordings, report = recordings === false ? "never" : "on failure" }: TestOptions,
  run: RunContext,
): Promise<WrittenFile | undefined> {
  const failed = run.outcome === "failed";
  if (report === "never" || (report === "on failure" && !failed)) return undefined;
  const folder = recordings === false ? undefined : recordings;
  const isRecorded = failed && recordings !== false && sim.internals.settings.recording;
  // A test that timed out has no time left for a replay.
  const isTooLate = isThrown(run.error, CentavoError) && run.error.code === "TEST_TIMED_OUT";
  try {
    const html = await htmlReportOf(sim, {
      ...run,
      title: test.title,
      ...(isRecorded ? { replay: replayCommand(pathOfFile(test, "json", folder)) } : {}),
      ...(isTooLate ? { heard: false } : {}),
    });
    return writeFileOf(test, "html", folder, html);
  } catch (error) {
    return { missing: messageOf(error) };
  }
}
