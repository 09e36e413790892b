import { textOf } from "../base/errors/thrown-values.ts";
import type { VolatileOf } from "../engine/journal-entries.ts";

/** Takes a warning for the journal. */
export type Warn = (warning: VolatileOf<"warning">) => void;

/** Writes warnings about work that goes on, such as that of an app after its answer. */
export class WorkReport {
  readonly #who: string;
  readonly #after: string;
  readonly #warn: Warn;

  /**
   * @param who who works, such as `the app at https://shop.example`
   * @param after what the work follows, such as `its answer to POST https://shop.example/hooks`
   */
  constructor(who: string, after: string, warn: Warn) {
    this.#who = who;
    this.#after = after;
    this.#warn = warn;
  }

  /** The clock goes on although something of these kinds is still waited for. */
  leftOpen(kinds: readonly string[]): void {
    const [who, after] = [this.#who, this.#after];
    this.#warn({
      message: `the clock goes on although ${who} still works after ${after}: it waits for ${kinds.join(", ")}; if that leads to calls, two runs may differ`,
      leftOpen: { who, after, kinds },
    });
  }

  /**
   * Jobs call the service in an order of real time.
   * @param isFixed whether their calls are answered in an order that is always the same
   */
  inOrderOfRealTime(isFixed: boolean): void {
    const order = isFixed
      ? "here their calls have a fixed order, in production they do not"
      : "they wait for each other, so two runs may differ";
    this.#warn({
      message: `jobs of ${this.#who}, after ${this.#after}, end in the order of real time and then call the service; ${order}`,
    });
  }

  /** A promise that the app handed over was rejected. */
  rejected(reason: unknown): void {
    this.#warn({
      message: `a promise that ${this.#who} handed over after ${this.#after} was rejected: ${textOf(reason)}`,
    });
  }
}
