import { createHook } from "node:async_hooks";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";

/** A timer that code of the test set, and that real time has not brought yet. */
export interface RealTimer {
  /** In milliseconds. */
  readonly delay: number;
  readonly repeats: boolean;
  /** The file and line that set it, where one of the test's own did. */
  readonly setAt: string | undefined;
  /** When it would have rung on the virtual clock, in milliseconds since 1970. */
  readonly due: number;
}

/** Shorter timers are those of clients and pools. What plans further ahead, such as croner, asks the time twice a minute. */
const SHORTEST = 30_000;
const MOST_FRAMES = 20;

/** What Node keeps in a timer. Its documentation names no other way to see one. */
interface TimerResource {
  readonly _idleTimeout?: number;
  readonly _repeat?: unknown;
}

/** Watches the long timers that code sets while the clock moves virtual time. */
export class RealTimers {
  readonly #open = new Map<number, RealTimer>();
  readonly #hook: ReturnType<typeof createHook>;

  /** @param now returns the virtual time in milliseconds since 1970 */
  constructor(now: () => number) {
    this.#hook = createHook({
      init: (id, type, _, resource) => {
        if (type !== "Timeout") return;
        const { _idleTimeout: delay = 0, _repeat } = resource as TimerResource;
        if (delay < SHORTEST) return;
        const starters = framesOfStarters();
        if (starters === undefined) return;
        const repeats = _repeat !== null && _repeat !== undefined;
        this.#open.set(id, { delay, repeats, setAt: placeIn(starters), due: now() + delay });
      },
      destroy: (id) => this.#open.delete(id),
      // Without this, every promise of the process would call the hook.
      trackPromises: false,
    }).enable();
  }

  /** Returns the timers that the virtual clock has passed by, soonest first. */
  async passedBy(now: number): Promise<readonly RealTimer[]> {
    // Node reports the end of a timer only in a later turn.
    await nextMacrotask();
    return [...this.#open.values()].filter(({ due }) => due <= now).toSorted((left, right) => left.due - right.due);
  }

  stop(): void {
    this.#hook.disable();
    this.#open.clear();
  }
}

/** Returns the frames from the code that set the timer on; undefined if Node itself did. */
function framesOfStarters(): readonly string[] | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MOST_FRAMES;
  const { stack = "" } = new Error("Who starts a timer?");
  Error.stackTraceLimit = stackTraceLimit;
  const frames = stack.split("\n");
  const called = frames.findLastIndex((frame) => /at (?:new )?(?:Timeout|setTimeout|setInterval)\b.*node:/.test(frame));
  const starters = frames.slice(called + 1);
  return called === -1 || /\bnode:/.test(starters[0] ?? "node:") ? undefined : starters;
}

function placeIn(starters: readonly string[]): string | undefined {
  const own = starters.find((frame) => !/node_modules|\bnode:/.test(frame)) ?? "";
  return /([^/\\(]+:\d+):\d+\)?$/.exec(own)?.[1];
}
