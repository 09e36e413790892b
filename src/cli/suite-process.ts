import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as elapsed } from "node:timers/promises";

/** How long a suite that is asked to end may take, in milliseconds. */
const GRACE = 2000;
/** How often it is asked whether the whole group has ended, in milliseconds. */
const BETWEEN_LOOKS = 20;
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
  /** Until when a suite that was asked to end may take, on the clock of `performance`. */
  #deadline = 0;

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
      detached: true,
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
        const closed = new Promise<void>((done) => child.once("close", () => done()));
        void this.#endWhatIsLeft(closed).then(() =>
          resolve({ code: code ?? undefined, signal: signal ?? undefined, output: this.#output }),
        );
      });
    });
  }

  /** Asks the suite and whatever it started to end, and ends them when they do not. */
  async end(): Promise<void> {
    this.#deadline = performance.now() + GRACE;
    this.#signal("SIGTERM");
    const timer = setTimeout(() => this.kill(), GRACE);
    await this.ended.catch(() => undefined);
    clearTimeout(timer);
  }

  /** Ends the suite and whatever it started at once. */
  kill(): void {
    this.#deadline = 0;
    this.#signal("SIGKILL");
  }

  /**
   * Ends what the command of the suite started, and what still runs after it. A suite that was asked to end has its time.
   * @param closed settles when everything it printed has arrived
   */
  async #endWhatIsLeft(closed: Promise<void>): Promise<void> {
    while (this.#signal(0) && performance.now() < this.#deadline) await elapsed(BETWEEN_LOOKS);
    this.kill();
    this.#isOver = true;
    const { stdout, stderr } = this.#child;
    const timer = setTimeout(() => {
      stdout?.destroy();
      stderr?.destroy();
    }, LAST_WORDS);
    await closed;
    clearTimeout(timer);
  }

  /**
   * Sends a signal to the whole group.
   * @param name 0 only asks whether any process of it is there
   * @returns whether any is
   */
  #signal(name: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    // Another group may have the number by now.
    if (pid === undefined || this.#isOver) return false;
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  }
}
