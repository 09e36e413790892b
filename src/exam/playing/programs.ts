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

/** A second passes between two acts of customers, because the order of two things in the same millisecond is undefined. */
export const BETWEEN_ACTS = 1000;
/** How long a customer waits for an answer, in milliseconds. */
export const PATIENCE = 120_000;
/** How long a merchant's program stays down after a crash, in milliseconds. */
const DOWN = 60_000;
/** How often a program that fails to start is started again, at most. */
const MOST_STARTS = 20;
/** How long the work during which a program starts takes at least, in milliseconds. */
const START = 1000;
/** How long a program that another one replaces goes on, in milliseconds. */
const GRACE = 30_000;

/** One of the merchant's programs, which starts again after a crash. */
export interface Program {
  /** How far its clock is ahead, in milliseconds. */
  readonly clock: number;
  /** The programs that end once this one runs. */
  readonly replaces: readonly Program[];
  /** Its current run; undefined while it is down. */
  process: MerchantProcess | undefined;
  /** Its app; undefined while it is down or starting. */
  handler: FetchHandler | undefined;
  starts: number;
  /** Whether another one has replaced it, so that it gets no more requests. */
  isLeaving: boolean;
}

function newProgram(clock = 0, replaces: readonly Program[] = []): Program {
  return { clock, replaces, process: undefined, handler: undefined, starts: 0, isLeaving: false };
}

/** Starts, ends and restarts the merchant's program. */
export class Programs {
  readonly #run: StoryRun;
  readonly #computations: Computations;
  #programs: readonly Program[] = [];
  /** How many requests the programs have got. */
  #requests = 0;

  constructor(run: StoryRun, computations: Computations) {
    this.#run = run;
    this.#computations = computations;
  }

  /** Starts one program, or two that run at once. */
  async open(): Promise<void> {
    const seconds = this.#run.troubles.ofWholeStory.flatMap(({ secondProgram }) => secondProgram ?? []);
    for (const { clock } of [{ clock: 0 }, ...seconds.slice(0, 1)]) {
      const program = newProgram(clock);
      this.#programs = [...this.#programs, program];
      await this.#start(program, true);
    }
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

  /** Returns the one that gets the next request: each in turn. Undefined while none takes requests. */
  next(): Program | undefined {
    const up = this.up.filter(({ isLeaving }) => !isLeaving);
    this.#requests += 1;
    return up[(this.#requests - 1) % up.length];
  }

  /** What they have asked of the event loop; undefined while none runs. */
  get turns(): Turns | undefined {
    const all = this.#programs.flatMap(({ process }) => process?.turns ?? []);
    const [first] = all;
    if (first === undefined || all.length === 1) return first;
    return {
      asked: all.reduce((sum, { asked }) => sum + asked, 0),
      messages: all.reduce((sum, { messages }) => sum + messages, 0),
      what: all.findLast(({ what }) => what !== undefined)?.what,
    };
  }

  /** Ends a run of a program. The program starts again after a minute. */
  crash(process: MerchantProcess | undefined): void {
    const program = this.#programs.find((each) => each.process === process);
    if (program === undefined || process === undefined) return;
    this.#run.note("dies");
    this.#end(program);
    if (program.isLeaving) return;
    this.#run.time.after(DOWN, () => {
      if (!program.isLeaving) this.#begin(program);
    });
  }

  /**
   * Starts a program that takes the place of those that run. These go on for a while with what they have begun.
   * @returns resolves once the new one had the time to start
   */
  async deploy(): Promise<void> {
    const program = newProgram(0, this.#programs);
    this.#run.note("a new program starts");
    this.#programs = [...this.#programs, program];
    this.#begin(program);
    await new Promise<void>((resolve) => this.#run.time.after(START, resolve));
  }

  #begin(program: Program): void {
    this.#start(program).catch((error: unknown) => this.#run.breakOff(error));
  }

  #leave(program: Program): void {
    program.isLeaving = true;
    this.#run.time.after(GRACE, () => {
      this.#programs = this.#programs.filter((each) => each !== program);
      if (program.process !== undefined) this.#run.note("the old program ends");
      this.#end(program);
    });
  }

  #end(program: Program): void {
    const { course, options } = this.#run;
    const { process } = program;
    program.process = undefined;
    program.handler = undefined;
    if (process === undefined) return;
    process.end();
    options.running.process = this.#programs.findLast((each) => each.process !== undefined)?.process;
    void course.alone(options.storage.part(process));
  }

  /** @param isWaitedFor whether the story goes on only once the program runs */
  async #start(program: Program, isWaitedFor = false): Promise<void> {
    program.starts += 1;
    const { time, sim, options, course, calls, seen } = this.#run;
    const { clock } = program;
    const process = new MerchantProcess({
      time,
      clock,
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
      now: () => new OriginalDate(time.now + clock),
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
    if (isWaitedFor && !(await course.until(isUp, time.now + PATIENCE)))
      await options.waits.within("the call open", () => isUp);
    await isUp;
  }

  async #isUp(program: Program, process: MerchantProcess, opened: Promise<FetchHandler>): Promise<void> {
    try {
      const handler = await Promise.race([opened, process.ended]);
      if (handler === "ended" || program.process !== process) return;
      program.handler = handler;
      for (const replaced of program.replaces) if (!replaced.isLeaving) this.#leave(replaced);
    } catch (error) {
      // Under a fault, a failed start is tried again. Without one, it is the merchant's mistake.
      if (this.#run.story.troubles.length === 0) throw error;
      if (process.isAlive && program.starts < MOST_STARTS) this.crash(process);
    }
  }
}
