import { testOfNow } from "../../kit/base/runtime/test-context.ts";
import type { SimulatorWatch } from "../../report/watched-simulator.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { fileInShake, shakenTest, writeRecord } from "./run-folder.ts";
import type { ShakenRun } from "./run-folder.ts";
import { SessionInShake } from "./session-in-shake.ts";
import { callersFile } from "./source-places.ts";
import type { TestOutcome } from "./test-record.ts";

/** A test, as its runner tells of it. */
export interface TestOfRunner {
  /** The same object in each try of the test. */
  readonly identity: object;
  /** The test's full name. */
  readonly title: string;
  readonly file: string | undefined;
  /** Its project, where the runner has several. */
  readonly project?: string | undefined;
  /** Whether other tests of its file may run at the same time. */
  readonly isConcurrent: boolean;
  /** Whether its code has ended. Runners skip hooks after one that throws. */
  isOver(): boolean;
  /**
   * Says what became of the test, as far as the runner knows now: hooks that follow may still fail it. Returns undefined for one that was
   * skipped meanwhile.
   */
  outcome(): TestOutcome | undefined;
}

interface RunningTest extends TestOfRunner {
  readonly ordinal: number;
  readonly sessions: SessionInShake[];
}

/** A world that was made outside of tests. */
interface SharedWorld {
  readonly session: SessionInShake;
  /** The file that makes it, which may be a helper of several test files. */
  readonly file: string;
  /** The tests that ran while it was open. */
  readonly tests: RunningTest[];
  isOpen: boolean;
}

/** Follows the tests of a runner, and the simulators that they create themselves, in a suite that `centavo shake` runs. */
export class WatchedTests implements SimulatorWatch {
  /** Returns the file whose tests run in this process or thread, where the runner tells it outside of tests, too. */
  fileOfNow: () => string | undefined = () => undefined;
  /** Returns the project whose tests run in this process or thread, where the runner has several. */
  projectOfNow: () => string | undefined = () => undefined;
  /** Says why no world can be told apart, where that is so. */
  whyUnclear: () => string | undefined = () => undefined;

  readonly #run: ShakenRun;
  readonly #running = new Map<object, RunningTest>();
  /** The tests that have ended, and whose hooks may still fail them. */
  #ended: RunningTest[] = [];
  #shared: SharedWorld[] = [];
  readonly #ordinals = new WeakMap<object, number>();
  readonly #counts = new Map<string, number>();

  constructor(run: ShakenRun) {
    this.#run = run;
  }

  /** Notes that a test begins, or is tried again. */
  async begins(test: TestOfRunner): Promise<void> {
    for (const earlier of this.#running.values()) if (earlier.isOver()) await this.ends(earlier.identity);
    if (this.#running.has(test.identity)) return;
    this.#settle();
    const ordinal =
      this.#ordinals.get(test.identity) ?? this.#count(JSON.stringify([test.file, test.project, test.title]));
    this.#ordinals.set(test.identity, ordinal);
    this.#running.set(test.identity, { ...test, ordinal, sessions: [] });
  }

  /** Notes that the code of a test has ended. */
  async ends(identity: object): Promise<void> {
    const test = this.#running.get(identity);
    if (test === undefined) return;
    const outcome = test.outcome();
    for (const session of test.sessions) await session.stop(outcome === undefined ? {} : { outcome });
    this.#running.delete(identity);
    this.#ended.push(test);
    for (const world of this.#shared) if (world.isOpen) world.tests.push(test);
    write(test);
  }

  /** Notes that no test of the file follows. */
  async allEnd(): Promise<void> {
    for (const { identity } of this.#running.values()) await this.ends(identity);
    this.#settle();
    const shared = this.#shared;
    this.#shared = [];
    for (const { session, file, tests } of shared) {
      const own = tests.filter((test) => isIn(file, test));
      const users = own.length > 0 ? own : tests;
      const files = new Set(users.map((test) => test.file));
      const [user] = files;
      if (user !== undefined) session.belongsTo(user, this.projectOfNow());
      const outcome: TestOutcome =
        files.size > 1
          ? { is: "left out", why: "tests of several files run while its simulator is open" }
          : outcomeOfAll(users);
      await session.stop({ outcome });
      session.write(outcome);
    }
  }

  create(options: SimulatorOptions, create: (options: SimulatorOptions) => Simulator): Simulator {
    const session = this.#sessionOfNow();
    if (session === undefined) return create(options);
    const sim = create(session.simulatorOptions(options));
    session.begin(sim);
    const close = sim.close.bind(sim);
    Object.defineProperty(sim, "close", {
      configurable: true,
      value: async () => {
        for (const world of this.#shared) if (world.session === session) world.isOpen = false;
        await session.stop();
        await close();
      },
    });
    return sim;
  }

  /** Returns the session of a world that is created now; undefined where nobody can say whose world it is. */
  #sessionOfNow(): SessionInShake | undefined {
    const inSession = testOfNow();
    if (inSession?.isOver === false)
      return this.#leaveOut(inSession.name, "it has a world of withSimulator or simulated, and makes another one");
    const why = this.whyUnclear() ?? this.#whyConcurrent();
    const file = this.fileOfNow() ?? callersFile();
    const name = file === undefined ? "a simulator" : fileInShake(file);
    if (why !== undefined) return this.#leaveOut(name, why, file);
    const test = [...this.#running.values()].at(-1);
    if (test === undefined) return this.#sharedSession(name, file);
    const group = JSON.stringify([test.file, test.project, test.title, test.ordinal]);
    const { title, project, ordinal } = test;
    const source = `world ${test.sessions.length + 1}`;
    const session = new SessionInShake(this.#run, { title, file: test.file, project, source, ordinal }, { group });
    test.sessions.push(session);
    return session;
  }

  #sharedSession(title: string, file: string | undefined): SessionInShake | undefined {
    if (file === undefined)
      return this.#leaveOut(title, "it is created outside of tests, and its runner does not tell in which file");
    const ordinal = this.#count(`shared ${file}`);
    const shared = { title, file, project: this.projectOfNow(), source: "shared", ordinal };
    const session = new SessionInShake(this.#run, shared, { isShared: true });
    this.#shared.push({ session, file, tests: [], isOpen: true });
    return session;
  }

  /** The tests that run now are one inside the other, or at the same time. */
  #whyConcurrent(): string | undefined {
    const tests = [...this.#running.values()];
    const isNested = tests.every(
      ({ title }, index) => index === 0 || title.startsWith(`${tests[index - 1]?.title ?? ""} > `),
    );
    return isNested && !tests.some(({ isConcurrent }) => isConcurrent)
      ? undefined
      : "tests run at the same time, and nobody can tell which of them makes a simulator";
  }

  #leaveOut(title: string, why: string, file?: string): undefined {
    const test = shakenTest({ title, file, project: this.projectOfNow(), source: why });
    const nothing = {
      from: 0,
      to: 0,
      calls: [],
      events: [],
      payments: [],
      charges: [],
      acts: 0,
      ownStrikes: [],
      refusedVisits: 0,
      booksRead: [],
      entries: 0,
    };
    writeRecord(this.#run, { test, outcome: { is: "left out", why }, ...nothing });
  }

  /** Writes the tests that have ended once more: by now the runner knows what their hooks did. */
  #settle(): void {
    for (const test of this.#ended) write(test);
    this.#ended = [];
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}

function write(test: RunningTest): void {
  const outcome = test.outcome() ?? { is: "left out", why: "it is skipped while it runs" };
  for (const session of test.sessions) session.write(outcome);
}

function isIn(file: string, test: RunningTest): boolean {
  return test.file !== undefined && fileInShake(test.file) === fileInShake(file);
}

/** Returns what became of several tests, which count as one. */
function outcomeOfAll(tests: readonly RunningTest[]): TestOutcome {
  const outcomes = tests.flatMap((test) => test.outcome() ?? []);
  if (outcomes.length === 0) return { is: "left out", why: "no test runs while its simulator is open" };
  const worst = ["failed", "left out"].flatMap((is) => outcomes.find((outcome) => outcome.is === is) ?? []);
  return worst[0] ?? { is: "passed" };
}
