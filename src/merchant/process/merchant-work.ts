import { isInterrupting } from "../../kit/base/runtime/loops.ts";
import { realTime } from "../../kit/base/runtime/real-time.ts";

interface Place {
  readonly what: string;
  readonly isOfMerchant: boolean;
}

/** Measures how long the merchant's own program works, as far as the exam sees its work begin and end. */
class MerchantWork {
  #milliseconds = 0;
  #since: number | undefined;
  #place: Place | undefined;

  /**
   * What ran last, of the merchant's program or of the functions that the exam was given. Where a loop is interrupted, that is its place
   * until it is told of, whatever runs meanwhile.
   */
  get place(): Place | undefined {
    return this.#place;
  }

  /** In milliseconds of real time, since the process began. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** @param place what the program does, for what is told of it */
  begins(place?: string): void {
    this.#since ??= realTime();
    if (place !== undefined) this.#goesTo({ what: place, isOfMerchant: true });
  }

  /** @param what a function that the exam was given, such as `books`, which runs now instead of the merchant's program */
  leavesFor(what: string): void {
    this.#goesTo({ what, isOfMerchant: false });
  }

  #goesTo(place: Place): void {
    if (!isInterrupting()) this.#place = place;
  }

  ends(): void {
    if (this.#since === undefined) return;
    this.#milliseconds += realTime() - this.#since;
    this.#since = undefined;
  }
}

/** The measurement of the merchant under examination. It is global because the exams of a process take turns. */
export const merchantWork = new MerchantWork();
