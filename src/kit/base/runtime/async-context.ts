/** A value that belongs to a piece of work, and to everything that the work begins and awaits. */
export interface AsyncContext<Value> {
  run<Result>(value: Value | undefined, work: () => Result): Result;
  /** The value of the running work; always undefined in a process without async contexts, such as a browser. */
  readonly value: Value | undefined;
}

/** Opens a context with Node's `AsyncLocalStorage`, where it exists. */
export function asyncContext<Value>(): AsyncContext<Value> {
  const hooks = builtin();
  if (hooks === undefined) return { run: (_, work) => work(), value: undefined };
  const storage = new hooks.AsyncLocalStorage<Value | undefined>();
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

function builtin() {
  return globalThis.process?.getBuiltinModule?.("node:async_hooks");
}
