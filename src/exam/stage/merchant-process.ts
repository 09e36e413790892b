import { CentavoError } from "../../errors/centavo-error.ts";
import { asyncContext } from "../../runtime/async-context.ts";

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
  readonly number: number;
  #isAlive = true;
  readonly #end = Promise.withResolvers<"ended">();

  constructor(number: number) {
    this.number = number;
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
  }

  /** Runs the merchant's own code. */
  run<Result>(cause: Omit<Cause, "waiting">, work: (cause: Cause) => Result): Result {
    const begun = { ...cause, waiting: 0 };
    return doing.run({ process: this, cause: begun }, () => work(begun));
  }

  /** Waits for something on behalf of the merchant. The wait never ends when the program ends first. */
  async waitFor<Result>(wait: () => Promise<Result>): Promise<Result> {
    const cause = doing.value?.cause;
    if (cause !== undefined) cause.waiting += 1;
    const result = await wait().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (!this.#isAlive) return forEver;
    if (cause !== undefined) cause.waiting -= 1;
    if ("error" in result) throw result.error;
    return result.value;
  }
}

const forEver = new Promise<never>(() => undefined);

/** Why a request got no answer: the program that had it ended, or it never answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export function neverOpened(): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    "exam: open did not return the app within two minutes of virtual time. It waits for something that never comes; start only what an app needs to answer.",
  );
}
