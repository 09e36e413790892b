import type { AsyncHook } from "node:async_hooks";
import { delayOf, isOver, repeats } from "../kit/base/runtime/node-timers.ts";
import type { Engine } from "../kit/engine/engine.ts";
import { isAppRunning } from "../kit/receivers/app-work.ts";

/** A timer that code of the test set, and that real time did not bring in time. */
export interface RealTimer {
  /** In milliseconds. */
  readonly delay: number;
  readonly repeats: boolean;
  /** The file and line that set it, where one of the test's own did. */
  readonly setAt: string | undefined;
}

interface OpenTimer extends RealTimer {
  /** When it would have rung on the virtual clock, in milliseconds since 1970. */
  readonly due: number;
  readonly resource: object;
  /** Whether an app set it while it handled a request, or afterwards, and not a library. */
  readonly isOfApp: boolean;
}

/** Shorter timers are those of clients and pools. What plans further ahead, such as croner, asks the time twice a minute. */
const SHORTEST = 30_000;
const MOST_FRAMES = 20;

/** Watches the long timers that code sets in real time, while the clock moves virtual time. */
export class RealTimers {
  readonly #open = new Map<number, OpenTimer>();
  /** Undefined in a process without `node:async_hooks`, such as a browser. */
  readonly #hook: AsyncHook | undefined;
  readonly #stopListening: () => void;
  /** The timers that the virtual clock has passed by, as it did. */
  readonly passedBy: RealTimer[] = [];

  /** @param patience how long the clock waits for an app's timer, in milliseconds */
  constructor(engine: Pick<Engine, "now" | "onMove">, patience: number) {
    const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
    this.#hook = hooks?.createHook({
      init: (id, type, _, resource) => {
        if (type !== "Timeout") return;
        const delay = delayOf(resource);
        const isOfApp = delay > patience && isAppRunning();
        if (delay < SHORTEST && !isOfApp) return;
        const starters = framesOfStarters();
        if (starters === undefined) return;
        this.#open.set(id, {
          delay,
          repeats: repeats(resource),
          setAt: placeIn(starters),
          due: engine.now + delay,
          resource,
          isOfApp: isOfApp && !starters[0]?.includes("node_modules"),
        });
      },
      destroy: (id) => this.#open.delete(id),
      // Without this, every promise of the process would call the hook.
      trackPromises: false,
    });
    this.#hook?.enable();
    this.#stopListening = engine.onMove((now) => {
      for (const [id, { due, resource, isOfApp: _, ...timer }] of this.#open) {
        if (due > now || timer.delay < SHORTEST || isOver(resource)) continue;
        this.passedBy.push(timer);
        this.#open.delete(id);
      }
    });
  }

  /** The timers of apps that have not rung. */
  get ofApps(): readonly RealTimer[] {
    return [...this.#open.values()].filter(
      ({ isOfApp, resource, repeats: isInterval }) => isOfApp && !isInterval && !isOver(resource),
    );
  }

  stop(): void {
    this.#hook?.disable();
    this.#stopListening();
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
  const called = frames.findLastIndex((frame) =>
    /^\s*at (?:new |\w+\.)?(?:Timeout|setTimeout|setInterval|wait) \(node:(?:internal\/)?timers/.test(frame),
  );
  const starters = frames.slice(called + 1);
  return called === -1 || /\bnode:/.test(starters[0] ?? "node:") ? undefined : starters;
}

function placeIn(starters: readonly string[]): string | undefined {
  const own = starters.find((frame) => !/node_modules|\bnode:|<anonymous>/.test(frame)) ?? "";
  return /^(.+:\d+):\d+\)?$/.exec(own.split(/[/\\(]/).at(-1) ?? "")?.[1];
}
