import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { version } from "../kit/base/runtime/version.ts";
import {
  DIRECTORY_VARIABLE,
  FOLDER_VARIABLE,
  planPath,
  recordingsFolder,
  recordsFolder,
  RUN_VARIABLE,
} from "../testing/shake/run-folder.ts";
import type { RunPlan } from "../testing/shake/run-folder.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { SuiteProcess } from "./suite-process.ts";
import type { EndedProcess } from "./suite-process.ts";

/** How long a run takes at least before it counts as hanging, in milliseconds, and how many times as long as the first. */
const LEAST_LIMIT = 60_000;
const MOST_TIMES_LONGER = 10;
/** How long the first run may print nothing and end no test, in milliseconds. */
const LONGEST_SILENCE = 600_000;
/** How long a runner prints nothing more before its words that it waits for changes are believed, in milliseconds. */
const BEFORE_IT_WAITS = 3000;
/** What runners print last when they wait for changes of files. */
const WAITS_FOR_CHANGES = /Waiting for file changes|Watch Usage|waiting for changes/i;
const LAST_WORDS = 1000;

/** What became of a run of a suite. */
export interface EndedRun extends EndedProcess {
  readonly records: readonly TestRecord[];
  /** Why the run was ended, unless it ended by itself: it took far longer than the first, stood still, or waits for changes. */
  readonly endedFor?: "slowness" | "silence" | "watching";
}

/** Runs the command of a suite again and again, with a folder that goes when the shake ends. */
export class SuiteRuns {
  readonly folder = mkdtempSync(join(tmpdir(), "centavo-shake-"));
  readonly #command: readonly string[];
  readonly #directory: string;
  readonly #deadline: number;
  readonly #running = new Set<SuiteProcess>();
  readonly #onExit = (): void => {
    this.kill();
    this.#removeFolder();
  };
  /** How long the first run took, in milliseconds. */
  #first: number | undefined;
  #firstCode = 0;
  #isClosed = false;

  /**
   * @param limits.milliseconds how long all runs may take together
   * @param limits.withRecordings whether every test that is shaken leaves a recording
   */
  constructor(
    command: readonly string[],
    directory: string,
    { milliseconds, withRecordings }: { readonly milliseconds: number; readonly withRecordings: boolean },
  ) {
    if (withRecordings) mkdirSync(recordingsFolder(this.folder));
    this.#command = command;
    this.#directory = directory;
    this.#deadline = performance.now() + milliseconds;
    process.once("exit", this.#onExit);
  }

  /** The exit code of the first run. */
  get firstCode(): number {
    return this.#firstCode;
  }

  /** Whether there is time left for a run that takes as long as the first. */
  get hasTime(): boolean {
    return performance.now() + (this.#first ?? 0) <= this.#deadline;
  }

  /**
   * @param number 0 for the run in which nothing goes wrong
   * @param isShown whether what the suite prints is shown, on standard error
   * @returns undefined when the time of all runs ended before this one did
   */
  async run(number: number, plan: RunPlan, isShown = false): Promise<EndedRun | undefined> {
    if (this.#isClosed) return undefined;
    mkdirSync(recordsFolder(this.folder, number), { recursive: true });
    writeFileSync(planPath(this.folder, number), JSON.stringify(plan));
    const begun = performance.now();
    let endedFor: EndedRun["endedFor"];
    let isOutOfTime = false;
    const endFor = (reason: EndedRun["endedFor"]): void => {
      endedFor ??= reason;
      void suite.end();
    };
    const isFirst = this.#first === undefined;
    const watching = timer(isFirst ? BEFORE_IT_WAITS : undefined, () => endFor("watching"));
    watching.stop();
    const suite = new SuiteProcess(this.#command, {
      directory: this.#directory,
      env: {
        ...process.env,
        [FOLDER_VARIABLE]: this.folder,
        [DIRECTORY_VARIABLE]: this.#directory,
        [RUN_VARIABLE]: String(number),
      },
      isShown,
      onOutput: (output) => {
        silence.restart();
        if (WAITS_FOR_CHANGES.test(output.slice(-LAST_WORDS))) watching.restart();
        else watching.stop();
      },
    });
    let known = 0;
    const silence = timer(isFirst ? LONGEST_SILENCE : undefined, () => {
      const ended = this.#recordFilesOf(number).length;
      if (ended === known) endFor("silence");
      known = ended;
      silence.restart();
    });
    const slowness = timer(
      this.#first === undefined ? undefined : Math.max(LEAST_LIMIT, this.#first * MOST_TIMES_LONGER),
      () => endFor("slowness"),
    );
    const deadline = timer(Number.isFinite(this.#deadline) ? this.#deadline - begun : undefined, () => {
      isOutOfTime = true;
      void suite.end();
    });
    this.#running.add(suite);
    try {
      const ended = await suite.ended;
      if (isFirst) this.#firstCode = ended.code ?? 0;
      this.#first ??= performance.now() - begun;
      if (isOutOfTime || this.#isClosed) return undefined;
      return { ...ended, records: this.#recordsOf(number), ...(endedFor === undefined ? {} : { endedFor }) };
    } finally {
      for (const each of [watching, silence, slowness, deadline]) each.stop();
      this.#running.delete(suite);
    }
  }

  /** Ends every run, and removes what they left. No run begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((suite) => suite.end()));
    this.#removeFolder();
    process.off("exit", this.#onExit);
  }

  /** Ends every run at once. */
  kill(): void {
    this.#isClosed = true;
    for (const suite of this.#running) suite.kill();
  }

  #removeFolder(): void {
    // A suite that is ending may still write there.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #recordsOf(number: number): readonly TestRecord[] {
    return this.#recordFilesOf(number)
      .map(recordIn)
      .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), "en"));
  }

  #recordFilesOf(number: number): readonly string[] {
    const folder = recordsFolder(this.folder, number);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  }
}

/** @throws {CentavoError} `INVALID_OPTION` for a record that another version of Centavo has written */
function recordIn(path: string): TestRecord {
  const record = JSON.parse(readFileSync(path, "utf8")) as (TestRecord & { readonly centavo?: string }) | null;
  if (record?.centavo === version()) return record;
  throw new CentavoError(
    "INVALID_OPTION",
    `centavo shake: the tests use ${record?.centavo === undefined ? "another version of Centavo" : `Centavo ${record.centavo}`}, and this command is ${version()}. Run the command that is installed beside the tests.`,
  );
}

function nameOf({ test: { file = "", title, ordinal } }: TestRecord): string {
  return `${file} ${title} ${ordinal}`;
}

interface Timer {
  /** Starts it, or starts it again. */
  restart(): void;
  stop(): void;
}

/** The longest delay that Node takes, in milliseconds. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Starts a timer; one without a delay never rings. */
function timer(delay: number | undefined, callback: () => void): Timer {
  let started: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(started);
  const restart = (): void => {
    stop();
    if (delay !== undefined) started = setTimeout(callback, Math.min(Math.max(0, delay), LONGEST_DELAY));
  };
  restart();
  return { restart, stop };
}
