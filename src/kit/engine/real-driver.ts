import { wallTime } from "../base/runtime/real-time.ts";
import type { RealTime } from "../base/runtime/real-time.ts";
import type { Clock } from "./clock.ts";
import type { Driven, Driver } from "./driver.ts";
import type { Engine } from "./engine.ts";
import { Patience } from "./patience.ts";
import type { YieldToEventLoop } from "./timer-runner.ts";
import { LAST_MOMENT } from "./timestamp.ts";

/** In milliseconds of real time. A timer of the process does not notice that the machine slept, so the driver looks now and then. */
const LONGEST_NAP = 10_000;

/** Where virtual time was when it was last set to run, and the real time that had passed by then, both in milliseconds. */
interface Start {
  readonly moment: number;
  readonly passed: number;
}

/** The wait for what is due next. */
interface Nap {
  readonly until: number;
  readonly start: Start;
  readonly keepsProcess: boolean;
  readonly end: () => void;
}

/**
 * Lets virtual time follow real time. Whatever is due runs at its moment or, on a busy machine, later, in order and never earlier. Before
 * anything from outside reads or changes the world, what is due by then has run, unless a delivery is under way: as under every clock, time
 * waits for its answer, and then catches up. Calls of the test move time on top, and it runs on from where they end.
 */
export class RealDriver implements Driver {
  readonly name = "real";
  isHeld = false;
  readonly #factor: number;
  readonly #time: RealTime;
  readonly #patience = new Patience();
  #own: Driven | undefined;
  #world = 0;
  #start: Start = { moment: 0, passed: 0 };
  #wall: { readonly last: number; readonly passed: number };
  #driving: PromiseWithResolvers<void> | undefined;
  #isMoving = false;
  /** Whether the calls that waited have their turn. Otherwise a clock that is always behind would keep them waiting. */
  #givesWay = false;
  #isStopped = false;
  #nap: Nap | undefined;
  /** The clients that wait for a held answer, and until when. */
  readonly #waiting = new Map<AbortSignal, number>();

  /** @param factor how much virtual time passes in a unit of real time */
  constructor(factor: number, time: RealTime = wallTime) {
    this.#factor = factor;
    this.#time = time;
    this.#wall = { last: time.now(), passed: 0 };
  }

  drive(engine: Engine, clock: Clock, yieldToEventLoop: YieldToEventLoop): void {
    this.#own = { engine, clock, yieldToEventLoop };
    this.#enterWorld();
    clock.driver = this;
    clock.waits.onChange(() => this.#arm());
    engine.runningClock.catchUp = () => this.#catchUp();
    engine.runningClock.scheduled = () => {
      if (this.#nap === undefined || this.#nextDue < this.#nap.until) this.#arm();
    };
    engine.onMove(() => {
      if (engine.world !== this.#world) this.#enterWorld();
    });
  }

  get shown(): number {
    const { now } = this.#driven.engine;
    if (this.#stands) return now;
    const { moment, passed } = this.#start;
    return Math.max(now, Math.min(LAST_MOMENT, moment + Math.floor((this.#passed() - passed) * this.#factor)));
  }

  get now(): number {
    const { now } = this.#driven.engine;
    return this.#isFree ? Math.max(now, Math.min(this.shown, this.#nextDue)) : now;
  }

  untilRest(): Promise<void> | undefined {
    const { engine, clock } = this.#driven;
    if (!this.#givesWay) this.#catchUp();
    if (this.#driving === undefined || clock.isMovedByTest) return undefined;
    return this.#patience.wait(engine);
  }

  untilStill(): Promise<void> | undefined {
    return this.#driving?.promise;
  }

  callAnswered(): void {}

  waitFor(moment: number, client: AbortSignal): void {
    this.#waiting.set(client, moment);
    client.addEventListener("abort", () => this.#arm(), { once: true });
    this.#arm();
  }

  movedByTest(): void {
    this.#setOut();
    this.#arm();
  }

  /** Stops the clock for good. */
  stop(): void {
    this.#isStopped = true;
    this.#nap?.end();
    this.#nap = undefined;
  }

  get #driven(): Driven {
    if (this.#own === undefined) throw new TypeError("A driver needs a clock before the first call.");
    return this.#own;
  }

  get #stands(): boolean {
    return this.#isStopped || this.isHeld;
  }

  /** Whether the driver may move the clock. */
  get #isFree(): boolean {
    const { engine, clock } = this.#driven;
    return !this.#stands && this.#driving === undefined && !this.#isMoving && !clock.busy && !engine.inUnit;
  }

  get #nextDue(): number {
    const { engine, clock } = this.#driven;
    return Math.min(engine.timers.next()?.at ?? Infinity, clock.waits.next);
  }

  /** Whether a client still waits for a held answer. */
  get #hasClient(): boolean {
    const { now } = this.#driven.engine;
    for (const [client, until] of this.#waiting) if (client.aborted || until <= now) this.#waiting.delete(client);
    return this.#waiting.size > 0;
  }

  /** Returns how much real time has passed. None passes while somebody sets the wall clock back. */
  #passed(): number {
    const { last, passed } = this.#wall;
    const now = this.#time.now();
    this.#wall = { last: now, passed: passed + Math.max(0, now - last) };
    return this.#wall.passed;
  }

  /** Lets virtual time run on from where it is. */
  #setOut(): void {
    this.#start = { moment: this.#driven.engine.now, passed: this.#passed() };
  }

  /** Leaves what was under way to the world that was replaced. */
  #enterWorld(): void {
    this.#world = this.#driven.engine.world;
    this.#waiting.clear();
    this.#driving?.resolve();
    this.#driving = undefined;
    this.#patience.end();
    this.#setOut();
    this.#arm();
  }

  #catchUp(): void {
    if (!this.#isFree) return;
    const moment = this.shown;
    if (this.#nextDue > moment) this.#moveTo(moment);
    else void this.#drive(moment);
  }

  /** Moves to a moment by which nothing is due. */
  #moveTo(moment: number): void {
    const { engine, clock } = this.#driven;
    if (moment === engine.now) return;
    this.#isMoving = true;
    try {
      engine.moveTo(moment);
    } catch (error) {
      clock.failsUnawaited(error);
    } finally {
      this.#isMoving = false;
    }
  }

  /** Runs what is due by a moment. It begins at once, so what needs no answer from outside has run when this returns. */
  async #drive(moment: number): Promise<void> {
    const { clock, yieldToEventLoop } = this.#driven;
    const driving = Promise.withResolvers<void>();
    this.#driving = driving;
    let goesOn = await clock.driveTo(moment, () => this.#stands);
    while (goesOn && driving === this.#driving && this.#nextDue <= moment && !this.#stands) {
      await yieldToEventLoop();
      goesOn = await clock.driveTo(moment, () => this.#stands);
    }
    if (driving !== this.#driving) return;
    this.#driving = undefined;
    this.#givesWay = true;
    driving.resolve();
    this.#patience.end();
    await yieldToEventLoop();
    this.#givesWay = false;
    // After any failure but that of a timer, which is off the clock, the next call goes on: the same failure would come again at once.
    if (goesOn) this.#arm();
  }

  /** Waits in real time for what is due next. */
  #arm(): void {
    const { clock, yieldToEventLoop } = this.#driven;
    // Whoever moves the clock calls this at the end.
    if (this.#stands || this.#driving !== undefined || clock.busy) return;
    const until = this.#nextDue;
    const keepsProcess = clock.waits.sleeps.some(({ kind }) => kind === "sleep") || this.#hasClient;
    const start = this.#start;
    const nap = this.#nap;
    if (nap?.until === until && nap.start === start && nap.keepsProcess === keepsProcess) return;
    nap?.end();
    this.#nap = undefined;
    if (until === Infinity) return;
    const delay = (until - start.moment) / this.#factor - (this.#passed() - start.passed);
    const wake = (): void => {
      this.#nap = undefined;
      this.#catchUp();
      this.#arm();
    };
    const end =
      delay > 0
        ? this.#time.startTimer(Math.min(Math.ceil(delay), LONGEST_NAP), wake, keepsProcess)
        : afterTurn(yieldToEventLoop, wake);
    this.#nap = { until, start, keepsProcess, end };
  }
}

/** Calls back after a turn of the event loop, so that a caller has its answer before anything moves. Returns a function that cancels it. */
function afterTurn(yieldToEventLoop: YieldToEventLoop, callback: () => void): () => void {
  let isCancelled = false;
  const callBack = async (): Promise<void> => {
    await yieldToEventLoop();
    if (!isCancelled) callback();
  };
  void callBack();
  return () => {
    isCancelled = true;
  };
}
