import { testOfNow } from "../kit/base/runtime/test-context.ts";
import { textOf } from "../kit/base/errors/thrown-values.ts";

/** How many errors are kept. The first ones are enough to find the cause. */
const MOST_ERRORS = 20;

/**
 * Notes what no code caught, except the code that a test left running when it was over. It changes nothing of what becomes of it: Node asks
 * only whether anybody listens for rejections, so this listens for them only if the runner does.
 */
export class UncaughtErrors {
  readonly noted: string[] = [];
  readonly #events: readonly string[];
  readonly #note = (error: unknown): void => {
    // Node calls listeners in the context of the work that failed.
    if (testOfNow()?.isOver === true) return;
    if (this.noted.length < MOST_ERRORS) this.noted.push(textOf(error));
  };

  constructor() {
    const listens = (globalThis.process?.listenerCount?.("unhandledRejection") ?? 0) > 0;
    // Without a listener for rejections, Node makes uncaught errors of them.
    this.#events = listens ? ["unhandledRejection", "uncaughtExceptionMonitor"] : ["uncaughtExceptionMonitor"];
    for (const event of this.#events) globalThis.process?.on?.(event, this.#note);
  }

  stop(): void {
    for (const event of this.#events) globalThis.process?.off?.(event, this.#note);
  }
}
