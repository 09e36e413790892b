import { durationMilliseconds } from "../../kit/engine/duration.ts";
import { merchantWork } from "../../merchant/process/merchant-work.ts";
import type { Job } from "../options.ts";
import { PATIENCE } from "./programs.ts";
import type { StoryRun } from "./story-run.ts";

const MINUTE = 60_000;

interface ScheduledJob {
  readonly run: Job["run"];
  readonly every: number;
  /** When it runs next, in milliseconds since 1970. */
  due: number;
}

/** Runs the merchant's jobs on their schedules, as cron does: those that are due at one moment one after the other, in the order given. */
export class Jobs {
  readonly #story: StoryRun;
  readonly #jobs: readonly ScheduledJob[];
  /** When something last happened that may give a job work to do, in milliseconds since 1970. */
  #stirredAt: number;
  #callOff: () => void = () => undefined;
  #areRunning = false;

  constructor(story: StoryRun, jobs: readonly Job[]) {
    this.#story = story;
    const { now } = story.time;
    this.#stirredAt = now;
    this.#jobs = jobs.map(({ every, run }) => {
      const milliseconds = durationMilliseconds(every);
      return { run, every: milliseconds, due: now + milliseconds };
    });
    this.#setAlarm();
  }

  /** The longest interval of a job, in milliseconds. */
  get longest(): number {
    return Math.max(0, ...this.#jobs.map(({ every }) => every));
  }

  /** Lets no job skip a run for a while, because something has happened, or is going to be judged. */
  stir(): void {
    const { now } = this.#story.time;
    this.#stirredAt = now;
    for (const job of this.#jobs) {
      const skipped = Math.max(0, Math.ceil((job.due - now) / job.every) - 1);
      job.due -= skipped * job.every;
    }
    if (!this.#areRunning) this.#setAlarm();
  }

  #setAlarm(): void {
    this.#callOff();
    const next = Math.min(...this.#jobs.map(({ due }) => due));
    if (next === Infinity) return;
    const { time } = this.#story;
    this.#callOff = time.after(next - time.now, () => void this.#runDue());
  }

  async #runDue(): Promise<void> {
    const { time, programs } = this.#story;
    const isUp = programs.up.length > 0;
    const due = this.#jobs.filter((job) => job.due <= time.now);
    // While the program is down, its jobs wait.
    for (const job of due) job.due = isUp ? this.#next(job) : time.now + MINUTE;
    if (isUp) {
      this.#areRunning = true;
      for (const { run } of due) await this.#runOne(run);
      this.#areRunning = false;
    }
    this.#setAlarm();
  }

  /**
   * A job that missed several runs is due once. While nothing happens, it waits as long again as it has been quiet, so that a month without
   * news takes no longer than a day.
   */
  #next({ due, every }: ScheduledJob): number {
    const { now } = this.#story.time;
    const missed = Math.floor((now - due) / every);
    const quiet = Math.floor((now - this.#stirredAt) / every);
    return due + Math.max(missed + 1, quiet) * every;
  }

  /** Runs a job in every program, and waits for it as long as the next one can wait. */
  async #runOne(run: Job["run"]): Promise<void> {
    const { time, seen, programs, troubles } = this.#story;
    const isRepeated = troubles.ofWholeStory.some(({ repeatsJobs }) => repeatsJobs === true);
    const all = isRepeated ? [...programs.up, ...programs.up] : programs.up;
    merchantWork.begins("while a job ran");
    const running = all.map(async (program) => {
      const visit = this.#story.visitorFor({ kind: "job" }, program);
      await seen.noteRun(run, (async () => run({ visit }))());
    });
    const patience = Promise.withResolvers<void>();
    const callOff = time.after(PATIENCE, patience.resolve);
    await Promise.race([Promise.all(running), patience.promise]);
    callOff();
  }
}
