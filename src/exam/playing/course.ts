import { outsideWork } from "../../kit/base/runtime/outside-work.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { Cause, Turns } from "../../merchant/process/merchant-process.ts";
import type { ReadOptions } from "../read-options.ts";
import { answersOfStore } from "./answers-of-store.ts";
import type { WaitsForStore } from "./answers-of-store.ts";
import type { Computations } from "./computations.ts";
import { Drivers } from "./drivers.ts";
import type { Driver } from "./drivers.ts";
import type { HeldWork } from "./held-work.ts";
import type { MerchantTime } from "./merchant-time.ts";
import { merchantWork } from "../../merchant/process/merchant-work.ts";
import { aSlowTurn, aTurn, endlessTurns } from "./turns.ts";

/** A request that the merchant has not answered. */
export interface OpenExchange {
  readonly cause: Cause;
  /** Ends the exchange as if no answer came. */
  readonly giveUp: () => void;
}

/** What a course needs besides the world. */
export interface CourseOptions extends WaitsForStore, Pick<ReadOptions, "outsideBefore" | "intercept"> {
  /** What the running program has asked of the event loop; undefined while none runs. */
  readonly turns: () => Turns | undefined;
  readonly computations: Computations;
  /** Called with what the program does that never ends, as a sentence. */
  readonly onEndless: (what: string) => void;
}

/** How many turns of the event loop the merchant gets between two steps that do not wait for the exam. */
const TURNS_OF_GRACE = 12;
/**
 * How many turns of the event loop, of a millisecond or more, work may take that the exam cannot see, such as work of a thread. On a busy
 * machine turns take longer, as the work does.
 */
const LONGEST_WORK = 1000;
/** How many things may happen in a story. Honest merchants do some hundreds. */
const MOST_STEPS = 100_000;
/** How many things may happen at one moment before the merchant counts as endlessly busy. */
const MOST_AT_ONE_MOMENT = 4000;

/** Moves a story forward, one step at a time: first held work, then what is due now, then time itself. */
export class Course {
  readonly #sim: Simulator;
  readonly #held: HeldWork;
  readonly #time: MerchantTime;
  readonly exchanges = new Set<OpenExchange>();
  #ownWork = 0;
  readonly #drivers = new Drivers();
  /** Resolves when the clock has moved; undefined while it does not move. */
  #clockMoves: Promise<unknown> | undefined;
  #atThisMoment = { moment: 0, count: 0 };
  /** True once the merchant did too much at one moment, or repeated a call too often, so the story was broken off. */
  neverRests = false;
  /** Why that was, as a sentence with the place; undefined when something else broke the story off. */
  tooMuch: string | undefined;
  #steps = 0;

  readonly #options: CourseOptions;

  constructor(sim: Simulator, held: HeldWork, time: MerchantTime, options: CourseOptions) {
    this.#options = options;
    this.#sim = sim;
    this.#held = held;
    this.#time = time;
  }

  /** Breaks the story off. @param why how the merchant did too much, without a full stop */
  breakOff(why: string): void {
    this.neverRests = true;
    this.tooMuch ??= `${why}${merchantWork.place === undefined ? "" : `, ${merchantWork.place.what}`}.`;
  }

  /**
   * Runs the story until some work has ended.
   * @param latest when to stop waiting, in milliseconds since 1970. While no request to the merchant is open, `whileIdle` takes its place: by default it is the same
   * @returns false when the work did not end by then, or waits for something that never happens
   */
  async until(work: Promise<unknown>, latest: number, whileIdle = latest): Promise<boolean> {
    const untilWhen = (): number => (this.exchanges.size === 0 ? whileIdle : latest);
    return this.#drivers.run((driver) => this.#drive(work, untilWhen, driver));
  }

  async #drive(work: Promise<unknown>, latest: () => number, driver: Driver): Promise<boolean> {
    let isOver = false;
    const over = work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    for (;;) {
      await driver.turn(over, () => isOver);
      await this.#quiet(() => isOver);
      if (isOver) return true;
      if (this.neverRests) return false;
      if (driver.hasLostTurn() || this.#goOn()) continue;
      if (this.#clockMoves !== undefined) {
        // The service's clock waits for the merchant, and the merchant waits for its own time or for something that never happens.
        if (!this.#time.runAhead()) {
          if ((await this.takesTurns(() => isOver)) || driver.hasLostTurn()) continue;
          if (!this.#time.runAhead() && !this.#giveUpOne()) return false;
        }
        this.#countStep();
        continue;
      }
      const next = Math.min(this.#time.next, this.#nextTimer);
      if (next === Infinity || next > latest()) {
        if ((await this.takesTurns(() => isOver)) || (await this.#outside(() => isOver)) || driver.hasLostTurn())
          continue;
        return false;
      }
      await this.passTo(next);
    }
  }

  /** Runs the exam's own work, such as in a fork of the world, while everything else waits. */
  async alone<Result>(work: Promise<Result>): Promise<Result> {
    this.#ownWork += 1;
    try {
      return await work;
    } finally {
      this.#ownWork -= 1;
    }
  }

  /** Runs everything that is due now. */
  async rest(): Promise<void> {
    await this.passTo(this.#time.now);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    await this.#drivers.run(async (driver) => {
      for (;;) {
        await driver.turn();
        await this.#quiet(() => false);
        if (this.neverRests || (!driver.hasLostTurn() && !this.#goOn())) return;
      }
    });
  }

  /** Lets time pass until a moment, in milliseconds since 1970. */
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
      await this.#untilMoved(moved);
      this.#clockMoves = undefined;
      end.resolve();
      await this.#settle();
    } while (this.#now < moment && !this.neverRests);
  }

  /** The clock may need some more turns after the last answer. If the next move began meanwhile, it would be refused. */
  async #untilMoved(moved: Promise<unknown>): Promise<void> {
    const look = this.#options.waits.watch();
    while (!(await this.until(moved, Infinity)) && !this.neverRests) {
      await aSlowTurn();
      const waited = look();
      if (!this.neverRests && waited !== undefined) this.#options.onTooLong(waited);
    }
  }

  get #now(): number {
    return this.#sim.internals.parts.engine.now;
  }

  get #nextTimer(): number {
    return this.#sim.internals.parts.engine.timers.next()?.at ?? Infinity;
  }

  /** Takes one step: releases one held call or answer, or runs one thing that is due. Returns false when there is none. */
  #goOn(): boolean {
    if (this.#held.isEmpty && this.#time.next > this.#time.now) return false;
    this.#countStep();
    if (this.neverRests) return false;
    if (this.#held.isEmpty) return this.#time.ringDue();
    this.#held.releaseOne();
    return true;
  }

  /** Breaks the story off after too many steps. A wait is none: it takes as many turns as the machine is slow. */
  #countStep(): void {
    this.#steps += 1;
    const { now } = this.#time;
    const { moment, count } = this.#atThisMoment;
    this.#atThisMoment = moment === now ? { moment, count: count + 1 } : { moment: now, count: 1 };
    if (count > MOST_AT_ONE_MOMENT)
      this.breakOff("The merchant did so much at one moment that its story was broken off");
    else if (this.#steps > MOST_STEPS)
      this.breakOff(`The merchant did more than ${MOST_STEPS} things in one story, which was broken off`);
  }

  #giveUpOne(): boolean {
    const [first] = this.exchanges;
    if (first === undefined) return false;
    this.exchanges.delete(first);
    first.giveUp();
    return true;
  }

  /** Whether the merchant is handling a request without waiting for the exam. */
  get #isBusy(): boolean {
    for (const { cause } of this.exchanges) if (cause.waiting === 0) return true;
    return false;
  }

  /** Waits until the merchant can do nothing more without the exam. */
  async #quiet(isOver: () => boolean): Promise<void> {
    await aTurn();
    merchantWork.ends();
    while (this.#ownWork > 0) await aTurn();
    // A call through a socket takes some turns before the exam sees it.
    const isPatient = (): boolean => this.#options.intercept === true || this.#isBusy;
    for (let turns = 1; isPatient() && !isOver() && turns < TURNS_OF_GRACE; turns += 1) await aTurn();
    await this.#workAfterAnswers(isOver);
    await this.#options.computations.rest(this.#options, () => isOver() || this.neverRests);
    await answersOfStore(this.#options, this.#held, this.#time, () => this.neverRests);
  }

  /** Waits for what the merchant goes on with after its answers to events, such as in a file, while the story stands still. */
  async #workAfterAnswers(isOver: () => boolean): Promise<void> {
    const { worksAfterAnswers } = this.#sim.internals.connections;
    for (let turns = 0; worksAfterAnswers.goOn && !isOver(); turns += 1) {
      await (turns < TURNS_OF_GRACE ? aTurn() : aSlowTurn());
      if (turns > LONGEST_WORK) worksAfterAnswers.leave();
    }
  }

  /**
   * Lets the merchant take turns of the event loop while nothing else happens. Breaks the story off if that never ends.
   * @returns whether there is something else to do now
   */
  async takesTurns(isOver = () => false): Promise<boolean> {
    const { turns, onEndless } = this.#options;
    const goesOn = (): boolean => isOver() || this.neverRests || !this.#held.isEmpty;
    const endless = await endlessTurns(turns, goesOn, () => this.#worksOutside);
    if (endless !== undefined) {
      this.neverRests = true;
      onEndless(endless);
    }
    return goesOn();
  }

  get #worksOutside(): boolean {
    return outsideWork() > this.#options.outsideBefore;
  }

  /**
   * Waits for work that the exam cannot see, such as work of a database or a thread. It takes as long as Node tells of such work, and
   * some turns more. Returns false when none ends in time.
   */
  async #outside(isOver: () => boolean): Promise<boolean> {
    const { size } = this.exchanges;
    const isOutside = (): boolean => (size === 0 || this.#isBusy) && this.exchanges.size === size;
    if (!isOutside()) return false;
    const look = this.#options.waits.watch();
    let idle = 0;
    for (let turns = 0; !isOver() && this.#held.isEmpty && isOutside(); turns += 1) {
      await (turns < TURNS_OF_GRACE ? aTurn() : aSlowTurn());
      idle = this.#worksOutside ? 0 : idle + 1;
      if (this.neverRests) return false;
      // Where nothing is known to go on outside, turns are counted instead of time, so that a busy machine changes nothing.
      const waited = look();
      if (idle === 0 && waited !== undefined) {
        this.#options.onTooLong(waited);
        return false;
      }
      if (idle > LONGEST_WORK) return false;
    }
    return true;
  }
}
