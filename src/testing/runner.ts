import type { TestInSuite } from "./shake/run-folder.ts";
import { vitestTestInSuite } from "./shake/vitest-task.ts";
import type { VitestTask } from "./shake/vitest-task.ts";

/** What a runner says about the test that it is running. */
export interface RunningTest {
  /** The test's full name. */
  readonly title?: string;
  /** The file of the test. */
  readonly file?: string;
  /** What tells it from all others of its suite, if the runner says more of it than this. */
  readonly inSuite?: Omit<TestInSuite, "ordinal">;
  /** How long the test may take, in milliseconds of real time. */
  readonly timeout?: number;
  /** What it makes anew for each of its runs, if it runs several in a process. */
  readonly run?: object;
}

/** The property of the global object in which Jest keeps its state. */
const JEST_STATE = "JEST_STATE_SYMBOL";

interface JestState {
  readonly currentlyRunningTest?: {
    readonly name: string;
    readonly timeout?: number;
    readonly parent?: JestBlock;
  } | null;
  readonly testTimeout?: number;
}

interface JestBlock {
  readonly name: string;
  readonly parent?: JestBlock;
}

interface MochaSuite {
  readonly parent?: MochaSuite;
}

interface MochaContext {
  readonly test?: { fullTitle(): string; readonly file?: string; readonly parent?: MochaSuite };
  timeout(): number;
}

/**
 * Asks the runner which test it is running. Mocha says so in the `this` of the test function, node:test and vitest in its argument, and
 * Jest in the state it keeps on the global object.
 */
export function runningTest(context: unknown, [argument]: readonly unknown[]): RunningTest {
  if (isMochaContext(context)) {
    const { test } = context;
    if (test === undefined) return { timeout: context.timeout() };
    const run = rootOf(test.parent);
    const { file } = test;
    return { timeout: context.timeout(), title: test.fullTitle(), ...(file && { file }), ...(run && { run }) };
  }
  if (argument === undefined || argument === null) return testOfJest() ?? {};
  const { fullName, filePath, task } = argument as {
    readonly fullName?: unknown;
    readonly filePath?: unknown;
    readonly task?: Partial<VitestTask> & { readonly timeout?: unknown };
  };
  const title = fullName ?? task?.name;
  const file = filePath ?? task?.file?.name;
  const timeout = task?.timeout;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof timeout === "number" ? { timeout } : {}),
    ...(task?.file && { run: task.file, inSuite: vitestTestInSuite(task as VitestTask) }),
  };
}

function rootOf(suite: MochaSuite | undefined): MochaSuite | undefined {
  return suite?.parent === undefined ? suite : rootOf(suite.parent);
}

function isMochaContext(context: unknown): context is MochaContext {
  if (typeof context !== "object" || context === null || !("timeout" in context)) return false;
  const { test } = context as { readonly test?: { readonly fullTitle?: unknown } };
  return typeof context.timeout === "function" && (test === undefined || typeof test.fullTitle === "function");
}

function testOfJest(): RunningTest | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === JEST_STATE);
  const state = symbol === undefined ? undefined : (Reflect.get(globalThis, symbol) as JestState | undefined);
  const running = state?.currentlyRunningTest;
  if (running === undefined || running === null) return undefined;
  const names = [running.name];
  for (let block = running.parent; block?.parent !== undefined; block = block.parent) names.unshift(block.name);
  const timeout = running.timeout ?? state?.testTimeout;
  const file = fileOfJest();
  return {
    title: names.join(" "),
    ...(file === undefined ? {} : { file }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/** Jest's `expect` knows the file, unless the user keeps it out of the global object. */
function fileOfJest(): string | undefined {
  const { expect } = globalThis as { readonly expect?: { getState?(): { readonly testPath?: unknown } } };
  const path = expect?.getState?.().testPath;
  return typeof path === "string" ? path : undefined;
}
