import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { runInTest } from "../kit/base/runtime/test-context.ts";
import { runningTest } from "./runner.ts";
import { ordinalOf } from "./ordinals.ts";
import { checkTestOptions } from "./test-options.ts";
import { TestSession } from "./test-session.ts";
import type { TestOptions } from "./test-options.ts";
import type { TestParts } from "./test-session.ts";
import { wantsInspector } from "./wants-inspector.ts";
import { withinTime } from "../kit/base/runtime/time-limit.ts";

/** The options of `simulated`. */
export interface SimulatedOptions extends TestOptions {
  /**
   * The test's name. It goes into the seed. Tests of one name get different ids in the order in which they run, so a test keeps its ids when it
   * runs alone only if it has a name of its own.
   */
  readonly name?: string;
  /**
   * How long the test may take, in milliseconds of real time. A slower test fails with the likely cause, just before its runner would fail
   * it without one. Mocha's and Jest's own limits are used by default; node:test has no limit unless you give it one.
   */
  readonly timeout?: number;
}

type SimulatedTest = (parts: TestParts) => unknown;

/**
 * Makes a test function for any runner that takes an async function: Jest, `node:test`, Mocha. The test gets a simulator of its own, which
 * is closed when the test ends, even when it fails.
 *
 * Ids differ between tests by `name`; without it, the source of the test function takes its place. Tests that share it are counted.
 * @param options those of `createSimulator` and of the test around it
 * @param test gets the parts of the simulated test. Name `network` in its parameter to have it opened
 * @returns the function to give to the runner
 * @throws what the test throws, with the likely cause below its message (docs/guide/causes.md), and {CentavoError} `SWALLOWED_ERRORS`
 *   when the test passed although requests were refused; `INTERCEPTION_CONFLICT` when it runs at the same time as another test whose
 *   clock `Date` follows
 *
 * @example
 * it("declines a stolen card", simulated(async ({ sim, client }) => {
 *   const { id } = await client.paymentIntents.create({ amount: 10000 });
 *   await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_stolen" });
 *   await sim.clock.settle();
 *   assert.equal(sim.intents.get(id)?.status, "failed");
 * }));
 */
export function simulated(test: SimulatedTest): () => Promise<void>;
export function simulated(options: SimulatedOptions, test: SimulatedTest): () => Promise<void>;
export function simulated(first: SimulatedOptions | SimulatedTest, second?: SimulatedTest): () => Promise<void> {
  const [options, test] = typeof first === "function" ? [{}, first] : [first, second];
  checkTestOptions("simulated", options, ["name", "timeout"]);
  if (typeof test !== "function") {
    throw new CentavoError(
      "INVALID_OPTION",
      'simulated(options?, test) takes the test as a function: it("…", simulated(async ({ sim, client }) => { … })).',
    );
  }
  const { name, timeout, ...others } = options;
  // Declares no parameters, because Jest and Mocha would wait for a callback.
  return async function (this: unknown, ...given: readonly unknown[]) {
    const running = runningTest(this, given);
    const title = running.title ?? name ?? "test";
    let hasFailed = false;
    const session = new TestSession(others, {
      ...(name === undefined
        ? { seedName: test.toString(), seedIsFrom: "the source of the test" }
        : { seedName: name }),
      run: running.run,
      title,
      ...(running.file !== undefined && { file: running.file }),
      inSuite: () => {
        // Where a runner tells the title, a test that is edited stays the same.
        const source = running.title === undefined ? { source: name ?? test.toString() } : {};
        const inSuite = { title, file: running.file, ...running.inSuite, ...source };
        return { ...inSuite, ordinal: ordinalOf(JSON.stringify(["in a shake", inSuite]), running.run) };
      },
      withOptions: (written) => `simulated(${written}, …)`,
      isConcurrent: false,
      hasFailed: () => hasFailed,
    });
    if (wantsInspector()) await session.inspect();
    try {
      const play = async (): Promise<unknown> => {
        const network = /\bnetwork\b/.test(test.toString()) ? await session.openNetwork() : undefined;
        try {
          return await test(partsOf(session, network));
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      };
      await withinTime(runInTest(session.context, play), timeout ?? running.timeout, () => session.prepareToFail());
    } catch (error) {
      throw await session.fail(error);
    }
    await session.close();
  };
}

function partsOf(session: TestSession, network: TestParts["network"] | undefined): TestParts {
  return {
    get sim() {
      return session.sim;
    },
    get client() {
      return session.client;
    },
    get customer() {
      return session.sim.customer;
    },
    get visit() {
      return session.sim.visit;
    },
    get network() {
      if (network !== undefined) return network;
      throw new CentavoError(
        "INVALID_OPTION",
        "simulated: network is not open, because the test does not name it. Write it in the test's parameter: simulated(async ({ sim, network }) => { … }).",
      );
    },
  };
}
