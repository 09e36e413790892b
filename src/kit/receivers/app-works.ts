import type { BegunWork } from "../base/runtime/begun-work.ts";
import { aMillisecond, nextMacrotask, startTimer } from "../base/runtime/real-time.ts";
import { AppWork, caller, watch } from "./app-work.ts";
import { CallsInOrder } from "./calls-in-order.ts";
import type { WorkReport } from "./work-report.ts";

/** How many quiet turns of the event loop mean that the work is done. */
const TURNS_BETWEEN = 3;
/** How many turns follow each other at once. Later ones take a millisecond, so that long waits leave the processor to others. */
const QUICK_TURNS = 100;
/** A call does not wait for a longer timer, in milliseconds: it may be the limit of the call itself. */
const LONGEST_PAUSE = 100;
/**
 * How many turns a call waits for other jobs, which may wait for the caller, such as for its lock in a database. On a busy machine turns take
 * longer, as the jobs do.
 */
const LONGEST_HOLD = 1000;
/** What never waits for a caller, however long it takes on a busy machine. */
const COMPUTATIONS: ReadonlySet<string> = new Set(["compression", "cryptography"]);

/** Returns the promises that an app has handed over: one, several, or none. */
export type WaitUntil = () => PromiseLike<unknown> | Iterable<PromiseLike<unknown>> | void;

/** What connected apps do for a simulator's requests, as far as this process can see. */
export class AppWorks {
  readonly #patience: number;
  readonly #longestHold: number;
  readonly #open = new Set<AppWork>();
  readonly #held = new CallsInOrder();
  /** What apps were still waiting for when the clock went on. */
  readonly #left = new WeakMap<object, BegunWork>();
  /** The work that is waited for after its answer, until some turns were quiet. */
  readonly #finishing = new Set<AppWork>();
  #turn: Promise<void> | undefined;
  #turns = 0;
  /** Whether several jobs went on at once, so that their order is that of real time. */
  #areSeveral = false;
  #isOrderLost = false;
  /** Whether faults hold calls to the service. */
  faultsHoldCalls: () => boolean = () => false;

  /** @param patience how long to wait for an app's work after its answer, in milliseconds of real time */
  constructor(patience: number) {
    this.#patience = patience;
    this.#longestHold = Math.min(LONGEST_HOLD, patience / 2);
  }

  /** Whether the running code belongs to an app of this simulator, or to work that such an app began. */
  get areRunning(): boolean {
    return this.#current !== undefined;
  }

  /** Whether the running code answers a call that arrived through a socket. */
  get areBehindSocket(): boolean {
    return caller.value === "socket";
  }

  /** Whether an app that has answered still works. */
  get goOn(): boolean {
    return this.#finishing.size > 0 || this.#working.some((work) => work.isOpen);
  }

  /**
   * Sends a request to an app, and waits for all the work that the app begins, even after its answer.
   * @param waitUntil called after the answer
   */
  async send<Answer>(
    exchange: () => Promise<Answer>,
    report: WorkReport,
    waitUntil: WaitUntil | undefined,
  ): Promise<Answer> {
    const work = new AppWork(this, report);
    watch.begin(work);
    this.#open.add(work);
    try {
      const answer = await caller.run(work, exchange);
      work.answered();
      if (waitUntil !== undefined) takeOver(work, waitUntil);
      await this.#finish(work);
      return answer;
    } finally {
      if (work.stage !== "left") work.stage = "done";
      this.#open.delete(work);
      if (this.#open.size === 0) this.#rest();
      watch.end(work);
    }
  }

  /**
   * Receives what an app has begun. Returns the function to call at its end.
   * @param work the work that it belongs to
   */
  begins(work: AppWork, begun: BegunWork): (() => void) | undefined {
    if (work.stage === "left" || begun.delay > this.#patience) return undefined;
    if (this.#left.get(begun.subject)?.isOpen === true) return undefined;
    if (work.stage === "working" && begun.delay <= LONGEST_PAUSE) this.#areSeveral ||= this.#areAtWork(begun);
    return work.add(begun);
  }

  /** Stops waiting for what apps still do, although there would be time. */
  leave(): void {
    for (const work of this.#working) work.stage = "left";
  }

  /** Stops waiting, because nobody looks at what apps do any more. */
  close(): void {
    for (const work of this.#open) work.stage = "done";
  }

  /** Counts a call to the service as work of the app that makes it. Returns a function to call once the service has received the call. */
  callArrives(): () => void {
    const work = this.#current;
    if (work === undefined) return nothing;
    work.calls += 1;
    let isOpen = true;
    return () => {
      if (isOpen) work.calls -= 1;
      isOpen = false;
    };
  }

  /**
   * Holds a call back if jobs of apps that have answered end in the order of real time, and it comes from one of them.
   * @returns a promise that resolves when it may go on; undefined when it need not wait
   */
  holdBack(request: Request, body: string): Promise<void> | undefined {
    const work = this.#current;
    if (work?.stage !== "working" || this.#isOrderLost) return undefined;
    const isFirst = this.#held.count === 0;
    if (isFirst && !this.#areSeveral && !this.#areAtWork()) return undefined;
    const turn = this.#held.hold(textOf(request, body), work.report);
    // What this starts is not work of the app.
    if (isFirst) void caller.run(undefined, () => this.#releaseHeld());
    return turn;
  }

  get #current(): AppWork | undefined {
    const work = caller.value;
    return work instanceof AppWork && work.owner === this ? work : undefined;
  }

  get #working(): readonly AppWork[] {
    return [...this.#open].filter(({ stage }) => stage === "working");
  }

  /** Whether apps that have answered do anything whose end a call has to wait for. */
  #areAtWork(except?: BegunWork): boolean {
    return this.#working.some((work) =>
      work.waitsFor(({ subject, delay }) => delay <= LONGEST_PAUSE && subject !== except?.subject),
    );
  }

  /** Waits until work is done, or for as long as the patience lasts. */
  async #finish(work: AppWork): Promise<void> {
    // Streams, servers and sockets begin their work a moment after the call, so even an app that seems idle gets one turn.
    const isIdle = !work.isOpen;
    this.#finishing.add(work);
    const callOff = startTimer(this.#patience, () => (work.stage = "left"));
    // Checked in turns instead of by events, because Node reports the end of a timer only in a later turn.
    let { kinds } = work;
    for (let quiet = isIdle ? TURNS_BETWEEN - 1 : 0; quiet < TURNS_BETWEEN && work.stage === "working"; quiet += 1) {
      await this.#nextTurn();
      if (!work.isOpen) continue;
      quiet = -1;
      ({ kinds } = work);
    }
    callOff();
    this.#finishing.delete(work);
    if (work.stage !== "left") return;
    for (const begun of work.begun) this.#left.set(begun.subject, begun);
    work.report.leftOpen(kinds);
  }

  /** Releases one call after the other, each when nothing else goes on. */
  async #releaseHeld(): Promise<void> {
    let waited = 0;
    for (let quiet = 0; this.#held.count > 0; quiet += 1) {
      await this.#nextTurn();
      waited = this.#working.some((work) => work.waitsFor(({ kind }) => COMPUTATIONS.has(kind))) ? 0 : waited + 1;
      if (waited > this.#longestHold) {
        this.#isOrderLost = true;
        this.#held.releaseAll();
      } else if (this.#areAtWork() || this.#callsUnderWay > this.#held.count) quiet = -1;
      else if (quiet >= TURNS_BETWEEN) {
        this.#held.releaseFirst();
        [quiet, waited] = [-1, 0];
      }
    }
  }

  get #callsUnderWay(): number {
    return [...this.#open].reduce((sum, { calls }) => sum + calls, 0);
  }

  #nextTurn(): Promise<void> {
    return (this.#turn ??= this.#pass());
  }

  async #pass(): Promise<void> {
    this.#turns += 1;
    if (this.#turns <= QUICK_TURNS) await nextMacrotask();
    else await aMillisecond();
    this.#turn = undefined;
  }

  /** Nothing is open any more. */
  #rest(): void {
    this.#turns = 0;
    this.#areSeveral = false;
    this.#isOrderLost = false;
  }
}

function takeOver(work: AppWork, waitUntil: WaitUntil): void {
  try {
    const given = waitUntil();
    if (typeof given !== "object") return;
    for (const promise of Symbol.iterator in given ? given : [given]) work.waitFor(promise);
  } catch (error) {
    work.report.rejected(error);
  }
}

/** What tells one call from another. */
function textOf({ method, url, headers }: Request, body: string): string {
  const names = ["authorization", "idempotency-key"];
  return [method, url, ...names.map((name) => headers.get(name) ?? ""), body].join("\n");
}

function nothing(): void {}
