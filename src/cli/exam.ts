import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Shard } from "../exam/options.ts";
import type { Examined, ExamResults, NotExamined } from "../exam/exam-results.ts";
import type { Verdict } from "../exam/verdict.ts";
import { removeFile, writeTextFile } from "../kit/base/runtime/files.ts";
import { holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { describe, indented } from "./described.ts";
import { findExams } from "./exam-files.ts";
import { printReplay, printSummary, printVerdict } from "./exam-output.ts";
import type { Examination } from "./exam-search.ts";
import { BrokenOff, searchWithWorkers } from "./exam-workers.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { version } from "../kit/base/runtime/version.ts";
import { writeReport } from "./write-report.ts";

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

/** 0 if every exam passed, 1 if one failed, 2 if one could not run to its end. */
export type ExamExitCode = 0 | 1 | 2;

const WHOLE: Shard = { index: 1, of: 1 };

/**
 * Examines merchants, and prints the verdict of each.
 * @param wanted exam files, and folders of them
 * @param stopped stops the search and keeps what was found
 * @returns the process's exit code
 */
export async function examine(
  wanted: readonly string[],
  options: ExamCommandOptions,
  output: Output,
  directory: string,
  stopped: Promise<unknown>,
): Promise<ExamExitCode> {
  let files: readonly string[];
  try {
    files = findExams(wanted, directory);
    refuseContradictions(options, files);
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    output.print(styled(output, "red", error.message));
    return 2;
  }
  const run = new ExamRun(files, options, output, directory, stopped);
  const release = holdExit({
    brokenOff: (cause) => `${cause} before the exams were over.`,
    tell: (why) => run.breakOff(why),
  });
  try {
    return await run.toEnd();
  } finally {
    release();
  }
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

class ExamRun {
  readonly #files: readonly string[];
  readonly #options: ExamCommandOptions;
  readonly #output: Output;
  readonly #directory: string;
  readonly #stopped: Promise<unknown>;
  readonly #held: Examined[] = [];
  readonly #broken: NotExamined[] = [];
  #isStopped = false;

  constructor(
    files: readonly string[],
    options: ExamCommandOptions,
    output: Output,
    directory: string,
    stopped: Promise<unknown>,
  ) {
    this.#files = files;
    this.#options = options;
    this.#output = output;
    this.#directory = directory;
    this.#stopped = stopped;
    void stopped.then(() => (this.#isStopped = true));
  }

  async toEnd(): Promise<ExamExitCode> {
    const { report } = this.#options;
    // If the process is killed, the report of an earlier run must not pass for one of this run.
    if (report !== undefined) removeFile(resolve(this.#directory, report));
    for (const file of this.#files) {
      if (this.#isStopped) this.#notExamined(file, "The command was interrupted before.");
      else await this.#examine(file);
    }
    if (this.#isStopped && this.#held.length > 0)
      this.#output.print("The search was ended early. This is what it found until then.");
    const isWritten = report?.endsWith(".html") === true ? await this.#writePage(report) : this.#writeResults();
    return isWritten ? this.#exitCode() : 2;
  }

  /** Ends at once, because the process is ending. */
  breakOff(why: string): void {
    this.#output.progress?.end();
    const isOver = new Set([...this.#held, ...this.#broken].map(({ file }) => file));
    const [current, ...left] = this.#files.filter((file) => !isOver.has(file));
    if (current === undefined) this.#output.print(styled(this.#output, "red", printable(why)));
    else this.#notExamined(current, why);
    for (const file of left) this.#broken.push({ file, shard: this.#shard, why });
    this.#writeResults();
    this.#exitCode();
  }

  async #examine(file: string): Promise<void> {
    const { replay, quiet, coverage, seed } = this.#options;
    try {
      const shard = this.#shard;
      const whole = await this.#verdictOf({ ...this.#options, file, directory: this.#directory, shard });
      const { verdict, cut } = firstFailures(whole, this.#options.failures);
      this.#held.push({ file, shard, pace: whole.pace, ...(this.#isStopped && { interrupted: true }), verdict });
      if (replay !== undefined) printReplay(file, verdict, seed, this.#output);
      else if (quiet !== true || !verdict.passed) printVerdict(file, verdict, seed, this.#output, coverage);
      if (cut.length > 0) this.#output.print(`Also broken, and left out because of --failures: ${cut.join(", ")}.`);
    } catch (error) {
      this.#notExamined(file, whyNot(error));
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
        // When workers search, this thread does not need the service.
        const { searchIn } = await import("./exam-search.ts");
        return await searchIn(examination, { isStopped: () => this.#isStopped, onStory });
      }
      return await searchWithWorkers(examination, jobs, { stopped: this.#stopped, onStory });
    } finally {
      progress?.end();
    }
  }

  get #shard(): Shard {
    return this.#options.shard ?? WHOLE;
  }

  #notExamined(file: string, why: string): void {
    this.#broken.push({ file, shard: this.#shard, why });
    this.#output.print(`${styled(this.#output, "red", `${file} could not be examined:`)}\n${indented(printable(why))}`);
  }

  /** Prints the summary, and returns its exit code. */
  #exitCode(): ExamExitCode {
    const isFailed = this.#held.some(({ verdict }) => verdict.failures.length > 0);
    if (this.#options.replay === undefined) printSummary(this.#held, this.#broken, this.#output);
    if (this.#broken.length > 0) return 2;
    if (isFailed) return 1;
    return this.#isStopped ? 2 : 0;
  }

  async #writePage(path: string): Promise<boolean> {
    const { runsOfExams } = await import("./exam-report.ts");
    const runs = await runsOfExams(this.#held, this.#options.seed, this.#directory);
    return writeReport(runs, path, this.#output, this.#directory);
  }

  /** Writes the results for `centavo exam merge`. Returns false if they cannot be written. */
  #writeResults(): boolean {
    const { report: path } = this.#options;
    if (path === undefined || path.endsWith(".html")) return true;
    const results: ExamResults = { centavo: version(), exams: this.#held, notExamined: this.#broken };
    try {
      writeTextFile(resolve(this.#directory, path), `${JSON.stringify(results, undefined, 2)}\n`);
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

/**
 * Keeps the failures whose stories came first. There may be more than asked for: a story can break several laws, and threads may find some
 * at the same time.
 */
function firstFailures(
  verdict: Verdict,
  most = Infinity,
): { readonly verdict: Verdict; readonly cut: readonly string[] } {
  const inOrder = verdict.failures.toSorted((one, other) => one.number - other.number);
  const cut = new Set(inOrder.slice(most).map(({ law }) => law));
  return { verdict: cut.size === 0 ? verdict : verdict.without(cut), cut: [...cut] };
}
