import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/** How long a suite that is asked to end may take, in milliseconds. */
const GRACE = 2000;
/** How long what a suite printed may take to arrive after its end, in milliseconds. A program that it left behind may hold its output open. */
const LAST_WORDS = 500;
/** How much of what a suite prints is kept, in characters. */
const MOST_KEPT = 64 * 1024;

/** How the process of a suite ended. */
export interface EndedProcess {
  /** The exit code; undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** The end of what it printed, unless that was shown. */
  readonly output: string;
}

/** The command of a suite as a process, in a group of its own, which ends as a whole. */
export class SuiteProcess {
  /** Rejects when the command cannot be started. */
  readonly ended: Promise<EndedProcess>;
  readonly #child: ChildProcess;
  #output = "";
  #isOver = false;

  /**
   * @param options.isShown whether what it prints is shown, on standard error
   * @param options.onOutput called with the end of what it has printed, whenever there is more
   */
  constructor(
    [program = "", ...words]: readonly string[],
    options: {
      readonly directory: string;
      readonly env: NodeJS.ProcessEnv;
      readonly isShown: boolean;
      readonly onOutput: (output: string) => void;
    },
  ) {
    const child = spawn(program, words, {
      cwd: options.directory,
      env: options.env,
      // Standard output is for the result.
      stdio: options.isShown ? ["ignore", 2, 2] : ["ignore", "pipe", "pipe"],
      // A group of its own, so that the whole suite can be ended.
      detached: process.platform !== "win32",
      shell: process.platform === "win32",
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-MOST_KEPT);
        options.onOutput(this.#output);
      });
    this.ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        // What the suite started may still run.
        this.kill();
        this.#isOver = true;
        const told = (): void =>
          resolve({ code: code ?? undefined, signal: signal ?? undefined, output: this.#output });
        const timer = setTimeout(() => {
          child.stdout?.destroy();
          child.stderr?.destroy();
          told();
        }, LAST_WORDS);
        child.once("close", () => {
          clearTimeout(timer);
          told();
        });
      });
    });
  }

  /** Asks the suite and whatever it started to end, and ends them when they do not. */
  async end(): Promise<void> {
    this.#signal("SIGTERM");
    const timer = setTimeout(() => this.kill(), GRACE);
    await this.ended.catch(() => undefined);
    clearTimeout(timer);
  }

  /** Ends the suite and whatever it started at once. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    // Another group may have the number by now.
    if (pid === undefined || this.#isOver) return;
    try {
      if (process.platform === "win32") this.#child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // It has ended already.
    }
  }
}
