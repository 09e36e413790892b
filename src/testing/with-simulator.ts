import * as vitest from "vitest";
import type { TestAPI, TestContext } from "vitest";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shown } from "../simulator/shown.ts";
import { continueInTest } from "../kit/base/runtime/test-context.ts";
import { vitestTestInSuite } from "./shake/vitest-task.ts";
import { checkTestOptions } from "./test-options.ts";
import { atHalfTime } from "../kit/base/runtime/time-limit.ts";
import { TestSession } from "./test-session.ts";
import type { TestOptions } from "./test-options.ts";
import type { TestParts } from "./test-session.ts";
import { wantsInspector } from "./wants-inspector.ts";

export type SimulatorFixtures = { -readonly [Part in keyof TestParts]: TestParts[Part] };

type Use<Value> = (value: Value) => Promise<void>;
type Task = TestContext["task"];
type Suite = NonNullable<Task["suite"]>;
type WithSession = { readonly centavoSession: TestSession };

/** Tests that have ended while their contexts still hold their simulators: vitest keeps contexts until the end of the file. */
const closed = new Set<Task>();

/**
 * Extends vitest's `test` with a simulator of each test's own. A fixture is created when a test first names it, and closed when the test
 * ends, even when it fails.
 *
 * `Date` follows the virtual clock, except in tests that run concurrently: a process has one `Date`.
 * @param test vitest's `test`, or one that is already extended
 * @param options those of `createSimulator` and of the test around it
 * @returns `test` with the fixtures `sim`, `client`, `customer`, `network` and `visit`
 * @throws {CentavoError} `INVALID_OPTION` for anything but a `test`, and for an option that does not exist; `INVALID_STATE` in a vitest
 *   before 1.5
 *
 * @example
 * const test = withSimulator(base, { webhookUrl: "https://shop.example/hooks" });
 * test("an order is paid", async ({ sim, customer, network, visit }) => {
 *   sim.connect("https://shop.example", app);
 *   const { checkoutUrl } = await (await visit("POST", "/orders", { id: "1" })).json();
 *   await customer.pay(checkoutUrl, "pm_card_approved");
 *   await sim.clock.settle();
 * });
 */
export function withSimulator<Context extends object>(
  test: TestAPI<Context>,
  options: TestOptions = {},
): TestAPI<Context & SimulatorFixtures> {
  if (typeof (test as { extend?: unknown } | undefined | null)?.extend !== "function")
    throw new CentavoError(
      "INVALID_OPTION",
      `withSimulator takes vitest's test before its options, as in withSimulator(test, { seed: 7 }), and got ${shown(test)}.`,
    );
  // vitest 1.5 exports this first.
  if (!("onTestFinished" in vitest))
    throw new CentavoError(
      "INVALID_STATE",
      "withSimulator needs vitest 1.5 or later: an older one does not wait for what follows a test, so a test that has to fail would pass. " +
        'Update vitest, or write test("…", simulated(async ({ sim }) => { … })) with simulated from centavo/testing.',
    );
  checkTestOptions("withSimulator", options);
  const part =
    <Name extends keyof TestParts>(of: (session: TestSession) => TestParts[Name] | Promise<TestParts[Name]>) =>
    async ({ centavoSession }: WithSession, use: Use<TestParts[Name]>) =>
      use(await of(centavoSession));
  const fixtures = {
    centavoSession: async ({ task }: Pick<TestContext, "task">, use: Use<TestSession>) => {
      emptyContexts(Object.keys(fixtures));
      const name = nameOf(task);
      const number = numberOf(task);
      // A retry keeps the errors of earlier attempts.
      const earlier = task.result?.errors?.length ?? 0;
      const session = new TestSession(options, {
        seedName: number === 1 ? name : `${name} · ${number}`,
        // Its retries and repeats are the same task.
        run: task,
        isOneTest: true,
        title: name,
        file: task.file.name,
        inSuite: () => ({ ...vitestTestInSuite(task), ordinal: number }),
        withOptions: (written) => `withSimulator(test, ${written})`,
        isConcurrent: task.concurrent === true,
        hasFailed: () => (task.result?.errors?.length ?? 0) > earlier,
      });
      // Must come before any await, because vitest continues with the test from here.
      continueInTest(session.context);
      if (wantsInspector()) await session.inspect();
      const callOff = atHalfTime(task.timeout, () => session.prepareToFail());
      await use(session);
      callOff();
      closed.add(task);
      if (task.result?.state !== "fail") await session.close();
      else if (task.fails === true) await session.abandon();
      else await session.fail(task.result.errors?.[earlier]);
    },
    sim: part<"sim">((session) => session.sim),
    client: part<"client">((session) => session.client),
    customer: part<"customer">((session) => session.sim.customer),
    network: part<"network">((session) => session.openNetwork()),
    visit: part<"visit">((session) => session.sim.visit),
  };
  const extended = (test as unknown as TestAPI).extend(fixtures as never);
  return extended as unknown as TestAPI<Context & SimulatorFixtures>;
}

/** Makes the contexts of ended tests forget their fixtures, so that a long file does not keep every world in memory. */
function emptyContexts(fixtures: readonly string[]): void {
  for (const task of closed) {
    // A test has a duration only once it has ended. Before that, its hooks may still ask for its simulator.
    if (task.result?.duration === undefined) continue;
    for (const fixture of fixtures) Reflect.deleteProperty(task.context, fixture);
    closed.delete(task);
  }
}

/** The numbers of tests among those of the same name in their file, which do not depend on what runs first. */
const numbers = new WeakMap<Task, number>();

function numberOf(task: Task): number {
  if (!numbers.has(task)) {
    const counts = new Map<string, number>();
    for (const test of testsIn(task.file)) {
      const name = nameOf(test);
      const number = (counts.get(name) ?? 0) + 1;
      counts.set(name, number);
      numbers.set(test, number);
    }
  }
  return numbers.get(task) ?? 1;
}

function testsIn({ tasks }: Suite): Task[] {
  return tasks.flatMap((task) => (task.type === "suite" ? testsIn(task) : [task]));
}

function nameOf(task: Task): string {
  const suites: string[] = [];
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) suites.unshift(suite.name);
  return [task.file.name, ...suites, task.name].join(" > ");
}
