import { CentavoError } from "../base/errors/centavo-error.ts";
import { messageOf } from "../base/errors/thrown-values.ts";
import { toTimestamp } from "./timestamp.ts";

/** Failures while a driver moved the clock. No code awaited them, so they wait for a call of the test that can throw them. */
export class UnawaitedFailures {
  #first: { readonly error: unknown; readonly at: number; readonly clock: string } | undefined;
  #later = 0;

  /**
   * @param at the virtual time in milliseconds since 1970-01-01T00:00:00Z
   * @param clock what messages call the clock that moved
   */
  add(error: unknown, at: number, clock = "auto"): void {
    if (this.#first === undefined) this.#first = { error, at, clock };
    else this.#later += 1;
  }

  /**
   * Throws at the beginning of a call, once for everything that failed since the last call.
   * @param call the call's name in the message, such as `clock.settle()`
   * @throws {CentavoError} `CLOCK_AUTO_FAILED`, whose cause is the first failure
   */
  throwBefore(call: string): void {
    this.#throw(`${call} has done nothing yet: fix the failure, or call it again to go on.`);
  }

  /** Throws at the end of a call that must first do its work, such as `sim.close()`. */
  throwAfter(call: string): void {
    this.#throw(`${call} has done its work all the same; fix the failure.`);
  }

  #throw(wayOut: string): void {
    const first = this.#first;
    if (first === undefined) return;
    const later = this.#later === 0 ? "" : ` ${this.#later} more followed.`;
    this.#first = undefined;
    this.#later = 0;
    throw new CentavoError(
      "CLOCK_AUTO_FAILED",
      `The ${first.clock} clock failed at ${toTimestamp(first.at)}, when no call awaited it: ${messageOf(first.error).replace(/\.$/, "")}.${later} sim.journal has every failure. ${wayOut}`,
      { cause: first.error },
    );
  }
}
