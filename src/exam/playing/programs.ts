import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import type { FetchHandler } from "../../kit/receivers/merchant-app.ts";
import { durationMilliseconds } from "../../kit/engine/duration.ts";
import { handlerOf } from "../../merchant/process/merchant-app.ts";
import { MerchantProcess } from "../../merchant/process/merchant-process.ts";
import type { Turns } from "../../merchant/process/merchant-process.ts";
import { pacedDelay } from "../../merchant/process/merchant-timers.ts";
import type { Opening } from "../options.ts";
import type { Computations } from "./computations.ts";
import { storePoint } from "./store-point.ts";
import type { StoryRun } from "./story-run.ts";

/** Where the merchant's app is. */
export const SHOP = "https://shop.example";

/** How long a customer waits for an answer, in milliseconds. */
export const PATIENCE = 120_000;
/** How long a merchant's program stays down after a crash, in milliseconds. */
const DOWN = 60_000;
/** How often a program that fails to start is started again, at most. */
const MOST_STARTS = 20;

/** One of the merchant's programs, which starts again after a crash. */
export interface Program {
  /** Its current run; undefined while it is down. */
  process: MerchantProcess | undefined;
  /** Its app; undefined while it is down or starting. */
  handler: FetchHandler | undefined;
  starts: number;
}

/** Starts, ends and restarts the merchant's program. */
export class Programs {
  readonly #run: StoryRun;
  readonly #computations: Computations;
  #programs: readonly Program[] = [];

  constructor(run: StoryRun, computations: Computations) {
    this.#run = run;
    this.#computations = computations;
  }

  async open(): Promise<void> {
    const program: Program = { process: undefined, handler: undefined, starts: 0 };
    this.#programs = [program];
    await this.#start(program);
  }

  close(): void {
    for (const { process } of this.#programs) process?.end();
    this.#programs = [];
    this.#run.options.running.process = undefined;
  }

  /** Those that can answer. */
  get up(): readonly Program[] {
    return this.#programs.filter(({ handler }) => handler !== undefined);
  }

  /** Returns the one that gets the next request; undefined while none runs. */
  next(): Program | undefined {
    return this.up[0];
  }

  /** What they have asked of the event loop; undefined while none runs. */
  get turns(): Turns | undefined {
    return this.#programs[0]?.process?.turns;
  }

  /** Ends a run of a program. The program starts again after a minute. */
  crash(process: MerchantProcess | undefined): void {
    const program = this.#programs.find((each) => each.process === process);
    if (program === undefined || process === undefined) return;
    const { course, options, time } = this.#run;
    this.#run.note("dies");
    process.end();
    program.process = undefined;
    program.handler = undefined;
    void course.alone(options.storage.part());
    time.after(DOWN, () => {
      this.#start(program).catch((error: unknown) => this.#run.breakOff(error));
    });
  }

  async #start(program: Program): Promise<void> {
    program.starts += 1;
    const { time, sim, options, course, calls, seen, story } = this.#run;
    const process = new MerchantProcess({
      time,
      fetchOf: (itself) => calls.fetchOf(itself),
      onThrown: (error) => {
        seen.crashes.push(messageOf(error));
        this.crash(process);
      },
    });
    options.running.process = process;
    program.process = process;
    const opening: Opening<unknown> = {
      sim,
      fetch: process.fetch,
      now: () => new OriginalDate(time.now),
      timeout: (duration) => time.signalAfter(duration),
      sleep: (duration) => {
        const delay = pacedDelay(time, typeof duration === "number" ? duration : durationMilliseconds(duration));
        return process.waitFor(() => new Promise((resolve) => time.after(delay, resolve)));
      },
      store: await course.alone(options.storage.for(process, storePoint(this.#run, process))),
      url: SHOP,
    };
    const opened = process.run({ kind: "open", what: "while it started" }, async (cause) => {
      this.#computations.begins(cause);
      try {
        const app = await options.open(opening);
        return await handlerOf(SHOP, app);
      } finally {
        this.#computations.ends(cause);
      }
    });
    const isUp = this.#isUp(program, process, opened);
    if (program.starts === 1 && !(await course.until(isUp, time.now + PATIENCE)))
      await options.waits.within("the call open", () => isUp);
    if (story.troubles.length === 0) await isUp;
  }

  async #isUp(program: Program, process: MerchantProcess, opened: Promise<FetchHandler>): Promise<void> {
    try {
      const handler = await Promise.race([opened, process.ended]);
      if (handler !== "ended" && program.process === process) program.handler = handler;
    } catch (error) {
      // Under a fault, a failed start is tried again. Without one, it is the merchant's mistake.
      if (this.#run.story.troubles.length === 0) throw error;
      if (process.isAlive && program.starts < MOST_STARTS) this.crash(process);
    }
  }
}
