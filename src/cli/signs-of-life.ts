import { performance } from "node:perf_hooks";
import type { Tell } from "./story-messages.ts";

const BETWEEN_SIGNS = 200;

/** Tells again and again that the process is alive, and how far the clock of its story has come. */
export class SignsOfLife {
  readonly #tell: Tell;
  #told = performance.now();
  #timers = 0;
  #moment = "";

  constructor(tell: Tell) {
    this.#tell = tell;
    setInterval(() => this.#sign(), BETWEEN_SIGNS);
  }

  /** Starts counting for a new story, whose first move is told at once. */
  begin(): void {
    this.#told = -Infinity;
    this.#timers = 0;
    this.#moment = "";
  }

  /** Counts a timer that has run. A clock that runs long holds up all timers of the process, and with them the other signs. */
  moved(moment: string): void {
    this.#timers += 1;
    this.#moment = moment;
    if (performance.now() - this.#told >= BETWEEN_SIGNS) this.#sign();
  }

  #sign(): void {
    this.#told = performance.now();
    void this.#tell({ kind: "alive", timers: this.#timers, moment: this.#moment });
  }
}
