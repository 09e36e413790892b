import { textOf } from "../base/errors/thrown-values.ts";
import { nameOf } from "./exchange.ts";

/** Writes warnings about what an app does after its answer. */
export class WorkReport {
  readonly #origin: string;
  readonly #request: Request;
  readonly #warn: (message: string) => void;

  constructor(origin: string, request: Request, warn: (message: string) => void) {
    this.#origin = origin;
    this.#request = request;
    this.#warn = warn;
  }

  get #app(): string {
    return `the app at ${this.#origin}`;
  }

  get #answer(): string {
    return `after its answer to ${nameOf(this.#request)}`;
  }

  /** The clock goes on although the app still waits for something of these kinds. */
  leftOpen(kinds: readonly string[]): void {
    this.#warn(
      `the clock goes on although ${this.#app} still works ${this.#answer}: it waits for ${kinds.join(", ")}; if that leads to calls, two runs may differ`,
    );
  }

  /**
   * Jobs call the service in an order of real time.
   * @param isFixed whether their calls are answered in an order that is always the same
   */
  inOrderOfRealTime(isFixed: boolean): void {
    const order = isFixed
      ? "here their calls have a fixed order, in production they do not"
      : "they wait for each other, so two runs may differ";
    this.#warn(
      `jobs of ${this.#app}, ${this.#answer}, end in the order of real time and then call the service; ${order}`,
    );
  }

  /** A promise that the app handed over was rejected. */
  rejected(reason: unknown): void {
    this.#warn(`a promise that ${this.#app} handed over ${this.#answer} was rejected: ${textOf(reason)}`);
  }
}
