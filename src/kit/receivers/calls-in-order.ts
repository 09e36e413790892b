import type { WorkReport } from "./work-report.ts";

interface HeldCall {
  readonly text: string;
  readonly report: WorkReport;
  readonly go: () => void;
}

/** Holds calls that come in an order of real time, and releases them in the order of their texts. */
export class CallsInOrder {
  #held: HeldCall[] = [];

  get count(): number {
    return this.#held.length;
  }

  /**
   * Holds a call until its turn comes.
   * @param text what the call says
   * @param report learns of an order that had to be fixed
   */
  hold(text: string, report: WorkReport): Promise<void> {
    return new Promise((go) => this.#held.push({ text, report, go }));
  }

  /** Releases the call whose text comes first in the order of its characters. */
  releaseFirst(): void {
    const [first, ...others] = this.#held.toSorted((left, right) => (left.text < right.text ? -1 : 1));
    this.#held = others;
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
