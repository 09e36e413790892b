import type { Coverage } from "../simulator/coverage-result.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { writeTextFile } from "../kit/base/runtime/files.ts";
import { shown } from "../simulator/shown.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { documentOf } from "./document.ts";
import { gatherRun } from "./gather-run.ts";
import type { RunContext } from "./gather-run.ts";
import { reportedCoverage } from "./reported-coverage.ts";
import { nothingHappened } from "./reported-run.ts";

/**
 * Returns the report of a run, as `sim.report()` does: one HTML document, which loads nothing and holds no secret.
 * @param path where to write it, too; folders above it are created
 * @throws {CentavoError} `INVALID_OPTION` when the path names no file or cannot be written, `INVALID_STATE` where there is no file system
 *
 * @example
 * const html = await htmlReport(sim, "report.html");
 */
export async function htmlReport(sim: Simulator, path?: string): Promise<string> {
  if (path !== undefined && (typeof path !== "string" || path === ""))
    throw new CentavoError(
      "INVALID_OPTION",
      `sim.report: the path ${shown(path)} names no file. Give one, such as "report.html", or none to get the text alone.`,
    );
  const html = await htmlReportOf(sim);
  if (path !== undefined) writeReport(path, html);
  return html;
}

/** Returns the report of a run, including what only a test session or a program knows. */
export async function htmlReportOf(sim: Simulator, context?: RunContext): Promise<string> {
  return documentOf([await gatherRun(sim, context)]);
}

/**
 * Returns the coverage of a suite as the same document, with only that view.
 * @param notes what the reader should know about it, in sentences
 */
export function coverageHtml(coverage: Coverage, notes: readonly string[]): string {
  const run = { ...nothingHappened, title: "Coverage of the payment service", notes };
  return documentOf([{ ...run, coverage: reportedCoverage(coverage) }], { resources: coverage.resources });
}

/** @throws {CentavoError} `INVALID_OPTION` when the file cannot be written, `INVALID_STATE` where there is no file system */
function writeReport(path: string, html: string): void {
  let isWritten: boolean;
  try {
    isWritten = writeTextFile(path, html);
  } catch (error) {
    throw new CentavoError(
      "INVALID_OPTION",
      `sim.report: ${shortened(path)} cannot be written: ${messageOf(error)}. Name a file that can be written.`,
      { cause: error },
    );
  }
  if (!isWritten)
    throw new CentavoError(
      "INVALID_STATE",
      "sim.report: this process has no file system, so it cannot write the report. Call sim.report() without a path, and keep the text that it returns.",
    );
}
