import type { AsyncHook } from "node:async_hooks";

/** A value that belongs to a piece of work, and to everything that the work begins and awaits. */
export interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  /** The value of the running work; always undefined in a process without async contexts, such as a browser. */
  readonly value: Value | undefined;
}

/** Opens a context with Node's `AsyncLocalStorage`, where it exists. */
export function asyncContext<Value>(): AsyncContext<Value> {
  const hooks = builtin();
  if (hooks === undefined) return { run: (_, work) => work(), value: undefined };
  const storage = new hooks.AsyncLocalStorage<Value>();
  return {
    run: (value, work) => storage.run(value, work),
    get value() {
      return storage.getStore();
    },
  };
}

/** Returns a function that runs work in the context of this call, with the values of every context that the process has. */
export function contextOfNow(): <Result>(work: () => Result) => Result {
  return builtin()?.AsyncLocalStorage.snapshot() ?? ((work) => work());
}

/**
 * Returns the number of this moment. Later moments have higher numbers, and the async resources of the process are numbered in the same sequence.
 * Always 0 in a process without `node:async_hooks`.
 */
export function asyncMoment(): number {
  const hooks = builtin();
  return hooks === undefined ? 0 : new hooks.AsyncResource("Centavo").asyncId();
}

/** Returns the async resource of the running callback. */
export function resourceOfNow(): object | undefined {
  return builtin()?.executionAsyncResource();
}

/** Returns the number of the moment at which the async resource of the running callback was made. */
export function momentOfResource(): number {
  return builtin()?.executionAsyncId() ?? 0;
}

/** Learns of timers and immediates, each under a number of its own. */
export interface TimerWatcher {
  /** @param delay in milliseconds of real time */
  began(id: number, delay: number): void;
  ended(id: number): void;
}

interface TimerResource {
  readonly _idleTimeout?: number;
  readonly _repeat?: unknown;
}

/**
 * Watches the one-shot timers and the immediates that the process starts. Node's documentation names no other way to see them.
 * @returns undefined in a process without `node:async_hooks`; the hook watches only while it is enabled
 */
export function watchTimers(watcher: TimerWatcher): AsyncHook | undefined {
  const hooks = builtin();
  if (hooks === undefined) return undefined;
  const callbacks = {
    init(id: number, type: string, _: number, resource: object): void {
      if (type === "Immediate") watcher.began(id, 0);
      else if (type === "Timeout") {
        const { _idleTimeout = 0, _repeat } = resource as TimerResource;
        // An interval never ends by itself.
        if (_repeat === null || _repeat === undefined) watcher.began(id, _idleTimeout);
      }
    },
    destroy: (id: number) => watcher.ended(id),
    // Without this, every promise of the process would call the hook.
    trackPromises: false,
  };
  return hooks.createHook(callbacks);
}

function builtin() {
  return globalThis.process?.getBuiltinModule?.("node:async_hooks");
}
