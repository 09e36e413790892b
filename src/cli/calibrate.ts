import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { calibrate, isHttpUrl } from "../calibrate/calibrate.ts";
import type { Calibration } from "../calibrate/calibration.ts";
import { calibrationInWords } from "../calibrate/in-words.ts";
import type { CheckedFile } from "../calibrate/in-words.ts";
import { pageOfCalibration } from "../calibrate/page.ts";
import type { RecordedFile } from "../calibrate/recordings.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { besideJson, jsonDocument, tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { writeFile } from "./write-file.ts";

/** How many lines of a long section are printed. */
const MOST_LINES = 5;

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
    checkUrl("--base-url", baseUrl);
    checkUrl("--auth-url", authUrl);
    const isThere = existsSync(resolve(directory, out));
    if (check && !isThere) throw nothingToCheck(paths, out);
    const assumptions = isThere ? assumptionsIn(out, directory, "--out") : {};
    const calibration = await calibrate(
      paths.map((path) => recordedFile(path, directory)),
      {
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(authUrl === undefined ? {} : { authUrl }),
        assumptions,
      },
    );
    const checked = check ? { name: out, assumptions } : undefined;
    if (json !== true) tell(calibration, checked, output);
    const isWritten = writeAll(calibration, { out, html, checked }, besideJson(output, json), directory);
    const isDifferent = check && differs(calibration);
    const exitCode = !isWritten ? exitCodes.couldNotRun : isDifferent ? exitCodes.failed : exitCodes.passed;
    if (json === true) output.print(jsonDocument(exitCode, calibration));
    else if (check) output.print(verdict(isDifferent, output));
    else if (isWritten) output.print(`Use it: createSimulator({ assumptions: ${JSON.stringify(importable(out))} })`);
    return exitCode;
  } catch (error) {
    tellProblem(error, json, output);
    return exitCodes.couldNotRun;
  }
}

/** @throws {CentavoError} `INVALID_OPTION` */
function checkUrl(option: string, url: string | undefined): void {
  if (url === undefined || isHttpUrl(url)) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `${option} is ${inWords(shownAddress(url))}. It takes the address of the real service, such as https://sandbox.pay.example.`,
  );
}

function nothingToCheck(paths: readonly string[], out: string): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `--check: there is no file ${out}. Write it with npx centavo calibrate ${paths.join(" ")} --out ${out}, or name another with --out.`,
  );
}

function recordedFile(path: string, directory: string): RecordedFile {
  try {
    return { name: path, content: readFileSync(resolve(directory, path)) };
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "ENOENT" && path.includes("*"))
      throw new CentavoError("INVALID_OPTION", `No file matches ${path}. Record one with npx centavo record.`, {
        cause: error,
      });
    const why =
      code === "EISDIR"
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
  {
    out,
    html,
    checked,
  }: { readonly out: string; readonly html: string | undefined; readonly checked: CheckedFile | undefined },
  output: Output,
  directory: string,
): boolean {
  const { assumptions, rows } = calibration;
  const evidence = Object.fromEntries(rows.map(({ id, exchanges }) => [id, exchanges]));
  const files = [
    {
      what: "file",
      path: checked === undefined ? out : undefined,
      text: `${JSON.stringify({ assumptions, evidence }, undefined, 2)}\n`,
    },
    { what: "page", path: html, text: pageOfCalibration(calibration, checked) },
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

function tell(calibration: Calibration, checked: CheckedFile | undefined, output: Output): void {
  const dim = (text: string): void => output.print(styled(output, "dim", text));
  for (const { title, lines, isLong = false } of calibrationInWords(calibration, checked)) {
    const shown = isLong && lines.length > MOST_LINES + 1 ? lines.slice(0, MOST_LINES) : lines;
    output.print(styled(output, "bold", `${title}${lines.length === 0 ? "." : ":"}`));
    for (const line of shown) dim(`  ${line}`);
    if (shown.length < lines.length) dim(`  and ${lines.length - shown.length} more, which --json and --html list.`);
  }
}

function verdict(isDifferent: boolean, output: Output): string {
  return isDifferent
    ? styled(output, "red", "The recordings do not agree with the assumptions.")
    : styled(output, "green", "The recordings agree with the assumptions.");
}

/** Returns a path as `createSimulator` is usually given it. */
function importable(path: string): string {
  return isAbsolute(path) || path.startsWith(".") ? path : `./${path}`;
}
