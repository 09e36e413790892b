import { nextMacrotask, startTimer } from "../../kit/base/runtime/real-time.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { isThere, writeTextFile } from "../../kit/base/runtime/files.ts";
import { readAssumptionsFile } from "../../kit/assumptions/file.ts";
import { recordingAsText } from "../../simulator/payment-recording.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { TestOptions } from "../test-options.ts";
import { aftermathOf, eventsNow } from "./aftermath.ts";
import { noteBooksRead, noteRemoteBooksRead } from "./books-read.ts";
import { LONGEST_MESSAGE, outcomeOf } from "./outcome-of-test.ts";
import { onProcessEnd } from "./process-end.ts";
import type { ProcessEnd } from "./process-end.ts";
import { Recorder } from "./recorder.ts";
import {
  fileInShake,
  recordingsFolder,
  runOfProcess,
  shakenTest,
  titleIn,
  warnUnrecorded,
  writeRecord,
} from "./run-folder.ts";
import { valuesOfTroubles } from "../../troubles/values-in-force.ts";
import type { PlannedTrouble, ShakenRun, ShakenTest, TestInSuite, WorldOfTests } from "./run-folder.ts";
import { planUnseen } from "./unseen-faults.ts";
import type { AssumptionsOfTest, SourcePlace, TestOutcome, TestRecord } from "./test-record.ts";
import { UncaughtErrors } from "../uncaught-errors.ts";

/** How long an app may take for an answer, in milliseconds of real time. Among so many runs some meet a busy machine. */
const PATIENCE = 10_000;
/**
 * How long a call hangs before its connection breaks, in milliseconds of real time: less than the service waits for a handler, and
 * than runners wait for a test.
 */
const LONGEST_SILENCE = 1000;
/** In characters. A shake keeps many recordings at once, and a browser has to read what becomes of them. */
const LONGEST_RECORDING = 4_000_000;

/** The sessions of this process that have begun and not ended. */
const underWay = new Set<SessionInShake>();

interface BegunSession {
  readonly sim: Simulator;
  readonly recorder: Recorder;
  readonly from: number;
  readonly booksRead: readonly SourcePlace[];
  readonly uncaught: UncaughtErrors;
  readonly stopWatchingProcess: () => void;
}

/** One test in a suite that `centavo shake` runs: what goes wrong in it, and what it passes. */
export class SessionInShake {
  readonly #run: ShakenRun;
  #test: ShakenTest;
  readonly #trouble: PlannedTrouble | undefined;
  #begun: BegunSession | undefined;
  /** What the test passed, once it is over. */
  #passed: Omit<TestRecord, "outcome"> | undefined;
  /** What became of the test, as far as anybody knows. */
  #outcome: TestOutcome | undefined;
  /** How long this session has moved the clock itself, in milliseconds. */
  #driven = 0;
  #isOver = false;
  /** Whether another test ran at the same time in this process. */
  #hadCompany = false;

  /** @param world which world of which tests it is, where tests create their simulators themselves */
  constructor(run: ShakenRun, test: TestInSuite, world: WorldOfTests = {}) {
    this.#run = run;
    this.#test = { ...shakenTest(test), ...world };
    this.#trouble = run.plan[this.#test.key];
  }

  /** Returns the session of a test; undefined in a suite that is not shaken, where nobody asks which test it is. */
  static of(test: () => TestInSuite): SessionInShake | undefined {
    const run = runOfProcess();
    return run && new SessionInShake(run, test());
  }

  /** Changes the options of a test, so that a shake leaves nothing in the user's own folder. */
  static options(options: TestOptions): TestOptions {
    const run = runOfProcess();
    return run === undefined ? options : { ...options, recordings: false, report: "never" };
  }

  /** Changes the options of a simulator: apps get more time, and the service may behave in another way during the whole test. */
  simulatorOptions(options: SimulatorOptions): SimulatorOptions {
    const patient = { ...options, receiverTimeout: options.receiverTimeout ?? PATIENCE };
    const assumptions = this.#trouble?.assumptions;
    if (assumptions === undefined) return patient;
    const { assumptions: own } = options;
    const given = typeof own === "string" ? readAssumptionsFile("createSimulator", own) : own;
    return { ...patient, assumptions: Object.assign({}, given, assumptions) };
  }

  /** @param remote through which the test reads the simulator, where it runs in a server */
  begin(sim: Simulator, remote?: object): void {
    const { engine } = sim.internals.parts;
    const { faults = [] } = this.#trouble ?? {};
    const recorder = new Recorder(sim, planUnseen(sim, faults as never));
    if (faults.some(leavesSilence)) recorder.onStrike = () => this.#breakSilence(sim);
    recorder.onHold = (until) => void this.#drive(sim, until, recorder);
    this.#begun = {
      sim,
      recorder,
      from: engine.now,
      booksRead: remote === undefined ? noteBooksRead(sim) : noteRemoteBooksRead(remote),
      uncaught: new UncaughtErrors(),
      stopWatchingProcess: onProcessEnd((end) => this.#endWithProcess(end)),
    };
    underWay.add(this);
    if (underWay.size > 1) for (const session of underWay) session.#hadCompany = true;
  }

  /** Returns the `fetch` of the test's own client. */
  ofTest(fetch: Simulator["fetch"]): Simulator["fetch"] {
    return (input, init) => {
      const call = (): Promise<Response> => fetch(input, init);
      return this.#begun?.recorder.ofTest(init?.method ?? "GET", call) ?? call();
    };
  }

  /** Ends a test: lets the service finish what it left, and writes what it passed. */
  async end(is: "passed" | "failed" | "left out", error?: unknown): Promise<void> {
    if (this.#isOver) return;
    const outcome = outcomeOf(is, error);
    await this.stop({ outcome, hasTime: is !== "left out" && outcome.isTooLate === undefined });
    this.write(outcome);
  }

  /**
   * Notes what the test passed until now, and nothing after that. Does nothing when called again.
   * @param ending.hasTime whether the service may finish what the test left; by default it may
   * @param ending.outcome what became of the test, as far as anybody knows; it is written if the process ends before this does
   */
  async stop({
    hasTime = true,
    outcome,
  }: { readonly hasTime?: boolean; readonly outcome?: TestOutcome } = {}): Promise<void> {
    const begun = this.#begun;
    if (begun === undefined || this.#isOver) return;
    const { sim, recorder } = begun;
    const passed = this.#noted(begun);
    this.#passed = passed;
    this.#isOver = true;
    this.#outcome = outcome;
    try {
      const goesOn = this.#trouble !== undefined && this.#trouble.endsWithTest !== true && hasTime;
      const aftermath = goesOn ? await aftermathOf(sim, recorder) : undefined;
      const recording = this.#trouble && this.#recordingOf(sim);
      this.#passed = {
        ...passed,
        ...(aftermath === undefined ? {} : { aftermath }),
        ...(recording === undefined ? {} : { recording }),
      };
    } catch (failure) {
      warnUnrecorded(this.#test, failure);
    } finally {
      this.#close();
    }
  }

  /** Names a world after the file whose tests use it. */
  belongsTo(path: string, project: string | undefined): void {
    const file = fileInShake(path);
    this.#test = { ...this.#test, file, title: titleIn(project, file) };
    if (this.#passed !== undefined) this.#passed = { ...this.#passed, test: this.#test };
  }

  /** Writes what the test passed, once it is stopped. The last outcome counts. */
  write(outcome: TestOutcome): void {
    if (this.#passed !== undefined) writeRecord(this.#run, { ...this.#passed, outcome });
  }

  /** Writes a test that is still running when its process ends, or whose aftermath has not ended. */
  #endWithProcess({ isCrash, what }: ProcessEnd): void {
    if (this.#begun === undefined) return;
    this.#passed ??= this.#noted(this.#begun);
    this.#isOver = true;
    this.#close();
    if (this.#outcome !== undefined) this.write(this.#outcome);
    else if (this.#hadCompany)
      this.write({ is: "left out", why: "its process ended while several of its tests were running" });
    else this.write({ is: isCrash ? "crashed" : "failed", message: what.slice(0, LONGEST_MESSAGE) });
  }

  #close(): void {
    underWay.delete(this);
    this.#begun?.uncaught.stop();
    this.#begun?.stopWatchingProcess();
    this.#begun?.recorder.stop();
  }

  #noted({ sim, recorder, from, booksRead, uncaught }: BegunSession): Omit<TestRecord, "outcome"> {
    const to = sim.internals.parts.engine.now;
    const { cutShort, struckAt, hasMovedSince, acts, ownStrikes, refusedVisits } = recorder;
    const { journal } = sim.internals.parts.engine;
    const trouble = {
      ...(struckAt === undefined ? {} : { struckAt }),
      ...(struckAt !== undefined && hasMovedSince ? { movedAfter: to - struckAt - this.#driven } : {}),
    };
    // Node does not say which of several running tests an error belongs to.
    const [error] = this.#hadCompany ? [] : uncaught.noted;
    return {
      test: this.#test,
      from,
      to,
      calls: [...recorder.calls],
      events: eventsNow(recorder),
      payments: paymentsOf(sim),
      charges: [...recorder.charges],
      acts,
      ownStrikes: [...ownStrikes],
      refusedVisits,
      ...(recorder.isRestless ? { isRestless: true } : {}),
      entries: journal.forgotten.count + journal.length,
      // What this session reads itself from now on does not count.
      booksRead: [...booksRead],
      ...(error === undefined ? {} : { uncaught: error.split("\n", 1)[0]?.slice(0, LONGEST_MESSAGE) ?? "" }),
      ...(cutShort === undefined ? {} : { cutShort }),
      ...(this.#trouble === undefined ? { assumptions: assumptionsOf(sim, recorder) } : { trouble }),
    };
  }

  /** Writes the recording where the shake wants it: what came of the test, and its aftermath. */
  #recordingOf(sim: Simulator): TestRecord["recording"] {
    const folder = recordingsFolder(this.#run.folder);
    if (!isThere(folder)) return undefined;
    try {
      const text = recordingAsText(sim.recording());
      if (text.length > LONGEST_RECORDING)
        return { missing: `the recording of this test has ${text.length} characters, which is too many.` };
      const path = `${folder}/${this.#run.number}-${this.#test.key}.json`;
      writeTextFile(path, text);
      return { path };
    } catch (error) {
      return { missing: messageOf(error) };
    }
  }

  /** Breaks the connection of a call that hangs. A client that gives up earlier does so as it does in production. */
  #breakSilence(sim: Simulator): void {
    const { engine, dispatcher } = sim.internals.parts;
    const { world } = engine;
    startTimer(LONGEST_SILENCE, () => {
      if (!this.#isOver && engine.world === world) dispatcher.breakSilence();
    });
  }

  /**
   * Moves the clock to the moment that a held call waits for, because the test waits for the call and cannot move it. What is due afterwards
   * is left to the test, even at that moment.
   */
  async #drive(sim: Simulator, until: number, recorder: Recorder): Promise<void> {
    const { parts } = sim.internals;
    const { world } = parts.engine;
    const { letGo } = recorder;
    while (!this.#isOver && parts.engine.world === world && parts.engine.now < until) {
      await nextMacrotask();
      if (sim.clock.busy) continue;
      const { now } = parts.engine;
      await sim.clock.driveTo(until, () => recorder.letGo > letGo);
      this.#driven += parts.engine.now - now;
    }
  }
}

/** Whether a fault leaves a call without an answer until its client gives up. */
function leavesSilence({ kind, ...fault }: PlannedTrouble["faults"][number]): boolean {
  return kind === "request.hang" || fault["as"] === "hang";
}

function assumptionsOf(sim: Simulator, { calls, cutShort, errors }: Recorder): AssumptionsOfTest {
  const { assumptions } = sim.internals.parts;
  const used = assumptions.idsOfUsed();
  // A fault answers errors of its own.
  const isKnown = cutShort === undefined && calls.every(({ struckBy }) => struckBy === undefined);
  const values = valuesOfTroubles(assumptions.overrides);
  return {
    used,
    ...(values === undefined ? {} : { values }),
    decided: used.filter((id) => Object.hasOwn(assumptions.overrides, id)),
    ...(isKnown ? { errors: [...errors] } : {}),
  };
}

function paymentsOf(sim: Simulator) {
  return sim.intents.list().map(({ id, purpose, status, amount, externalId, subscriptionId }) => ({
    id,
    purpose,
    status,
    amount,
    externalId,
    subscriptionId,
  }));
}
