import { warnProcess } from "../../kit/base/runtime/process-warning.ts";
import { nextMacrotask, startTimer } from "../../kit/base/runtime/real-time.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isThrown, messageOf } from "../../kit/base/errors/thrown-values.ts";
import { isThere, writeTextFile } from "../../kit/base/runtime/files.ts";
import { recordingAsText } from "../../simulator/payment-recording.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { NamedTest } from "../recording-files.ts";
import type { TestOptions } from "../test-options.ts";
import { aftermathOf, eventsNow } from "./aftermath.ts";
import { noteBooksRead } from "./books-read.ts";
import { Recorder } from "./recorder.ts";
import { recordingsFolder, runOfProcess, shakenTest, writeRecord } from "./run-folder.ts";
import type { PlannedTrouble, ShakenRun, ShakenTest } from "./run-folder.ts";
import { placesOf } from "./source-places.ts";
import { planUnseen } from "./unseen-faults.ts";
import type { SourcePlace, TestOutcome, TestRecord } from "./test-record.ts";

const LONGEST_MESSAGE = 300;
/** How long an app may take for an answer, in milliseconds of real time. Among so many runs some meet a busy machine. */
const PATIENCE = 10_000;
/**
 * How long a call hangs before its connection breaks, in milliseconds of real time: less than the service waits for a handler, and
 * than runners wait for a test.
 */
const LONGEST_SILENCE = 1000;
/** In characters. A shake keeps many recordings at once, and a browser has to read what becomes of them. */
const LONGEST_RECORDING = 4_000_000;

/** One test in a suite that `centavo shake` runs: what goes wrong in it, and what it passes. */
export class SessionInShake {
  readonly #run: ShakenRun;
  readonly #test: ShakenTest;
  readonly #trouble: PlannedTrouble | undefined;
  #begun:
    | {
        readonly sim: Simulator;
        readonly recorder: Recorder;
        readonly from: number;
        readonly booksRead: readonly SourcePlace[];
      }
    | undefined;
  /** How long this session has moved the clock itself, in milliseconds. */
  #driven = 0;
  #isOver = false;

  private constructor(run: ShakenRun, named: NamedTest, file: string | undefined) {
    this.#run = run;
    this.#test = shakenTest(named, file);
    this.#trouble = run.plan[this.#test.key];
  }

  /** Returns the session of a test; undefined in a suite that is not shaken. */
  static of(named: NamedTest, file: string | undefined): SessionInShake | undefined {
    const run = runOfProcess();
    return run && new SessionInShake(run, named, file);
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
    return { ...patient, assumptions: Object.assign({}, options.assumptions, assumptions) };
  }

  begin(sim: Simulator): void {
    const { engine } = sim.internals.parts;
    const { faults = [] } = this.#trouble ?? {};
    const recorder = new Recorder(sim, planUnseen(sim, faults as never));
    if (faults.some(leavesSilence)) recorder.onStrike = () => this.#breakSilence(sim);
    recorder.onHold = (until) => void this.#drive(sim, until);
    this.#begun = { sim, recorder, from: engine.now, booksRead: noteBooksRead(sim) };
  }

  /** Returns the `fetch` of the test's own client. */
  ofTest(fetch: Simulator["fetch"]): Simulator["fetch"] {
    return (input, init) => {
      const call = (): Promise<Response> => fetch(input, init);
      return this.#begun?.recorder.ofTest(init?.method ?? "GET", call) ?? call();
    };
  }

  /** Writes what the test passed, and lets the service finish what it left. */
  async end(is: TestOutcome["is"], error?: unknown): Promise<void> {
    const begun = this.#begun;
    if (begun === undefined || this.#isOver) return;
    this.#isOver = true;
    const { sim, recorder, from } = begun;
    // What this session reads itself from now on does not count.
    const booksRead = [...begun.booksRead];
    try {
      const to = sim.internals.parts.engine.now;
      const events = eventsNow(recorder);
      const payments = paymentsOf(sim);
      const [calls, charges] = [[...recorder.calls], [...recorder.charges]];
      const { cutShort, struckAt, hasMovedSince, acts } = recorder;
      const trouble = {
        ...(struckAt === undefined ? {} : { struckAt }),
        ...(struckAt !== undefined && hasMovedSince ? { movedAfter: to - struckAt - this.#driven } : {}),
      };
      const { journal } = sim.internals.parts.engine;
      const entries = journal.forgotten.count + journal.length;
      const outcome = outcomeOf(is, error);
      const hasTime = is !== "left out" && outcome.isTooLate === undefined;
      const aftermath = this.#trouble === undefined || !hasTime ? undefined : await aftermathOf(sim, recorder);
      const recording = this.#trouble && this.#recordingOf(sim);
      writeRecord(this.#run, {
        test: this.#test,
        outcome,
        from,
        to,
        calls,
        events,
        payments,
        charges,
        acts,
        booksRead,
        entries,
        ...(cutShort === undefined ? {} : { cutShort }),
        ...(this.#trouble === undefined ? {} : { trouble }),
        ...(aftermath === undefined ? {} : { aftermath }),
        ...(recording === undefined ? {} : { recording }),
      });
    } catch (failure) {
      // The test's own result matters more; the command says that this test was not recorded.
      warnProcess(`Centavo could not record what the test "${this.#test.title}" passed: ${messageOf(failure)}`);
    } finally {
      recorder.stop();
    }
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

  /** Moves the clock to the moment that a held call waits for, because the test waits for the call and cannot move it. */
  async #drive(sim: Simulator, until: number): Promise<void> {
    const { parts } = sim.internals;
    const { world } = parts.engine;
    while (!this.#isOver && parts.engine.world === world && parts.engine.now < until) {
      await nextMacrotask();
      if (sim.clock.busy) continue;
      const { now } = parts.engine;
      await sim.clock.driveTo(until);
      this.#driven += parts.engine.now - now;
    }
  }
}

/** Whether a fault leaves a call without an answer until its client gives up. */
function leavesSilence({ kind, ...fault }: PlannedTrouble["faults"][number]): boolean {
  return kind === "request.hang" || fault["as"] === "hang";
}

function outcomeOf(is: TestOutcome["is"], error: unknown): TestOutcome {
  if (is !== "failed") return { is };
  const { stack } = (error ?? {}) as { readonly stack?: unknown };
  const [message = "", ...rest] = messageOf(error).split("\n");
  const details = rest.map((line) => line.trim()).filter((line) => line !== "");
  return {
    is,
    message: message.slice(0, LONGEST_MESSAGE),
    ...(message.endsWith(":") ? { details: details.join(" ").slice(0, LONGEST_MESSAGE) } : {}),
    stack: placesOf(stack),
    ...(isThrown(error, CentavoError) && error.code === "TEST_TIMED_OUT" ? { isTooLate: true } : {}),
    ...(missesItsSubject(error) ? { missesItsSubject: true } : {}),
  };
}

/** Whether an assertion found nothing where it looked, rather than something else. */
function missesItsSubject(error: unknown): boolean {
  if (isThrown(error, TypeError)) return /\b(?:undefined|null)\b/.test(messageOf(error));
  // Jest keeps both values in a field of its own, and vitest may have written them as text.
  const { matcherResult = error } = (error ?? {}) as { readonly matcherResult?: unknown };
  if (typeof matcherResult !== "object" || matcherResult === null || !("actual" in matcherResult)) return false;
  const { actual, expected } = matcherResult as { readonly actual: unknown; readonly expected?: unknown };
  if (actual === undefined || actual === null || actual === "undefined" || actual === "null")
    return actual !== expected;
  if (typeof actual !== "object" || typeof expected !== "object" || expected === null) return false;
  const names = Object.keys(expected);
  return names.length > 0 && names.every((name) => !(name in actual));
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
