import { CentavoError } from "../../errors/centavo-error.ts";
import { asyncContext } from "../../runtime/async-context.ts";
import { endsWithin } from "../../runtime/real-time.ts";
import type { MerchantTimer } from "./merchant-timers.ts";
import type { MerchantTime } from "./merchant-time.ts";
import { merchantWork } from "./merchant-work.ts";

/** How long `open` may take, in milliseconds of real time. */
const LONGEST_START = 5000;

/** Why the merchant does something. */
export interface Cause {
  /** `act`: a customer asked for it. `event`: the service delivered something. `job`, `open` and `books` are the merchant's own. */
  readonly kind: "act" | "event" | "job" | "open" | "books";
  /** The id that the customer's act is about. */
  readonly id?: string;
  /** How much of it waits for something that the exam gives it. */
  waiting: number;
}

/** Something that the merchant does now. */
export interface Doing {
  readonly process: MerchantProcess;
  readonly cause: Cause;
}

/** What the code that runs now is part of. */
export const doing = asyncContext<Doing>();

/** One run of the merchant's program, from its start to its end. What it tries afterwards reaches nobody. */
export class MerchantProcess {
  readonly time: MerchantTime;
  /** The program's way to the service. */
  readonly fetch: typeof globalThis.fetch;
  /** The timers that the program knows by their numbers. */
  readonly timers = new Map<number, MerchantTimer>();
  #lastTimerId = 0;
  readonly #onThrown: (error: unknown) => void;
  #isAlive = true;
  readonly #end = Promise.withResolvers<"ended">();
  readonly #calledOff = new Set<() => void>();

  /** @param onThrown called with what the living program threw where nobody caught it */
  constructor({
    time,
    fetchOf,
    onThrown,
  }: {
    readonly time: MerchantTime;
    readonly fetchOf: (process: MerchantProcess) => typeof globalThis.fetch;
    readonly onThrown: (error: unknown) => void;
  }) {
    this.time = time;
    this.fetch = fetchOf(this);
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
    this.#end.resolve("ended");
    for (const callOff of this.#calledOff) callOff();
  }

  nextTimerId(): number {
    this.#lastTimerId -= 1;
    return this.#lastTimerId;
  }

  /** Takes what the program threw where nobody caught it. What a dead program throws disturbs nobody. */
  threw(error: unknown): void {
    if (this.#isAlive) this.#onThrown(error);
  }

  /**
   * Calls back after some time, in milliseconds, unless the program has ended by then.
   * @returns a function that calls it off
   */
  after(milliseconds: number, ring: () => void): () => void {
    if (!this.#isAlive) return () => undefined;
    const callOff = (): void => {
      stop();
      this.#calledOff.delete(callOff);
    };
    const stop = this.time.after(milliseconds, () => {
      this.#calledOff.delete(callOff);
      merchantWork.begins();
      ring();
    });
    this.#calledOff.add(callOff);
    return callOff;
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
    if (!this.#isAlive) return forEver;
    if (cause !== undefined) cause.waiting -= 1;
    merchantWork.begins();
    if ("error" in result) throw result.error;
    return result.value;
  }
}

const forEver = new Promise<never>(() => undefined);

/** Why a request got no answer: the program that had it ended, or it never answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Waits for `open` when it takes real time, as with files and databases.
 * @throws {CentavoError} `INVALID_OPTION` when it takes too long
 */
export async function opensInTime(opened: Promise<unknown>): Promise<void> {
  if (await endsWithin(opened, LONGEST_START)) return;
  throw new CentavoError(
    "INVALID_OPTION",
    "exam: open did not return the app within two minutes of virtual time, nor within five seconds of real time. It waits for something that never comes; start only what an app needs to answer.",
  );
}
