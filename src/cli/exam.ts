import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Shard } from "../exam/options.ts";
import type { Examined, Report } from "../exam/report.ts";
import type { Verdict } from "../exam/verdict.ts";
import { writeTextFile } from "../kit/base/runtime/files.ts";
import { describe, indented } from "./described.ts";
import { findExams } from "./exam-files.ts";
import { printReplay, printSummary, printVerdict } from "./exam-output.ts";
import type { Examination } from "./exam-search.ts";
import { BrokenOff, searchWithWorkers } from "./exam-workers.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { version } from "../kit/base/runtime/version.ts";
import { writeReport } from "./write-report.ts";

/** The options of `centavo exam`. */
export interface ExamCommandOptions {
  readonly seconds?: number;
  readonly stories?: number;
  readonly failures?: number;
  readonly seed?: number | string;
  readonly jobs?: number;
  readonly replay?: string;
  readonly shard?: Shard;
  readonly report?: string;
  readonly coverage?: boolean;
  readonly quiet?: boolean;
}

const WHOLE: Shard = { index: 1, of: 1 };

/**
 * Examines merchants, and prints the verdict of each.
 * @param wanted exam files, and folders of them
 * @param stopped ends the search with what was found so far
 * @returns the process's exit code: 0 if every exam passed, 1 if one failed, 2 if one could not run
 */
export async function examine(
  wanted: readonly string[],
  options: ExamCommandOptions,
  output: Output,
  directory: string,
  stopped: Promise<unknown>,
): Promise<0 | 1 | 2> {
  let files: readonly string[];
  try {
    files = findExams(wanted, directory);
    refuseContradictions(options, files);
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    output.print(styled(output, "red", error.message));
    return 2;
  }
  const run = new ExamRun(options, output, directory, stopped);
  for (const file of files) if (!run.isStopped) await run.examine(file);
  return run.end();
}

/** @throws {CentavoError} `INVALID_OPTION` */
function refuseContradictions({ replay, report, shard }: ExamCommandOptions, files: readonly string[]): void {
  if (replay === undefined) return;
  if (files.length > 1)
    throw new CentavoError(
      "INVALID_OPTION",
      `--replay plays a story of one exam, and ${files.length} files were given. Pass only the file of that exam.`,
    );
  if (report !== undefined || shard !== undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      "--replay plays one story, so it takes neither --shard nor --report. Leave them out.",
    );
}

/** The exams of one command. */
class ExamRun {
  readonly #options: ExamCommandOptions;
  readonly #output: Output;
  readonly #directory: string;
  readonly #stopped: Promise<unknown>;
  readonly #held: Examined[] = [];
  readonly #broken: string[] = [];
  isStopped = false;

  constructor(options: ExamCommandOptions, output: Output, directory: string, stopped: Promise<unknown>) {
    this.#options = options;
    this.#output = output;
    this.#directory = directory;
    this.#stopped = stopped;
    void stopped.then(() => (this.isStopped = true));
  }

  async examine(file: string): Promise<void> {
    const { replay, quiet, coverage, seed, shard = WHOLE } = this.#options;
    try {
      const whole = await this.#verdictOf({ ...this.#options, file, directory: this.#directory, shard });
      const { verdict, cut } = firstFailures(whole, this.#options.failures);
      this.#held.push({ file, shard, pace: whole.pace, verdict });
      if (replay !== undefined) printReplay(file, verdict, seed, this.#output);
      else if (quiet !== true || !verdict.passed) printVerdict(file, verdict, seed, this.#output, coverage);
      if (cut.length > 0) this.#output.print(`Also broken, and left out because of --failures: ${cut.join(", ")}.`);
    } catch (error) {
      this.#broken.push(file);
      const heading = styled(this.#output, "red", `${file} could not be examined:`);
      this.#output.print(`${heading}\n${indented(whyNot(error))}`);
    }
  }

  async #verdictOf(examination: Examination): Promise<Verdict> {
    const { jobs = availableParallelism(), replay } = this.#options;
    const { progress } = this.#output;
    progress?.begin(examination.file, "stories");
    const onStory = (stories: number, failed: Iterable<string>): void =>
      progress?.reached(stories, () => `broken: ${[...failed].join(", ") || "no law"}`);
    try {
      if (jobs === 1 || replay !== undefined) {
        // Where threads search, this one needs nothing of the service.
        const { searchIn } = await import("./exam-search.ts");
        return await searchIn(examination, { isStopped: () => this.isStopped, onStory });
      }
      return await searchWithWorkers(examination, jobs, { stopped: this.#stopped, onStory });
    } finally {
      progress?.end();
    }
  }

  /** Writes the report and prints the summary. */
  async end(): Promise<0 | 1 | 2> {
    const { report, replay } = this.#options;
    if (this.isStopped && this.#held.length > 0)
      this.#output.print("The search was ended early. This is what it found until then.");
    const isWritten = report === undefined || (await this.#write(report));
    if (replay === undefined) printSummary(this.#held, this.#broken, this.#output);
    if (!isWritten || this.#broken.length > 0) return 2;
    return this.#held.every(({ verdict }) => verdict.failures.length === 0) ? 0 : 1;
  }

  async #write(path: string): Promise<boolean> {
    if (path.endsWith(".html")) {
      const { runsOfExams } = await import("./exam-report.ts");
      const runs = await runsOfExams(this.#held, this.#options.seed, this.#directory);
      return writeReport(runs, path, this.#output, this.#directory);
    }
    const report: Report = { centavo: version(), exams: this.#held };
    try {
      writeTextFile(resolve(this.#directory, path), `${JSON.stringify(report, undefined, 2)}\n`);
      return true;
    } catch (error) {
      this.#output.print(styled(this.#output, "red", `The report ${path} cannot be written: ${messageOf(error)}.`));
      return false;
    }
  }
}

function whyNot(error: unknown): string {
  return error instanceof CentavoError || error instanceof BrokenOff ? printable(error.message) : describe(error);
}

/** Cuts a verdict to the failures whose stories came first. One story may break several laws, and threads find some at the same time. */
function firstFailures(
  verdict: Verdict,
  most = Infinity,
): { readonly verdict: Verdict; readonly cut: readonly string[] } {
  const inOrder = verdict.failures.toSorted((one, other) => one.number - other.number);
  const cut = new Set(inOrder.slice(most).map(({ law }) => law));
  return { verdict: cut.size === 0 ? verdict : verdict.without(cut), cut: [...cut] };
}
