import { asyncContext, watchTimers } from "../base/runtime/async-context.ts";
import { nextMacrotask, startTimer } from "../base/runtime/real-time.ts";

/** A longer pause than this, in milliseconds of real time, is not part of a request's work. */
const LONGEST_PAUSE = 100;
/** How many quiet turns of the event loop mean that the work is done. */
const TURNS_BETWEEN = 3;

/** Whose code is running: an app that handles a request, or the other end of a socket, which may be such an app. */
const caller = asyncContext<AppWork | "socket">();

/** Runs work that arrived through a socket. The other end may be an app that handles a request. */
export function asSocketCall<Result>(work: () => Result): Result {
  return caller.run("socket", work);
}

/** Returns a function that runs work in the current async context. A server needs it, because no context passes through its socket. */
export function asCallerNow(): <Result>(work: () => Result) => Result {
  const now = caller.value;
  return (work) => (now === undefined ? work() : caller.run(now, work));
}

/** What one app does for one request, during its answer and afterwards. */
class AppWork {
  readonly owner: AppWorks;
  /** The pending timers, with their delays in milliseconds. */
  readonly pauses = new Map<number, number>();
  /** How many of its calls have not reached the service yet. */
  calls = 0;

  constructor(owner: AppWorks) {
    this.owner = owner;
  }

  get isOpen(): boolean {
    return this.calls > 0 || this.pauses.size > 0;
  }

  toString(): string {
    const calls = this.calls === 0 ? [] : [`${this.calls} of its calls to the service`];
    const pauses = this.pauses.size === 0 ? [] : [`timers of ${[...this.pauses.values()].join(", ")} ms`];
    return [...calls, ...pauses].join(" and ");
  }
}

/** What connected apps do for a simulator's requests, as far as this process can see. */
export class AppWorks {
  readonly #patience: number;
  #underWay = 0;
  readonly #workOfTimer = new Map<number, AppWork>();
  /** Set by the first request, because many simulators send none. */
  #hook: ReturnType<typeof watchTimers>;

  /** @param patience how long to wait for an app's work after its answer, in milliseconds of real time */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Whether the running code belongs to an app of this simulator, or to work that such an app began. */
  get areRunning(): boolean {
    return this.#current !== undefined;
  }

  /** Whether the running code answers a call that arrived through a socket. */
  get areBehindSocket(): boolean {
    return caller.value === "socket";
  }

  /**
   * Sends a request to an app, and waits for all the work that the app begins, even after its answer.
   * @param onLeftOpen called with what was still open when the patience ended
   */
  async send<Answer>(exchange: () => Promise<Answer>, onLeftOpen: (what: string) => void): Promise<Answer> {
    const work = new AppWork(this);
    this.#underWay += 1;
    (this.#hook ??= this.#watchTimers())?.enable();
    try {
      const answer = await caller.run(work, exchange);
      if (work.isOpen && !(await this.#isDone(work))) onLeftOpen(String(work));
      return answer;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) {
        this.#hook?.disable();
        this.#workOfTimer.clear();
      }
    }
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

  #watchTimers(): ReturnType<typeof watchTimers> {
    return watchTimers({
      began: (id, delay) => {
        const work = this.#current;
        if (work === undefined || delay > LONGEST_PAUSE) return;
        work.pauses.set(id, delay);
        this.#workOfTimer.set(id, work);
      },
      ended: (id) => {
        this.#workOfTimer.get(id)?.pauses.delete(id);
        this.#workOfTimer.delete(id);
      },
    });
  }

  get #current(): AppWork | undefined {
    const work = caller.value;
    return work instanceof AppWork && work.owner === this ? work : undefined;
  }

  /** Returns false if the patience ends before the work does. */
  async #isDone(work: AppWork): Promise<boolean> {
    const patience = { isOver: false };
    const callOff = startTimer(this.#patience, () => (patience.isOver = true));
    // Checked in turns instead of by events, because Node reports the end of a timer only in a later turn.
    for (let quiet = 0; quiet < TURNS_BETWEEN && !patience.isOver; quiet += 1) {
      await nextMacrotask();
      if (work.isOpen) quiet = -1;
    }
    callOff();
    return !work.isOpen;
  }
}

function nothing(): void {}
