import { onTestFinished, vi } from "vitest";
import { wallTime } from "../../src/kit/base/runtime/real-time.ts";
import type { RealTime } from "../../src/kit/base/runtime/real-time.ts";

interface Ringing {
  readonly at: number;
  readonly callback: () => void;
}

/** Lets code act that waits for nothing but the event loop. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Real time that passes when the test says so. */
export class WoundTime implements RealTime {
  #wall = Date.parse("2026-11-26T12:00:00Z");
  /** The time by which timers ring. A jump of the wall clock leaves it alone. */
  #steady = 0;
  readonly timers = new Set<Ringing>();

  readonly now = (): number => this.#wall;

  readonly startTimer: RealTime["startTimer"] = (milliseconds, callback) => {
    if (milliseconds > 2 ** 31 - 1) throw new RangeError("setTimeout would ring at once");
    const timer = { at: this.#steady + milliseconds, callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  };

  /** Lets this much time pass, in milliseconds. Timers ring at their moments, and what they start has its turns. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#steady + milliseconds;
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#move(Math.max(0, next.at - this.#steady));
      this.timers.delete(next);
      next.callback();
      await turns();
    }
    this.#move(end - this.#steady);
    await turns();
  }

  /** Lets time pass while the process has no turn, or the machine sleeps. A negative number sets the wall clock back. */
  jump(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  #move(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#steady += milliseconds;
  }

  #next(): Ringing | undefined {
    return [...this.timers].toSorted((left, right) => left.at - right.at)[0];
  }
}

/** Puts wound time in the place of real time, until the test is over. */
export function woundTime(): WoundTime {
  const time = new WoundTime();
  const spies = [
    vi.spyOn(wallTime, "now").mockImplementation(time.now),
    vi.spyOn(wallTime, "startTimer").mockImplementation(time.startTimer),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return time;
}
