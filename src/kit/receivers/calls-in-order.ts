import { realTime } from "../base/runtime/real-time.ts";
import type { WorkReport } from "./work-report.ts";

interface HeldCall {
  readonly text: string;
  readonly report: WorkReport;
  readonly go: () => void;
}

/** Holds calls that come in an order of real time, and releases them in the order of their texts. */
export class CallsInOrder {
  #held: HeldCall[] = [];
  #since = 0;

  get count(): number {
    return this.#held.length;
  }

  /** How long the calls have waited for the next release, in milliseconds of real time. */
  get waited(): number {
    return realTime() - this.#since;
  }

  /** Lets `waited` count from now. */
  waitAnew(): void {
    this.#since = realTime();
  }

  /**
   * Holds a call until its turn comes.
   * @param text what the call says
   * @param report learns of an order that had to be fixed
   */
  hold(text: string, report: WorkReport): Promise<void> {
    if (this.#held.length === 0) this.waitAnew();
    return new Promise((go) => this.#held.push({ text, report, go }));
  }

  /** Releases the call whose text comes first in the order of its characters. */
  releaseFirst(): void {
    const [first, ...others] = this.#held.toSorted((left, right) => (left.text < right.text ? -1 : 1));
    this.#held = others;
    this.waitAnew();
    if (others.length > 0) first?.report.inOrderOfRealTime(true);
    first?.go();
  }

  /** Releases every call in the order in which they came. */
  releaseAll(): void {
    for (const { report, go } of this.#held.splice(0)) {
      report.inOrderOfRealTime(false);
      go();
    }
  }
}
