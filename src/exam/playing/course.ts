import { nextMacrotask, startTimer } from "../../kit/base/runtime/real-time.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { Cause } from "../../merchant/process/merchant-process.ts";
import type { HeldWork } from "./held-work.ts";
import type { MerchantTime } from "./merchant-time.ts";
import { merchantWork } from "../../merchant/process/merchant-work.ts";

/** A request that the merchant has not answered. */
export interface OpenExchange {
  readonly cause: Cause;
  /** Answers in the merchant's place that no answer came. */
  readonly giveUp: () => void;
}

/** How many turns of the event loop a merchant gets to go from one thing to the next, while it waits for nothing of the exam. */
const TURNS_OF_GRACE = 12;
/** How long work outside the exam's reach may take, such as work of a thread, in milliseconds of real time. */
const LONGEST_WORK = 1000;
/** How many things may happen at one moment until the merchant counts as endlessly busy. */
const MOST_AT_ONE_MOMENT = 4000;

/** Lets a story go on, one thing at a time: what is held, what is due, and then time itself. */
export class Course {
  readonly #sim: Simulator;
  readonly #held: HeldWork;
  readonly #time: MerchantTime;
  readonly exchanges = new Set<OpenExchange>();
  readonly #onRunAhead: () => void;
  #ownWork = 0;
  /** The waits for some work, each until its promise resolves. */
  #drivers: readonly Promise<void>[] = [];
  /** Resolves when the clock has moved; undefined while it stands still. */
  #clockMoves: Promise<unknown> | undefined;
  #atThisMoment = { moment: 0, count: 0 };
  /** True once the merchant does so much that the story is broken off: at one moment, or by the same call within an hour. */
  neverRests = false;

  /** Whether what the merchant does may take some turns before the exam sees it, as a call through sockets does. */
  isPatient = false;

  /** @param onRunAhead called when the merchant's time has moved ahead of the service's */
  constructor(sim: Simulator, held: HeldWork, time: MerchantTime, onRunAhead: () => void) {
    this.#sim = sim;
    this.#held = held;
    this.#time = time;
    this.#onRunAhead = onRunAhead;
  }

  /**
   * Lets things happen until some work has ended.
   * @param latest when to stop waiting, in milliseconds since 1970
   * @returns false when it did not end by then, or waits for something that never comes
   */
  async until(work: Promise<unknown>, latest: number): Promise<boolean> {
    const ended = Promise.withResolvers<void>();
    this.#drivers = [...this.#drivers, ended.promise];
    try {
      return await this.#drive(work, latest, ended.promise);
    } finally {
      this.#drivers = this.#drivers.filter((driver) => driver !== ended.promise);
      ended.resolve();
    }
  }

  async #drive(work: Promise<unknown>, latest: number, self: Promise<void>): Promise<boolean> {
    let isOver = false;
    const over = work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    for (;;) {
      await this.#turnOf(self, over, () => isOver);
      await this.#quiet(() => isOver);
      if (isOver) return true;
      if (this.neverRests) return false;
      if (this.#goOn()) continue;
      if (this.#clockMoves !== undefined) {
        // The service's clock waits for the merchant, and the merchant waits for its own time, or for something that never comes.
        if (!this.#runAhead() && !this.#giveUpOne()) return false;
        continue;
      }
      const next = Math.min(this.#time.next, this.#nextTimer);
      if (next === Infinity || next > latest) {
        if (await this.#outside(() => isOver)) continue;
        return false;
      }
      await this.passTo(next);
    }
  }

  /** Waits while another wait drives. Only the newest one drives, because two would take each other's turns. */
  async #turnOf(self: Promise<void>, over: Promise<unknown>, isOver: () => boolean): Promise<void> {
    for (;;) {
      const newest = this.#drivers.at(-1);
      if (newest === self || isOver()) return;
      await Promise.race([newest, over]);
    }
  }

  /** Does work of the exam's own, such as in a fork of the world. Nothing else goes on before it has ended. */
  async alone<Result>(work: Promise<Result>): Promise<Result> {
    this.#ownWork += 1;
    try {
      return await work;
    } finally {
      this.#ownWork -= 1;
    }
  }

  /** Lets everything happen that is due at this moment. */
  async rest(): Promise<void> {
    await this.passTo(this.#time.now);
    for (;;) {
      await this.#quiet(() => false);
      if (this.neverRests || !this.#goOn()) return;
    }
  }

  /** Lets time pass up to a moment, in milliseconds since 1970. */
  async passTo(moment: number): Promise<void> {
    do {
      while (this.#clockMoves !== undefined) await this.#clockMoves;
      const next = Math.min(moment, Math.max(this.#time.next, this.#now));
      const moved = this.#sim.clock.advanceTo(Math.max(next, this.#now)).then(
        () => undefined,
        () => undefined,
      );
      const end = Promise.withResolvers<void>();
      this.#clockMoves = end.promise;
      await this.until(moved, Infinity);
      this.#clockMoves = undefined;
      end.resolve();
      for (;;) {
        await this.#quiet(() => false);
        if (this.neverRests) return;
        if (!this.#goOn()) break;
      }
    } while (this.#now < moment && !this.neverRests);
  }

  get #now(): number {
    return this.#sim.internals.parts.engine.now;
  }

  get #nextTimer(): number {
    return this.#sim.internals.parts.engine.timers.next()?.at ?? Infinity;
  }

  /** Lets one thing go on that is held or due. */
  #goOn(): boolean {
    const { now } = this.#time;
    const { moment, count } = this.#atThisMoment;
    this.#atThisMoment = moment === now ? { moment, count: count + 1 } : { moment: now, count: 1 };
    if (count > MOST_AT_ONE_MOMENT) {
      this.neverRests = true;
      return false;
    }
    if (!this.#held.isEmpty) {
      this.#held.releaseOne();
      return true;
    }
    return this.#time.ringDue();
  }

  #runAhead(): boolean {
    const ran = this.#time.runAhead();
    if (ran) this.#onRunAhead();
    return ran;
  }

  #giveUpOne(): boolean {
    const [first] = this.exchanges;
    if (first === undefined) return false;
    this.exchanges.delete(first);
    first.giveUp();
    return true;
  }

  /** Whether the merchant has a request and waits for nothing of the exam. */
  get #isBusy(): boolean {
    for (const { cause } of this.exchanges) if (cause.waiting === 0) return true;
    return false;
  }

  /** Waits until the merchant has done what it can do now. */
  async #quiet(isOver: () => boolean): Promise<void> {
    await nextMacrotask();
    merchantWork.ends();
    while (this.#ownWork > 0) await nextMacrotask();
    for (let turns = 1; (this.isPatient || this.#isBusy) && !isOver() && turns < TURNS_OF_GRACE; turns += 1)
      await nextMacrotask();
  }

  /** Waits for work that the exam cannot see, such as work of a thread. Returns false when none ends in time. */
  async #outside(isOver: () => boolean): Promise<boolean> {
    if (!this.#isBusy) return false;
    const patience = { isOver: false };
    const callOff = startTimer(LONGEST_WORK, () => (patience.isOver = true));
    const before = this.exchanges.size;
    while (!patience.isOver && !isOver() && this.#held.isEmpty && this.exchanges.size === before && this.#isBusy)
      await nextMacrotask();
    callOff();
    return !patience.isOver;
  }
}
