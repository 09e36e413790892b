import { asyncContext } from "../../kit/base/runtime/async-context.ts";
import type { MerchantTimer, VirtualTime } from "./merchant-timers.ts";
import { merchantWork } from "./merchant-work.ts";

/** Why the merchant does something. */
export interface Cause {
  /** `act`: a customer asked for it. `event`: the service delivered something. `job`, `open` and `books` are the merchant's own. */
  readonly kind: "act" | "event" | "job" | "open" | "books";
  /** The id that the customer's act is about. */
  readonly id?: string;
  /** How many parts of it wait for something from outside the program. */
  waiting: number;
}

/** Something that the merchant does now. */
export interface Doing {
  readonly process: MerchantProcess;
  readonly cause: Cause;
}

/** The work to which the running code belongs. */
export const doing = asyncContext<Doing>();

/** The run of the merchant's program that goes on now. */
export interface Running {
  process?: MerchantProcess | undefined;
}

/**
 * Returns a `fetch` for any client of the process. Async context tells which run of the program makes a call. Where a client has lost the
 * context, the call belongs to the current run.
 * @param whileNoneRuns answers calls without a run while no program runs; by default they get no answer
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

/** Takes the uncaught errors of programs before the process does. For `takeUnhandled`. */
export function takeThrown(error: unknown): boolean {
  return doing.value?.process.threw(error) ?? false;
}

/** One run of the merchant's program, from its start to its end. What it tries afterwards has no effect. */
export class MerchantProcess {
  /** The time of the program's timers; undefined where they keep the time of the process. */
  readonly time: VirtualTime | undefined;
  /** The program's way to the service. */
  readonly fetch: typeof globalThis.fetch;
  /** The timers that the program knows by their numbers. */
  readonly timers = new Map<number, MerchantTimer>();
  #lastTimerId = 0;
  readonly #onThrown: ((error: unknown) => void) | undefined;
  readonly #closeFetch: () => void;
  #isAlive = true;
  readonly #end = Promise.withResolvers<"ended">();
  readonly #atEnd = new Set<() => void>();

  /**
   * @param fetchOf returns the program's way to the service, which is closed to it once it has ended
   * @param onThrown called with each uncaught error of the running program; without it, the process gets the error
   */
  constructor({
    time,
    fetchOf,
    onThrown,
  }: {
    readonly time?: VirtualTime;
    readonly fetchOf: (process: MerchantProcess) => typeof globalThis.fetch;
    readonly onThrown?: (error: unknown) => void;
  }) {
    const service = fetchOf(this);
    const { fetch, close } = closableFetch((input, init) => this.waitFor(() => service(input, init)));
    this.time = time;
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

  /** Ends the program: its memory is gone, and nothing that it began goes on. */
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

  /** Takes an uncaught error of the program, and returns whether it is dealt with. Errors of a dead program are dropped. */
  threw(error: unknown): boolean {
    if (!this.#isAlive) return true;
    this.#onThrown?.(error);
    return this.#onThrown !== undefined;
  }

  /**
   * Calls back when the program ends.
   * @returns a function that forgets the callback, for what has ended before
   */
  atEnd(callOff: () => void): () => void {
    this.#atEnd.add(callOff);
    return () => this.#atEnd.delete(callOff);
  }

  /** Runs the merchant's own code. */
  run<Result>(cause: Omit<Cause, "waiting">, work: (cause: Cause) => Result): Result {
    const begun = { ...cause, waiting: 0 };
    merchantWork.begins();
    return doing.run({ process: this, cause: begun }, () => work(begun));
  }

  /** Waits for something on behalf of the merchant. The wait never ends when the program ends first. */
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
    merchantWork.begins();
    if ("error" in result) throw result.error;
    return result.value;
  }
}

/**
 * Returns a promise that never settles. Each call makes a new one, because a shared promise would keep everything that ever waited for it
 * alive.
 */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * Returns a `fetch` that can be closed. Then it leads to nothing, because clients may keep it for as long as the process lives: axios keeps
 * every `fetch` that it has been given.
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

/** Why a request got no answer: the program that had it ended, or it never answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
