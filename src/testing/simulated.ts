import { CentavoError } from "../errors/centavo-error.ts";
import { TestSession } from "./test-session.ts";
import type { TestOptions, TestParts } from "./test-session.ts";

/** The options of `simulated`. */
export interface SimulatedOptions extends TestOptions {
  /** The test's name. It goes into the seed, so give tests that share a shop different names. */
  readonly name?: string;
}

type SimulatedTest = (parts: TestParts) => unknown;

/**
 * Makes a test function for any runner that takes an async function: Jest, `node:test`, Mocha. The test gets a simulator of its own, which
 * is closed when the test ends, even when it fails.
 *
 * Ids differ between tests by `name`; without it, the source of the test function takes its place.
 * @param options those of `createSimulator` and of the test around it
 * @param test gets the parts of the simulated test. Name `network` in its parameter to have it opened
 * @returns the function to give to the runner
 * @throws what the test throws, and {CentavoError} `SWALLOWED_ERRORS` when the test passed although requests were refused;
 *   `INTERCEPTION_CONFLICT` when it runs at the same time as another test whose clock `Date` follows
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
  if (typeof test !== "function" || typeof options !== "object" || options === null) {
    throw new CentavoError(
      "INVALID_OPTION",
      'simulated(options?, test) takes the test as a function: it("…", simulated(async ({ sim, client }) => { … })).',
    );
  }
  const { name = test.toString(), ...others } = options;
  // No declared parameters: Jest and Mocha would wait for a callback.
  return async () => {
    const session = new TestSession(others, name, false);
    let passed = false;
    try {
      const network = /\bnetwork\b/.test(test.toString()) ? await session.openNetwork() : undefined;
      await test(partsOf(session, network));
      passed = true;
    } finally {
      await session.close(passed);
    }
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
        "network is not open, because the test does not name it. Write it in the test's parameter: simulated(async ({ sim, network }) => { … }).",
      );
    },
  };
}
