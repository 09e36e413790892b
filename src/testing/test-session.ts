import { createClient } from "../client/client.ts";
import type { Client } from "../client/calls.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isThrown } from "../kit/base/errors/thrown-values.ts";
import type { TestContext } from "../kit/base/runtime/test-context.ts";
import { diagnosticsChannel } from "../kit/base/runtime/diagnostics.ts";
import type { RefusedWebhook } from "../kit/webhooks/signatures/refusal.ts";
import type { Visit } from "../kit/receivers/visit.ts";
import type { Customer } from "../simulator/customer.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { credentialsOf, earlierTokens, rememberTokens } from "./earlier-tests.ts";
import { testOf } from "./running-test.ts";
import { swallowedIn } from "./swallowed-errors.ts";
import type { TestOptions } from "./test-options.ts";
import { ordinalOf } from "./ordinals.ts";
import { OWN_FOLDER } from "./own-folder.ts";
import type { NamedTest } from "./recording-files.ts";
import { isThere } from "../kit/base/runtime/files.ts";
import { openSimulators } from "./matchers/open-simulators.ts";
import { TestTime } from "./test-time.ts";
import { UncaughtErrors } from "./uncaught-errors.ts";
import { waitAtMost } from "../kit/base/runtime/time-limit.ts";
import type { TestInSuite } from "./shake/run-folder.ts";
import { SessionInShake } from "./shake/session-in-shake.ts";
import { cannotInterceptIn, openNetwork } from "./test-network.ts";
import type { TestNetwork } from "./test-network.ts";

/** The parts of a simulated test. Each is created when the test first asks for it, and closed when the test ends. */
export interface TestParts {
  /** The simulator of this test. Its ids differ from test to test, but are the same in every run. */
  readonly sim: Simulator;
  /** A client of the service with the first merchant's credentials and the admin key. */
  readonly client: Client;
  /** The customer at the hosted pages: `sim.customer`. */
  readonly customer: Customer;
  /** The connection from the code under test to the simulator; interception by default. */
  readonly network: TestNetwork;
  /** Calls a connected app: `sim.visit`. */
  readonly visit: Visit;
}

/** The test that a session belongs to. */
export interface TestIdentity {
  /** The source of the seed. It differs between tests, so that they have different ids. */
  readonly seedName: string;
  /** What to call `seedName` if it is too long to show. */
  readonly seedIsFrom?: string;
  /** What the runner makes anew for each of its runs. Tests with the same seed are counted within it. */
  readonly run?: object | undefined;
  /** Whether all tests with the seed are tries of the same test, the last of which counts. */
  readonly isOneTest?: boolean;
  /** The test's full name, which its recording is named after. */
  readonly title: string;
  /** Its file, if the runner says so. */
  readonly file?: string;
  /** Returns what tells it from all others of its suite; it is asked once for each session. */
  readonly inSuite: () => TestInSuite;
  /** Shows how to give these options to the test. */
  readonly withOptions: (options: string) => string;
  /** Whether other tests run at the same time. */
  readonly isConcurrent: boolean;
  /** Whether the test has failed, also while its runner has not ended it. */
  readonly hasFailed: () => boolean;
}

/** How many webhook refusals a session keeps. The first ones are enough to find the cause. */
const MOST_REFUSALS = 100;
/** How long a test that timed out waits for its apps to close, in milliseconds. Whatever delayed it may delay them, too. */
const LAST_WAIT = 50;
type TestInspector = typeof import("./inspected-test.ts");
const refusedWebhooks = diagnosticsChannel<RefusedWebhook>("centavo:refused-webhook");

/** The simulator of one test, and everything that belongs to it. */
export class TestSession {
  readonly #options: TestOptions;
  readonly #identity: TestIdentity;
  readonly #time: TestTime;
  readonly #refusedWebhooks: string[] = [];
  readonly #onRefusedWebhook = ({ message }: RefusedWebhook): void => {
    // The channel does not say which of several running tests a refused webhook belongs to.
    if (openSimulators().size === 1 && this.#refusedWebhooks.length < MOST_REFUSALS)
      this.#refusedWebhooks.push(message);
  };
  #uncaught: UncaughtErrors | undefined;
  #inShake: SessionInShake | undefined;
  #sim: Simulator | undefined;
  #client: Client | undefined;
  #network: TestNetwork | undefined;
  #inspector: TestInspector | undefined;
  #ordinal = 1;

  /** For the code that the test runs, and for what that code leaves running. */
  readonly context: TestContext;

  constructor(options: TestOptions, identity: TestIdentity) {
    this.context = { name: identity.title, isOver: false };
    this.#options = SessionInShake.options(options);
    this.#identity = identity;
    this.#time = new TestTime(options, identity.isConcurrent);
  }

  /** Shows the simulator in the inspector of the run. Call this before the test asks for it. */
  async inspect(): Promise<void> {
    this.#inspector = await import("./inspected-test.ts");
  }

  get sim(): Simulator {
    return (this.#sim ??= this.#open());
  }

  get client(): Client {
    const { baseUrl, authUrl, fetch, credentials, internals } = this.sim;
    const own = this.#inShake?.ofTest(fetch) ?? fetch;
    const { overrides: assumptions } = internals.parts.assumptions;
    return (this.#client ??= createClient({ baseUrl, authUrl, fetch: own, ...credentials, assumptions }));
  }

  async openNetwork(): Promise<TestNetwork> {
    return (this.#network = await openNetwork(this.sim, this.#options));
  }

  /**
   * Closes everything after a test that passed.
   * @throws {CentavoError} `SWALLOWED_ERRORS` with the errors that the code under test swallowed, and the likely cause
   */
  async close(): Promise<void> {
    const sim = this.#sim;
    if (sim === undefined) return this.abandon();
    const before = this.#time.dateIsReplaced ?? this.#swallowedIn(sim);
    if (before !== undefined) throw await this.fail(before);
    if (this.#inShake !== undefined) await this.#inShake.end("passed");
    if (this.#options.report === "always") {
      const { writeReportOf } = await import("./report-files.ts");
      await writeReportOf(sim, this.#files, this.#options, { outcome: "passed", seed: this.#seedInWords });
    }
    await this.abandon();
    const late = this.#swallowedIn(sim);
    if (late !== undefined) throw late;
    await this.#removeFiles();
  }

  /** Closes everything after a test that failed. Returns its error with the likely cause appended to the message. */
  async fail(error: unknown): Promise<unknown> {
    const sim = this.#sim;
    if (sim === undefined) {
      await this.abandon();
      return error;
    }
    if (this.#inShake !== undefined) await this.#inShake.end("failed", error);
    const explained = await this.#explained(sim, error);
    const closed = this.#closeQuietly();
    const isTooLate = isThrown(error, CentavoError) && error.code === "TEST_TIMED_OUT";
    await (isTooLate ? waitAtMost(LAST_WAIT, closed) : closed);
    return explained;
  }

  /** Closes everything and reports nothing. */
  async abandon(): Promise<void> {
    refusedWebhooks.unsubscribe(this.#onRefusedWebhook);
    this.#uncaught?.stop();
    this.context.isOver = true;
    if (this.#inShake !== undefined) await this.#inShake.end("left out");
    const sim = this.#sim;
    if (sim === undefined) return;
    if (this.#options.keepTokens === true) rememberTokens(sim);
    this.#time.stop(sim);
    openSimulators().delete(sim);
    await sim.close();
  }

  async #closeQuietly(): Promise<void> {
    try {
      await this.abandon();
    } catch {
      // The test's own error matters more than an error from closing what it left behind.
    }
  }

  /** Loads what a failure needs, and notes what hooks may undo. A test that times out may have no time for this later. */
  prepareToFail(): void {
    this.#time.note();
    loadCauses().catch(() => undefined);
  }

  async #explained(sim: Simulator, error: unknown): Promise<unknown> {
    try {
      const [{ reportOf }, { withReport }, { writeRecordingOf }, { writeReportOf }] = await loadCauses();
      const session = {
        reachedBy: this.#reachedBy,
        cannotInterceptIn: await this.#cannotInterceptIn(),
        ...this.#time.clues,
        refusedWebhooks: this.#refusedWebhooks,
        // Node does not say which of several running tests an error belongs to.
        uncaught: openSimulators().size === 1 ? (this.#uncaught?.noted ?? []) : [],
      };
      const seed = this.#seedInWords;
      const { recordings } = this.#options;
      const html = await writeReportOf(sim, this.#files, this.#options, { outcome: "failed", error, session, seed });
      return withReport(error, () => {
        const recording = writeRecordingOf(sim, this.#files, recordings);
        return reportOf(sim, error, {
          ...session,
          seed,
          ...(recording === undefined ? {} : { recording }),
          ...(html === undefined ? {} : { html }),
        });
      });
    } catch {
      // The test's own error matters more than its report.
      return error;
    }
  }

  /** Removes what this test left when it failed before. */
  async #removeFiles(): Promise<void> {
    const { recordings: folder, report } = this.#options;
    if (folder === false || !isThere(folder ?? OWN_FOLDER)) return;
    const { removeFilesOf } = await import("./recording-files.ts");
    try {
      removeFilesOf(this.#files, report === "always" ? ["json"] : ["json", "html"], folder);
    } catch {
      // A file that cannot be removed fails no test.
    }
  }

  /** What the files of this test are named after. */
  get #files(): NamedTest {
    return this.#identity.isOneTest === true ? this.#identity : { ...this.#identity, ordinal: this.#ordinal };
  }

  async #cannotInterceptIn(): ReturnType<typeof cannotInterceptIn> {
    const isChosen = this.#network?.kind === "intercept" || this.#options.network !== undefined;
    return this.#network !== undefined && isChosen ? undefined : cannotInterceptIn();
  }

  get #reachedBy(): string | undefined {
    const kind = this.#network?.kind ?? "intercept";
    return { intercept: undefined, fetch: "network.fetch", server: "network.baseUrl" }[kind];
  }

  get #seedInWords(): string {
    const { seedName, seedIsFrom = `the name "${seedName}"` } = this.#identity;
    return `${this.#options.seed ?? 1}, with ${seedIsFrom}${this.#ordinal === 1 ? "" : `, run ${this.#ordinal}`}`;
  }

  #swallowedIn(sim: Simulator): CentavoError | undefined {
    if (this.#options.failOnSwallowedErrors === false) return undefined;
    return swallowedIn(sim.internals.parts.engine.journal.entries);
  }

  #open(): Simulator {
    const {
      network: _,
      allow: _allow,
      drop: _drop,
      fakeDate: _fakeDate,
      timers: _timers,
      keepTokens,
      failOnSwallowedErrors: _swallowed,
      recordings: _recordings,
      report: _report,
      ...given
    } = this.#options;
    const { seedName, run, isConcurrent } = this.#identity;
    this.#time.check(seedName);
    const firstSeed = `${given.seed ?? 1} · ${seedName}`;
    this.#ordinal = ordinalOf(firstSeed, run);
    const seed = this.#ordinal === 1 ? firstSeed : `${firstSeed} · ${this.#ordinal}`;
    // Concurrent tests that share an address need different credentials.
    const credentials = { ...(isConcurrent ? {} : credentialsOf(given)), ...given.credentials };
    this.#inShake = SessionInShake.of(this.#identity.inSuite);
    const options = { ...given, credentials, seed };
    const sim = createSimulator(this.#inShake?.simulatorOptions(options) ?? options);
    sim.test = testOf(this.context, this.#identity);
    sim.internals.parts.engine.testCalls.hasFailed = this.#identity.hasFailed;
    this.#inspector?.inspectTest(sim, this.#identity);
    if (keepTokens === true) sim.keepTokens(earlierTokens());
    this.#time.follow(sim, seedName);
    openSimulators().add(sim);
    // Last, because nothing would unsubscribe if the simulator could not be opened.
    refusedWebhooks.subscribe(this.#onRefusedWebhook);
    this.#uncaught = new UncaughtErrors();
    this.#inShake?.begin(sim);
    return sim;
  }
}

/** Loaded only when a test fails, so that passing tests do not wait for it. */
function loadCauses() {
  return Promise.all([
    import("../report/causes/cause-report.ts"),
    import("./attached-report.ts"),
    import("./recording-files.ts"),
    import("./report-files.ts"),
  ]);
}
