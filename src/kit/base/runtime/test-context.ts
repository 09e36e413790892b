import type { AsyncLocalStorage } from "node:async_hooks";

/** A test, for the code that it runs, and for what that code leaves running. */
export interface TestContext {
  readonly name: string;
  isOver: boolean;
}

/** Copies of this module, such as that of CommonJS and those of Jest's files, share what they keep on the class. */
const SHARED = Symbol.for("centavo.test-context");

/** Returns the test whose code runs now, or whose timers and promises do. */
export function testOfNow(): TestContext | undefined {
  return storage()?.getStore();
}

/** Runs code of a test. */
export function runInTest<Result>(test: TestContext, code: () => Result): Result {
  const contexts = storage();
  return contexts === undefined ? code() : contexts.run(test, code);
}

/** Treats everything that the caller does from now on as code of a test, for a runner that calls the test itself. */
export function continueInTest(test: TestContext): void {
  storage()?.enterWith(test);
}

function storage(): AsyncLocalStorage<TestContext> | undefined {
  const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
  if (hooks === undefined) return undefined;
  const shared = hooks.AsyncLocalStorage as typeof AsyncLocalStorage & { [SHARED]?: AsyncLocalStorage<TestContext> };
  return (shared[SHARED] ??= new hooks.AsyncLocalStorage());
}
