import { durationMilliseconds } from "../../kit/engine/duration.ts";
import type { DurationLike } from "../../kit/engine/duration.ts";
import { timeoutSignal } from "../../merchant/process/merchant-timers.ts";
import { placeAfter } from "../../kit/engine/sorted-by-moment.ts";

interface Alarm {
  readonly at: number;
  /** Undefined once it is called off. */
  ring: (() => void) | undefined;
}

/** How far the merchant's clock may run ahead while the service waits for an answer: as long as the service waits (`webhook.timeout`). */
const LONGEST_LEAD = 30_000;

/**
 * The merchant's time. It follows the service's clock, and runs ahead only while that clock waits for the merchant's
 * answer, so that a handler can pause.
 */
export class MerchantTime {
  readonly #serviceNow: () => number;
  #ahead = 0;
  readonly #alarms: Alarm[] = [];
  #activeAt: number;

  /** @param serviceNow the service's time, in milliseconds since 1970 */
  constructor(serviceNow: () => number) {
    this.#serviceNow = serviceNow;
    this.#activeAt = this.now;
  }

  /** Notes that something has reached the merchant. */
  stir(): void {
    this.#activeAt = this.now;
  }

  /** How long nothing has reached the merchant, in milliseconds. */
  get quiet(): number {
    return this.now - this.#activeAt;
  }

  /** In milliseconds since 1970. */
  get now(): number {
    return Math.max(this.#serviceNow(), this.#ahead);
  }

  /** The moment of the next alarm, in milliseconds since 1970. */
  get next(): number {
    while (this.#alarms.length > 0 && this.#alarms[0]?.ring === undefined) this.#alarms.shift();
    return this.#alarms[0]?.at ?? Infinity;
  }

  /**
   * Calls back after some time.
   * @returns a function that cancels the call
   */
  after(duration: DurationLike | number, ring: () => void): () => void {
    const milliseconds = typeof duration === "number" ? Math.max(0, duration) : durationMilliseconds(duration);
    const alarm: Alarm = { at: this.now + milliseconds, ring };
    this.#alarms.splice(placeAfter(this.#alarms, alarm.at), 0, alarm);
    return () => {
      alarm.ring = undefined;
    };
  }

  /** Returns a signal that aborts after some time, as `AbortSignal.timeout` does. */
  signalAfter(duration: DurationLike | number): AbortSignal {
    return timeoutSignal((abort) => this.after(duration, abort));
  }

  /** Rings the next alarm if it is due, and returns whether it did. */
  ringDue(): boolean {
    if (this.next > this.now) return false;
    this.#alarms.shift()?.ring?.();
    return true;
  }

  /** Jumps to the next alarm ahead of the service's clock. Returns false when that is too far ahead. */
  runAhead(): boolean {
    if (this.next - this.#serviceNow() > LONGEST_LEAD) return false;
    this.#ahead = this.next;
    return this.ringDue();
  }
}
