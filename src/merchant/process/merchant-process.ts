import { asyncContext } from "../../kit/base/runtime/async-context.ts";
import type { MerchantTimer, VirtualTime } from "./merchant-timers.ts";
import { merchantWork } from "./merchant-work.ts";

/** What made the merchant act. */
export interface Cause {
  /** `act`: a customer's request. `event`: a delivery of the service. `job`, `open` and `books`: the merchant itself. */
  readonly kind: "act" | "event" | "job" | "open" | "books";
  /** The id that the customer's act is about. */
  readonly id?: string;
  /** How often its work has paused. */
  pauses?: number;
  /** The name of that act. */
  readonly act?: string;
  /** What the program does, such as `while it answered POST /orders`. */
  readonly what?: string;
  /** How much of its work is waiting for something outside the program. */
  waiting: number;
}

/** Work that the merchant is doing. */
export interface Doing {
  readonly process: MerchantProcess;
  readonly cause: Cause;
}

/** The work that the running code belongs to. */
export const doing = asyncContext<Doing>();

/** The current run of the merchant's program. */
export interface Running {
  process?: MerchantProcess | undefined;
}

/** The process itself, while its timers follow a clock: it owns the timers of all code that belongs to no program. */
export const wholeProcess: Running = {};

/** Returns the program that owns what the running code starts. */
export function ownerNow(): MerchantProcess | undefined {
  return doing.value?.process ?? wholeProcess.process;
}

/**
 * Returns a `fetch` for any client of the process. Async context tells which run of the program makes a call. If a client loses the
 * context, the call belongs to the current run.
 * @param whileNoneRuns answers calls from outside any run while no program runs; by default they get no answer
 */
export function fetchOfWhoCalls(
  running: Running,
  whileNoneRuns: typeof globalThis.fetch = never,
): typeof globalThis.fetch {
  return async (input, init) => {
    const process = doing.value?.process ?? running.process;
    return process === undefined ? whileNoneRuns(input, init) : process.fetch(input, init);
  };
}

/** Handles the uncaught errors of programs before the process does. For `takeUnhandled`. */
export function takeThrown(error: unknown): boolean {
  return doing.value?.process.threw(error) ?? false;
}

/** What a program has asked of the event loop. */
export interface Turns {
  /** How often it asked to go on in another turn at once, as `setImmediate` does, or a message to itself. */
  readonly asked: number;
  /** How many of these were messages. */
  readonly messages: number;
  /** What it did when it asked last, such as `while it answered POST /orders`. */
  readonly what: string | undefined;
}

/** A program that asks for more turns in vain never ends. They take a second at most. */
export const MOST_TURNS = 100_000;

/** One run of the merchant's program, from start to end. Whatever it tries afterwards has no effect. */
export class MerchantProcess {
  /** The time that the program's timers follow; undefined for real time. */
  readonly time: VirtualTime | undefined;
  /** How far the program's clock is ahead, in milliseconds. */
  readonly clock: number;
  /** The program's connection to the service. */
  readonly fetch: typeof globalThis.fetch;
  turns: Turns = { asked: 0, messages: 0, what: undefined };
  /** The timers that the program refers to by number. */
  readonly timers = new Map<number, MerchantTimer>();
  #lastTimerId = 0;
  readonly #onThrown: ((error: unknown) => void) | undefined;
  readonly #closeFetch: () => void;
  #isAlive = true;
  readonly #end = Promise.withResolvers<"ended">();
  readonly #atEnd = new Set<() => void>();

  /**
   * @param fetchOf returns the program's connection to the service, which closes when the program ends
   * @param onThrown called with each uncaught error of the running program; without it, the process gets the error
   */
  constructor({
    time,
    clock = 0,
    fetchOf,
    onThrown,
  }: {
    readonly time?: VirtualTime;
    readonly clock?: number;
    readonly fetchOf: (process: MerchantProcess) => typeof globalThis.fetch;
    readonly onThrown?: (error: unknown) => void;
  }) {
    const service = fetchOf(this);
    const { fetch, close } = closableFetch((input, init) => this.waitFor(() => service(input, init)));
    this.time = time;
    this.clock = clock;
    this.fetch = fetch;
    this.#closeFetch = close;
    this.#onThrown = onThrown;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves when the program has ended. */
  get ended(): Promise<"ended"> {
    return this.#end.promise;
  }

  /** Ends the program: its memory is lost, and everything that it began stops. */
  end(): void {
    this.#isAlive = false;
    this.#closeFetch();
    this.#end.resolve("ended");
    for (const callOff of this.#atEnd) callOff();
    this.#atEnd.clear();
  }

  nextTimerId(): number {
    this.#lastTimerId -= 1;
    return this.#lastTimerId;
  }

  /**
   * Notes that the program asks for another turn of the event loop.
   * @returns false where it gets none: it has ended, and its chain of turns has not
   */
  asksForTurn(kind: "immediate" | "message", what: string | undefined): boolean {
    const { asked, messages } = this.turns;
    this.turns = { asked: asked + 1, messages: messages + (kind === "message" ? 1 : 0), what };
    return this.#isAlive || asked < MOST_TURNS;
  }

  /** Receives an uncaught error of the program, and returns whether it was handled. Errors of a dead program are dropped. */
  threw(error: unknown): boolean {
    if (!this.#isAlive) return true;
    this.#onThrown?.(error);
    return this.#onThrown !== undefined;
  }

  /**
   * Calls back when the program ends.
   * @returns a function that cancels the callback
   */
  atEnd(callOff: () => void): () => void {
    this.#atEnd.add(callOff);
    return () => this.#atEnd.delete(callOff);
  }

  run<Result>(cause: Omit<Cause, "waiting">, work: (cause: Cause) => Result): Result {
    const begun = { ...cause, waiting: 0 };
    merchantWork.begins(cause.what);
    return doing.run({ process: this, cause: begun }, () => work(begun));
  }

  /** Waits for something on behalf of the merchant. If the program ends first, the wait never ends. */
  async waitFor<Result>(wait: () => Promise<Result>): Promise<Result> {
    const cause = doing.value?.cause;
    merchantWork.ends();
    if (cause !== undefined) cause.waiting += 1;
    const result = await wait().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (!this.#isAlive) return never();
    if (cause !== undefined) cause.waiting -= 1;
    merchantWork.begins(cause?.what);
    if ("error" in result) throw result.error;
    return result.value;
  }
}

/**
 * Returns a promise that never settles. Each call makes a new one, because a shared promise would keep everything that ever waited for it
 * in memory.
 */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * Returns a `fetch` that can be closed. Once closed it holds nothing, because clients may keep it as long as the process lives: axios keeps
 * every `fetch` that it is given.
 */
function closableFetch(fetch: typeof globalThis.fetch): { readonly fetch: typeof fetch; readonly close: () => void } {
  let open: typeof fetch | undefined = fetch;
  return {
    fetch: async (input, init) => open?.(input, init) ?? never(),
    close: () => {
      open = undefined;
    },
  };
}

/** Why a request got no answer: its program ended, or never answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
