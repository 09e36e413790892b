import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { calibrate } from "../calibrate/calibrate.ts";
import type { Calibration } from "../calibrate/calibration.ts";
import { calibrationInWords } from "../calibrate/in-words.ts";
import { pageOfCalibration } from "../calibrate/page.ts";
import type { RecordedFile } from "../calibrate/recordings.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { besideJson, jsonDocument, tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { writeFile } from "./write-file.ts";

export interface CalibrateCommandOptions {
  readonly baseUrl?: string;
  readonly authUrl?: string;
  readonly out: string;
  readonly check?: boolean;
  readonly json?: boolean;
  readonly html?: string;
}

/** Calibrates with recorded files, tells what was found, and writes it. */
export async function calibrateFiles(
  paths: readonly string[],
  { baseUrl, authUrl, out, check = false, json, html }: CalibrateCommandOptions,
  output: Output,
  directory: string,
): Promise<ExitCode> {
  try {
    const calibration = await calibrate(
      paths.map((path) => recordedFile(path, directory)),
      {
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(authUrl === undefined ? {} : { authUrl }),
        ...(existsSync(resolve(directory, out)) ? { assumptions: assumptionsIn(out, directory) } : {}),
      },
    );
    const beside = besideJson(output, json);
    const isWritten = writeAll(calibration, { out: check ? undefined : out, html }, beside, directory);
    const isDifferent = check && differs(calibration);
    const exitCode = !isWritten ? exitCodes.couldNotRun : isDifferent ? exitCodes.failed : exitCodes.passed;
    if (json === true) output.print(jsonDocument(exitCode, calibration));
    else tell(calibration, check, output);
    return exitCode;
  } catch (error) {
    tellProblem(error, json, output);
    return exitCodes.couldNotRun;
  }
}

function recordedFile(path: string, directory: string): RecordedFile {
  try {
    return { name: path, content: readFileSync(resolve(directory, path)) };
  } catch (error) {
    const why =
      (error as { readonly code?: unknown }).code === "EISDIR"
        ? `it is a folder. Name its files, such as ${path.replace(/\/+$/, "")}/*.har`
        : messageOf(error);
    throw new CentavoError("INVALID_OPTION", `The recording ${path} cannot be read: ${why}.`, { cause: error });
  }
}

/** Whether a nightly job has to tell somebody. */
function differs({ rows, drift, disagreements }: Calibration): boolean {
  return rows.some(({ changed }) => changed) || drift.length > 0 || disagreements.length > 0;
}

/** @returns false if a file could not be written, which is printed too */
function writeAll(
  calibration: Calibration,
  { out, html }: { readonly out: string | undefined; readonly html: string | undefined },
  output: Output,
  directory: string,
): boolean {
  const { assumptions, rows } = calibration;
  const evidence = Object.fromEntries(rows.map(({ id, exchanges }) => [id, exchanges]));
  const files = [
    { what: "file", path: out, text: `${JSON.stringify({ assumptions, evidence }, undefined, 2)}\n` },
    { what: "page", path: html, text: pageOfCalibration(calibration) },
  ];
  const problems = files.flatMap(({ what, path, text }): string[] => {
    if (path === undefined) return [];
    const problem = writeFile(what, path, text, directory);
    if (problem === undefined) output.print(`Wrote the ${what} ${path}.`);
    return problem === undefined ? [] : [problem];
  });
  for (const problem of problems) output.print(styled(output, "red", problem));
  return problems.length === 0;
}

function tell(calibration: Calibration, check: boolean, output: Output): void {
  for (const { title, lines } of calibrationInWords(calibration)) {
    output.print(styled(output, "bold", `${title}${lines.length === 0 ? "." : ":"}`));
    for (const line of lines) output.print(styled({ ...output, colours: false }, "dim", `  ${line}`));
  }
  if (!check) return;
  output.print(
    differs(calibration)
      ? styled(output, "red", "The recordings do not agree with the assumptions.")
      : styled(output, "green", "The recordings agree with the assumptions."),
  );
}
