import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Shard } from "../exam/options.ts";
import type { ExamResults, NotExamined } from "../exam/exam-results.ts";
import type { TestRunner } from "../exam/test-of-story.ts";
import type { Verdict } from "../exam/verdict.ts";
import { removeFile, writeTextFile } from "../kit/base/runtime/files.ts";
import { startTimer } from "../kit/base/runtime/real-time.ts";
import { holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { describe, indented } from "./described.ts";
import { findExams } from "./exam-files.ts";
import { exitCodeOf, printReplay, printSummary, printVerdict } from "./exam-output.ts";
import type { HeldExam } from "./exam-output.ts";
import type { Examination } from "./exam-search.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { searchWithWorkers } from "./exam-workers.ts";
import { besideJson, jsonDocument, tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import { SearchAborted } from "./search-thread.ts";
import type { Output } from "./output.ts";
import { version } from "../kit/base/runtime/version.ts";
import { writeReport } from "./write-report.ts";
import { writeTest } from "./write-test.ts";

export interface ExamCommandOptions {
  readonly seconds?: number;
  readonly stories?: number;
  readonly failures?: number;
  readonly seed?: number | string;
  readonly jobs?: number;
  readonly replay?: string;
  readonly shard?: Shard;
  readonly report?: string;
  /** The test file to write; true for one beside the exam file. */
  readonly writeTest?: string | true;
  readonly runner?: TestRunner;
  /** The token of a story that has to fail at the commit `before`, and to pass here. */
  readonly prove?: string;
  readonly before?: string;
  readonly coverage?: boolean;
  readonly quiet?: boolean;
  /** Prints one JSON document instead of words. */
  readonly json?: boolean;
}

/** How long a search in this thread may take to end once it was interrupted, in milliseconds. */
const STOPS_WITHIN = 3000;

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
): Promise<ExitCode> {
  let files: readonly string[];
  try {
    files = findExams(wanted, directory);
    refuseContradictions(options, files);
  } catch (error) {
    tellProblem(error, options.json, output);
    return exitCodes.couldNotRun;
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
function refuseContradictions(
  { replay, report, shard, writeTest: test, runner }: ExamCommandOptions,
  files: readonly string[],
): void {
  if (typeof test === "string" && files.length > 1)
    throw new CentavoError(
      "INVALID_OPTION",
      `--write-test ${test} names one file, and ${files.length} exam files were given. Leave out its name, and each test is written beside its exam file.`,
    );
  if (runner !== undefined && test === undefined)
    throw new CentavoError("INVALID_OPTION", "--runner says for which runner --write-test writes. Add --write-test.");
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
  /** Where messages go; words of results go there, too. */
  readonly #output: Output;
  /** Where the JSON document goes. */
  readonly #results: Output;
  readonly #directory: string;
  readonly #stopped: Promise<unknown>;
  readonly #held: HeldExam[] = [];
  readonly #notExamined: NotExamined[] = [];
  #isStopped = false;
  #isWritten = true;

  constructor(
    files: readonly string[],
    options: ExamCommandOptions,
    output: Output,
    directory: string,
    stopped: Promise<unknown>,
  ) {
    this.#files = files;
    this.#options = options;
    this.#output = besideJson(output, options.json);
    this.#results = output;
    this.#directory = directory;
    this.#stopped = stopped;
    void stopped.then(() => (this.#isStopped = true));
  }

  async toEnd(): Promise<ExitCode> {
    const { report } = this.#options;
    // If the process is killed, the report of an earlier run must not pass for one of this run.
    if (report !== undefined) removeFile(resolve(this.#directory, report));
    for (const file of this.#files) {
      if (this.#isStopped) this.#giveUp(file, "The command was interrupted before this exam.", true);
      else await this.#examine(file);
    }
    const isWritten = report?.endsWith(".html") === true ? await this.#writePage(report) : this.#writeResults();
    return this.#end(isWritten && this.#isWritten);
  }

  /** Ends at once, because the process is ending. */
  breakOff(why: string): void {
    this.#output.progress?.end();
    const isOver = new Set([...this.#held, ...this.#notExamined].map(({ file }) => file));
    const [current, ...left] = this.#files.filter((file) => !isOver.has(file));
    if (current === undefined) this.#output.print(styled(this.#output, "red", printable(why)));
    else this.#giveUp(current, why);
    for (const file of left) this.#notExamined.push({ file, shard: this.#shard, why });
    this.#end(this.#writeResults());
  }

  async #examine(file: string): Promise<void> {
    const { replay, quiet, coverage, seed } = this.#options;
    try {
      const shard = this.#shard;
      const whole = await this.#verdictOf({ ...this.#options, file, directory: this.#directory, shard });
      const { verdict, cut } = firstFailures(whole, this.#options.failures);
      this.#held.push({ file, shard, pace: whole.pace, verdict });
      if (this.#options.json === true) this.#output.progress?.end();
      else if (replay !== undefined) printReplay(file, verdict, seed, this.#output);
      else if (quiet !== true || !verdict.passed) printVerdict(file, verdict, seed, this.#output, coverage);
      this.#writeTest(file, verdict);
      if (cut.length > 0) this.#output.print(`Also broken, and left out because of --failures: ${cut.join(", ")}.`);
    } catch (error) {
      const isInterrupted = this.#isStopped && error instanceof SearchAborted && !error.isFinal;
      this.#giveUp(file, whyNot(error), isInterrupted);
    }
  }

  #writeTest(exam: string, verdict: Verdict): void {
    const { writeTest: file, runner } = this.#options;
    if (file === undefined) return;
    if (verdict.failures.length === 0) {
      this.#output.print("No law is broken, so there is no test to write.");
      return;
    }
    try {
      this.#output.print(printable(writeTest(verdict, { exam, file, runner, directory: this.#directory })));
    } catch (error) {
      this.#isWritten = false;
      const why = error instanceof CentavoError ? error.message : `The test cannot be written: ${messageOf(error)}.`;
      this.#output.print(styled(this.#output, "red", why));
    }
  }

  async #verdictOf(examination: Examination): Promise<Verdict> {
    const { progress } = this.#output;
    progress?.begin(examination.file, "stories");
    try {
      const verdict = await this.#search(examination);
      if (!this.#isStopped) return verdict;
      return verdict.with({ endedEarly: ["The search was interrupted.", ...verdict.endedEarly] });
    } finally {
      progress?.end();
    }
  }

  async #search(examination: Examination): Promise<Verdict> {
    const { jobs = availableParallelism(), replay } = this.#options;
    const onStory = (stories: number, failed: Iterable<string>): void =>
      this.#output.progress?.reached(stories, () => `broken: ${[...failed].join(", ") || "no law"}`);
    if (jobs > 1 && replay === undefined)
      return searchWithWorkers(examination, jobs, { stopped: this.#stopped, onStory });
    // Where threads search, this one needs nothing of the service.
    const { searchIn } = await import("./exam-search.ts");
    let soFar: (() => Verdict) | undefined;
    const onBegin = (_: unknown, found: () => Verdict): void => {
      soFar = found;
    };
    const searching = searchIn(examination, { isStopped: () => this.#isStopped, onBegin, onStory });
    // A story that waits for something does not hold up who interrupts it.
    const interrupted = this.#stopped.then(async () => {
      await new Promise<void>((end) => startTimer(STOPS_WITHIN, end));
      if (soFar === undefined) throw new SearchAborted("The command was interrupted before this exam had begun.");
      return soFar();
    });
    return Promise.race([searching, interrupted]);
  }

  get #shard(): Shard {
    return this.#options.shard ?? WHOLE;
  }

  #giveUp(file: string, why: string, interrupted = false): void {
    this.#notExamined.push({ file, shard: this.#shard, why, interrupted });
    this.#output.print(`${styled(this.#output, "red", `${file} could not be examined:`)}\n${indented(printable(why))}`);
  }

  /** Prints the summary, or the document, and returns the exit code. */
  #end(isWritten: boolean): ExitCode {
    const { json, replay } = this.#options;
    const verdicts = this.#held.map(({ verdict }) => verdict);
    const code = isWritten ? exitCodeOf(verdicts, this.#notExamined) : exitCodes.couldNotRun;
    if (json === true) this.#results.print(jsonDocument(code, { exams: this.#held, notExamined: this.#notExamined }));
    else if (replay === undefined && isWritten) printSummary(this.#held, this.#notExamined, this.#output);
    return code;
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
    const results: ExamResults = { centavo: version(), exams: this.#held, notExamined: this.#notExamined };
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
  return error instanceof CentavoError || error instanceof SearchAborted ? printable(error.message) : describe(error);
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
  const failures = verdict.failures.filter(({ law }) => !cut.has(law));
  return { verdict: cut.size === 0 ? verdict : verdict.with({ failures }), cut: [...cut] };
}
