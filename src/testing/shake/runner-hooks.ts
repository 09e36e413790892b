import { runningTest } from "../runner.ts";
import { outcomeOf } from "./outcome-of-test.ts";
import type { TestOutcome } from "./test-record.ts";
import { projectNamed, vitestTestInSuite } from "./vitest-task.ts";
import type { VitestTask } from "./vitest-task.ts";
import type { TestOfRunner, WatchedTests } from "./watched-tests.ts";

type Hook = (this: unknown, ...given: readonly unknown[]) => unknown;
type AddHook = (hook: Hook) => unknown;

/** The functions of a runner that add hooks for all tests of a file. */
interface Hooks {
  readonly beforeEach: AddHook;
  readonly afterEach: AddHook;
  readonly afterAll: AddHook;
}

/** Reads the test from what a runner gives to a hook. */
type ReadTest = (context: unknown, given: readonly unknown[]) => TestOfRunner | undefined;

/** Where vitest keeps its own module, also where tests do not get its functions as globals. */
const VITEST = "__vitest_index__";
/** Where vitest keeps what it tells its worker. Before version 2, an assertion outside of tests knows no file. */
const VITEST_WORKER = "__vitest_worker__";
/** The description of the symbol under which Jest keeps its state. */
const JEST_STATE = "JEST_STATE_SYMBOL";

/** Mocha's root hooks, as a module that it requires exports them. */
export interface MochaHooks {
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
}

/**
 * Follows the tests of the runner that has loaded this module.
 * @returns hooks for Mocha, which takes them from the module that it requires
 */
export function followRunner(tests: WatchedTests): MochaHooks {
  const { [VITEST]: vitest } = globalThis as { readonly [VITEST]?: Hooks & VitestModule };
  const own = globalThis.process;
  if (vitest !== undefined) {
    followVitest(tests, vitest);
  } else if (isInNodeTest()) {
    const { beforeEach, afterEach, after } = own.getBuiltinModule("node:test");
    const hooks = { beforeEach, afterEach, afterAll: after } as unknown as Hooks;
    tests.fileOfNow = () => own.argv[1];
    follow(tests, hooks, readNodeTest);
  } else {
    whenGlobal(["beforeEach", "afterEach"], () => followGlobals(tests));
  }
  return hooksOf(tests, readMochaTest);
}

/** Whether this process runs a file of `node --test`. The process that starts the others runs no tests. */
function isInNodeTest(): boolean {
  const { env, execArgv } = globalThis.process;
  if (env["NODE_TEST_CONTEXT"] !== undefined) return true;
  const isRunner = execArgv.includes("--test");
  return isRunner && execArgv.some((option) => /^--(?:experimental-)?test-isolation=none$/.test(option));
}

function hooksOf(tests: WatchedTests, read: ReadTest): MochaHooks {
  return {
    async beforeEach(...given) {
      const test = read(this, given);
      if (test !== undefined) await tests.begins(test);
    },
    async afterEach(...given) {
      const test = read(this, given);
      if (test !== undefined) await tests.ends(test.identity);
    },
    afterAll: () => tests.allEnd(),
  };
}

function follow(tests: WatchedTests, { beforeEach, afterEach, afterAll }: Hooks, read: ReadTest): void {
  const hooks = hooksOf(tests, read);
  beforeEach(hooks.beforeEach);
  afterEach(hooks.afterEach);
  afterAll(hooks.afterAll);
}

/** Follows Jest, or Mocha where it does not take hooks from this module. */
function followGlobals(tests: WatchedTests): void {
  const { beforeEach, afterEach, afterAll, after } = globalThis as unknown as Hooks & { readonly after: AddHook };
  const isJest = afterAll !== undefined;
  if (isJest) {
    tests.fileOfNow = () => runningTest(undefined, []).file ?? fileOfJest();
    tests.whyUnclear = () =>
      hasConcurrentTests(stateOfJest()?.rootDescribeBlock)
        ? "its file has concurrent tests, and Jest does not tell which of them runs"
        : undefined;
  }
  follow(tests, { beforeEach, afterEach, afterAll: afterAll ?? after }, isJest ? readJestTest : readMochaTest);
}

/** Calls back once all these globals are there. A runner sets them after it has loaded some set-up files. */
function whenGlobal(names: readonly string[], callback: () => void): void {
  const missing = names.filter((name) => Reflect.get(globalThis, name) === undefined);
  if (missing.length === 0) {
    callback();
    return;
  }
  const left = new Set(missing);
  for (const name of missing)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get: () => undefined,
      set: (value: unknown) => {
        Object.defineProperty(globalThis, name, { configurable: true, enumerable: true, writable: true, value });
        left.delete(name);
        // The runner is still setting others.
        if (left.size === 0) queueMicrotask(callback);
      },
    });
}

interface TaskOfNow extends VitestTask {
  readonly concurrent?: boolean;
  readonly fails?: boolean;
  readonly result?: { readonly state: string; readonly errors?: readonly unknown[] };
}

/** What vitest tells its worker. */
interface VitestWorker {
  readonly filepath?: string;
  readonly ctx?: { readonly projectName?: string };
}

interface VitestModule {
  readonly expect: { getState(): { readonly testPath?: string } };
}

function followVitest(tests: WatchedTests, vitest: Hooks & VitestModule): void {
  const worker = (): VitestWorker | undefined =>
    (globalThis as { readonly [VITEST_WORKER]?: VitestWorker })[VITEST_WORKER];
  const fileOfNow = (): string | undefined => worker()?.filepath ?? vitest.expect.getState().testPath;
  const file = fileOfNow();
  tests.fileOfNow = fileOfNow;
  tests.projectOfNow = () => projectNamed(worker()?.ctx?.projectName);
  tests.whyUnclear = () =>
    fileOfNow() === file
      ? undefined
      : 'its process runs several files, and the set-up file ran for the first one alone: name "centavo/shake" itself in setupFiles';
  // vitest reads what a hook needs from the names in its parameter.
  vitest.beforeEach((({ task }: { readonly task: TaskOfNow }) => tests.begins(vitestTest(task))) as Hook);
  vitest.afterEach((({ task }: { readonly task: TaskOfNow }) => tests.ends(task)) as Hook);
  vitest.afterAll(() => tests.allEnd());
}

function vitestTest(task: TaskOfNow): TestOfRunner {
  const { title, file, project } = vitestTestInSuite(task);
  const earlier = task.result?.errors?.length ?? 0;
  return {
    identity: task,
    title,
    file,
    project,
    isConcurrent: task.concurrent === true,
    isOver: () => task.result?.state !== "run",
    outcome: () => {
      if (task.result?.state === "skip") return undefined;
      if (task.fails === true) return outcomeOf("left out", undefined);
      return task.result?.state === "fail" ? outcomeOf("failed", task.result.errors?.[earlier]) : { is: "passed" };
    },
  };
}

interface JestTest {
  readonly concurrent?: boolean;
  readonly failing?: boolean;
  readonly errors: readonly unknown[];
}

interface JestBlock {
  readonly children?: readonly (JestBlock & Partial<JestTest>)[];
}

interface JestState {
  readonly currentlyRunningTest?: JestTest | null;
  readonly rootDescribeBlock?: JestBlock;
}

function stateOfJest(): JestState | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === JEST_STATE);
  return symbol && (Reflect.get(globalThis, symbol) as JestState | undefined);
}

function fileOfJest(): string | undefined {
  const { expect } = globalThis as { readonly expect?: { getState?(): { readonly testPath?: string } } };
  return expect?.getState?.().testPath;
}

function hasConcurrentTests({ children = [] }: JestBlock = {}): boolean {
  return children.some((child) => child.concurrent === true || hasConcurrentTests(child));
}

function readJestTest(): TestOfRunner | undefined {
  const test = stateOfJest()?.currentlyRunningTest;
  if (test === undefined || test === null) return undefined;
  const { title = "a test", file } = runningTest(undefined, []);
  return {
    identity: test,
    title,
    file: file ?? fileOfJest(),
    isConcurrent: test.concurrent === true,
    // Jest calls every hook, whatever another one throws.
    isOver: () => false,
    outcome: () => {
      if (test.failing === true) return outcomeOf("left out", undefined);
      return test.errors.length > 0 ? outcomeOf("failed", errorOfJest(test.errors[0])) : { is: "passed" };
    },
  };
}

/** Jest keeps an error beside another one, which knows the place of an asynchronous call. */
function errorOfJest(entry: unknown): unknown {
  if (!Array.isArray(entry)) return entry;
  const [error, other] = entry as readonly unknown[];
  return error ?? other;
}

interface MochaTest {
  fullTitle(): string;
  readonly file?: string;
  readonly state?: string;
  readonly pending?: boolean;
  readonly err?: unknown;
  readonly parent?: MochaSuite;
  /** The test of which this is another try. */
  retriedTest?(): MochaTest | undefined;
}

interface MochaSuite {
  readonly parent?: MochaSuite;
  readonly _afterEach?: readonly { readonly state?: string; readonly err?: unknown }[];
}

function readMochaTest(context: unknown): TestOfRunner | undefined {
  const { currentTest: test } = (context ?? {}) as { readonly currentTest?: MochaTest };
  if (test === undefined) return undefined;
  let identity = test;
  for (let earlier = test.retriedTest?.(); earlier !== undefined; earlier = earlier.retriedTest?.()) identity = earlier;
  return {
    identity,
    title: test.fullTitle(),
    file: test.file,
    isConcurrent: false,
    isOver: () => test.state !== undefined,
    outcome: () => {
      if (test.pending === true) return undefined;
      const failed = test.state === "failed" ? test : failedHook(test);
      return failed === undefined ? { is: "passed" } : outcomeOf("failed", failed.err);
    },
  };
}

/** Mocha fails a hook in place of its test. */
function failedHook({ parent }: MochaTest): { readonly err?: unknown } | undefined {
  for (let suite = parent; suite !== undefined; suite = suite.parent) {
    const failed = suite._afterEach?.find(({ state }) => state === "failed");
    if (failed !== undefined) return failed;
  }
  return undefined;
}

interface NodeTest {
  readonly fullName: string;
  readonly filePath?: string;
  readonly passed: boolean;
  readonly error?: { readonly cause?: unknown } | null;
}

function readNodeTest(_context: unknown, [given]: readonly unknown[]): TestOfRunner | undefined {
  const test = given as NodeTest | undefined;
  if (test === undefined) return undefined;
  return {
    identity: test,
    title: test.fullName,
    file: test.filePath ?? globalThis.process.argv[1],
    isConcurrent: false,
    isOver: () => test.passed || (test.error ?? undefined) !== undefined,
    outcome: (): TestOutcome =>
      test.passed ? { is: "passed" } : outcomeOf("failed", test.error?.cause ?? test.error ?? "the test failed"),
  };
}
