import type { Output } from "./output.ts";

interface Limits {
  readonly maxRuns?: number;
  readonly seconds?: number;
  readonly jobs?: number;
}

/** Tells how far a shake has come, and how long it will probably take. */
export class ShakeProgress {
  readonly #output: Output;
  readonly #limits: Limits;
  readonly #time: () => number;
  readonly #start: number;
  #runs = 0;
  /** How long the first run took, and when it had ended, in milliseconds. */
  #first = 0;
  #planned = 0;

  /** @param time returns real time in milliseconds, from any origin */
  constructor(output: Output, limits: Limits, time: () => number = () => performance.now()) {
    this.#output = output;
    this.#limits = limits;
    this.#time = time;
    this.#start = time();
  }

  /**
   * Notes how many runs follow the first one, which has just ended.
   * @param isTold whether a line says so, also where nobody watches: minutes without a word look like a command that hangs
   */
  planned(needed: number, isTold: boolean): void {
    const { maxRuns = Infinity, seconds = Infinity, jobs = 1 } = this.#limits;
    this.#planned = this.#time();
    this.#first = this.#planned - this.#start;
    this.#runs = Math.min(needed, maxRuns);
    if (!isTold || this.#runs === 0) return;
    this.end();
    const each = timeInWords(this.#first);
    const rounds = Math.ceil(this.#runs / jobs);
    const expected = this.#first * rounds;
    this.#output.printError(
      this.#runs === 1
        ? `1 run of your suite follows, of about ${each}.`
        : this.#first + expected > seconds * 1000
          ? `${this.#runs} runs of your suite would take about ${timeInWords(expected)}, at about ${each} each; --seconds ${seconds} ends them sooner.`
          : `${this.#runs} runs of your suite follow, ${jobs > 1 ? `${jobs} at once, ` : ""}of about ${each} each, so about ${timeInWords(expected)}. --seconds, --max-runs or --only shorten it.`,
    );
  }

  /** Shows that a run begins. */
  reached(number: number): void {
    this.#output.progress?.show(() =>
      number === 0
        ? "the first run, in which nothing goes wrong"
        : `run ${number} of ${this.#runs}, about ${timeInWords(this.#left(number))} left`,
    );
  }

  end(): void {
    this.#output.progress?.end();
  }

  /** Returns how long the rest will probably take when a run begins, in milliseconds. */
  #left(number: number): number {
    const { seconds = Infinity, jobs = 1 } = this.#limits;
    const now = this.#time();
    const ended = Math.max(0, number - jobs);
    const each = ended === 0 ? this.#first / Math.min(jobs, this.#runs) : (now - this.#planned) / ended;
    return Math.max(0, Math.min((this.#runs - ended) * each, this.#start + seconds * 1000 - now));
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Says about how long something takes, as exactly as anybody needs it. */
function timeInWords(milliseconds: number): string {
  if (milliseconds < 9.95 * SECOND) return `${(milliseconds / SECOND).toFixed(1)} s`;
  if (milliseconds < 1.5 * MINUTE) return `${Math.round(milliseconds / SECOND)} s`;
  if (milliseconds < 1.5 * HOUR) return `${Math.round(milliseconds / MINUTE)} minutes`;
  return `${Math.round(milliseconds / HOUR)} hours`;
}
