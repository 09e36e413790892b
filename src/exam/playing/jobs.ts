import { durationMilliseconds } from "../../kit/engine/duration.ts";
import type { Job } from "../options.ts";

/** Keeps when each of the merchant's jobs last ran. */
export class Jobs {
  readonly #jobs: readonly { readonly run: Job["run"]; readonly every: number; last: number }[];

  /** @param now when the merchant's program first started, in milliseconds since 1970 */
  constructor(jobs: readonly Job[], now: number) {
    this.#jobs = jobs.map(({ every, run }) => ({ run, every: durationMilliseconds(every), last: now }));
  }

  /** The longest interval of a job, in milliseconds. */
  get longest(): number {
    return Math.max(0, ...this.#jobs.map(({ every }) => every));
  }

  /** Returns the jobs that are due, in the order in which they were given. A job that missed several runs is due once. */
  due(now: number): readonly Job["run"][] {
    const due = this.#jobs.filter(({ last, every }) => now - last >= every);
    for (const job of due) job.last = now;
    return due.map(({ run }) => run);
  }
}
