import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  FOLDER_VARIABLE,
  planPath,
  recordingsFolder,
  recordsFolder,
  RUN_VARIABLE,
} from "../testing/shake/run-folder.ts";
import type { RunPlan } from "../testing/shake/run-folder.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";

/** How long a run takes at least before it counts as hanging, in milliseconds, and how many times as long as the first. */
const LEAST_LIMIT = 60_000;
const MOST_TIMES_LONGER = 10;
/** How long a suite that is asked to end may take, in milliseconds. */
const GRACE = 2000;

/** What became of a run of a suite. */
export interface EndedRun {
  readonly records: readonly TestRecord[];
  /** The exit code; undefined when it was ended. */
  readonly code: number | undefined;
  /** What it printed, unless that was shown. */
  readonly output: string;
}

/** Runs the command of a suite, each time in a process group of its own, with a folder that goes when the shake ends. */
export class SuiteRuns {
  readonly folder = mkdtempSync(join(tmpdir(), "centavo-shake-"));
  readonly #command: readonly string[];
  readonly #directory: string;
  readonly #running = new Set<ChildProcess>();
  readonly #onExit = (): void => this.#kill("SIGKILL");
  #first: number | undefined;

  /** @param withRecordings whether every test that is shaken leaves a recording */
  constructor(command: readonly string[], directory: string, withRecordings = false) {
    if (withRecordings) mkdirSync(recordingsFolder(this.folder));
    this.#command = command;
    this.#directory = directory;
    process.once("exit", this.#onExit);
  }

  /** How long the first run took, in milliseconds. */
  get first(): number {
    return this.#first ?? 0;
  }

  /**
   * @param number 0 for the run in which nothing goes wrong
   * @param isShown whether what the suite prints is shown, on standard error
   */
  async run(number: number, plan: RunPlan, isShown = false): Promise<EndedRun> {
    mkdirSync(recordsFolder(this.folder, number), { recursive: true });
    writeFileSync(planPath(this.folder, number), JSON.stringify(plan));
    const [program = "", ...words] = this.#command;
    const begun = performance.now();
    const child = spawn(program, words, {
      cwd: this.#directory,
      env: { ...process.env, [FOLDER_VARIABLE]: this.folder, [RUN_VARIABLE]: String(number) },
      // Standard output is for the result.
      stdio: isShown ? ["ignore", 2, 2] : ["ignore", "pipe", "pipe"],
      // A group of its own, so that the whole suite can be ended.
      detached: process.platform !== "win32",
      shell: process.platform === "win32",
    });
    this.#running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    const limit = Math.max(LEAST_LIMIT, this.first * MOST_TIMES_LONGER);
    const timer = setTimeout(() => void this.#end(child), limit);
    try {
      const code = await new Promise<number | undefined>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (exit) => resolve(exit ?? undefined));
      });
      this.#first ??= performance.now() - begun;
      return { records: this.#recordsOf(number), code, output };
    } finally {
      clearTimeout(timer);
      this.#running.delete(child);
    }
  }

  /** Ends every run, and removes what they left. */
  async close(): Promise<void> {
    process.off("exit", this.#onExit);
    await Promise.all([...this.#running].map((child) => this.#end(child)));
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(child: ChildProcess): Promise<void> {
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    signal(child, "SIGTERM");
    const timer = setTimeout(() => signal(child, "SIGKILL"), GRACE);
    await closed;
    clearTimeout(timer);
    // What the suite started may still run.
    signal(child, "SIGKILL");
  }

  #kill(name: NodeJS.Signals): void {
    for (const child of this.#running) signal(child, name);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #recordsOf(number: number): readonly TestRecord[] {
    const folder = recordsFolder(this.folder, number);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TestRecord)
      .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), "en"));
  }
}

function nameOf({ test: { file = "", title, ordinal } }: TestRecord): string {
  return `${file} ${title} ${ordinal}`;
}

/** Sends a signal to a suite and to whatever it started. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It has ended already.
  }
}
