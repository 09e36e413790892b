import { asyncContext, watchTimers } from "../base/runtime/async-context.ts";
import { nextMacrotask, startTimer } from "../base/runtime/real-time.ts";

/** A pause that is longer than this, in milliseconds of real time, is not part of a request's work. */
const LONGEST_PAUSE = 100;
/** Turns of the event loop in which work that was begun may go from one thing to the next. */
const TURNS_BETWEEN = 3;

/** Who runs: an app that was sent a request, or somebody at the other end of a socket, who may be such an app. */
const caller = asyncContext<AppWork | "socket">();

/** Runs work that came in through a socket, at whose other end may be an app that was sent a request. */
export function asSocketCall<Result>(work: () => Result): Result {
  return caller.run("socket", work);
}

/** Returns a function that runs work as that of whoever runs now. A server needs it, because no context passes through its socket. */
export function asCallerNow(): <Result>(work: () => Result) => Result {
  const now = caller.value;
  return (work) => (now === undefined ? work() : caller.run(now, work));
}

/** The work of one app for one request, during and after its answer. */
class AppWork {
  readonly owner: AppWorks;
  /** The timers that it waits for, with their delays in milliseconds. */
  readonly pauses = new Map<number, number>();
  /** How many of its calls the service does not have yet. */
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

/** What the connected apps of a simulator do with the requests that it sends, as far as this process shows it. */
export class AppWorks {
  readonly #patience: number;
  #underWay = 0;
  readonly #workOfTimer = new Map<number, AppWork>();
  /** Made for the first request, because many simulators send none. */
  #hook: ReturnType<typeof watchTimers>;

  /** @param patience how long to wait for work after its answer, in milliseconds of real time */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Whether the code that runs now is an app of this simulator, or something that it began. */
  get areRunning(): boolean {
    return this.#current !== undefined;
  }

  /** Whether the code that runs now answers a call that came in through a socket. */
  get areBehindSocket(): boolean {
    return caller.value === "socket";
  }

  /**
   * Sends a request to an app, and waits until the app has done what it began, also after its answer.
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

  /** Counts a call to the service as the work of the app that makes it. Returns the function to call when the service has it. */
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

  /** Returns false when the patience ends before the work. */
  async #isDone(work: AppWork): Promise<boolean> {
    const patience = { isOver: false };
    const callOff = startTimer(this.#patience, () => (patience.isOver = true));
    // Turns and not an event, because Node tells of a timer's end only in a turn of its own.
    for (let quiet = 0; quiet < TURNS_BETWEEN && !patience.isOver; quiet += 1) {
      await nextMacrotask();
      if (work.isOpen) quiet = -1;
    }
    callOff();
    return !work.isOpen;
  }
}

function nothing(): void {}
