import { createClient } from "../client/client.ts";
import type { JournalEntry } from "../kit/engine/journal-entries.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isDateFaked } from "../kit/base/runtime/fakes.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { FaultState, SimulatorOptions } from "../simulator/payment-service.ts";
import type { RunContext } from "../report/gather-run.ts";
import type { ReportedRun } from "../report/reported-run.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import type { MerchantContact, RunningMerchant } from "./running-merchant.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { expect as assertingExpect } from "./expectation.ts";
import type { Expect } from "./expectation.ts";
import type { Scenario } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { Story } from "./story.ts";
import { openWay, reachedBy } from "./ways.ts";
import type { Way } from "./ways.ts";

/** The options of `runScenario`. */
export interface RunScenarioOptions {
  /** How requests reach the simulator; `"intercept"` by default, which only one story at a time can use. */
  readonly way?: Way;
  /** Overrides the scenario's simulator options, such as its seed. */
  readonly simulator?: SimulatorOptions;
  /** The `expect` that the story gets, such as vitest's. The default throws Node's assertion errors. */
  readonly expect?: Expect;
  /** Lets the process's `Date` follow the story's clock, unless something else fakes it or the scenario says `fakeDate: false`; off by default. */
  readonly fakeDate?: boolean;
  /** Called with each time that the story's clock reaches, as `sim.clock.now()` returns it. */
  readonly onMove?: (now: string) => void;
  /**
   * Waits for the story's script, and then for each of its cleanups. By default it waits as long as they take. If it rejects first, the
   * story fails with that error, and what the script does afterwards is ignored.
   */
  readonly wait?: (work: Promise<void>, sim: Simulator) => Promise<void>;
  /** @internal The merchant in another process that the story is played against. */
  readonly merchant?: RunningMerchant;
}

/** How a story went. */
export interface ScenarioResult {
  readonly title: string;
  readonly passed: boolean;
  /** The error that the script threw; absent if the story passed. */
  readonly error?: unknown;
  /** The likely cause of a failure and the way out, as lines; absent if the story passed or no cause was found. */
  readonly cause?: string;
  /** The story for people to read: its steps, and what happened in each, in virtual time. */
  readonly timeline: string;
  /** The journal's digest. The same script gives the same digest through every way in. */
  readonly digest: string;
  readonly journal: readonly JournalEntry[];
  /**
   * Returns the run as plain JSON, for `replay`.
   * @throws {CentavoError} `INVALID_STATE` when the simulator does not record
   */
  readonly recording: () => Recording;
  /** @internal What the story had to do with a merchant in another process. */
  readonly contact?: MerchantContact;
  /** @internal Returns what the HTML report shows of the story. */
  readonly reported: (context: RunContext) => Promise<ReportedRun>;
}

/**
 * Runs a story in a new simulator. An error of the script does not reject: it is in the result.
 *
 * @throws {CentavoError} for invalid simulator options
 *
 * @example
 * import story from "../scenarios/intent-succeeds.ts";
 * test(story.title, async () => {
 *   const { error } = await runScenario(story, { expect });
 *   expect(error).toBeUndefined();
 * });
 */
export async function runScenario(scenario: Scenario, options: RunScenarioOptions = {}): Promise<ScenarioResult> {
  refuseUnknownOptions("runScenario", options, [
    "way",
    "simulator",
    "expect",
    "fakeDate",
    "onMove",
    "wait",
    "merchant",
  ]);
  const { way = "intercept", expect = assertingExpect, wait = (work) => work, merchant: running } = options;
  const { unusedFaults = "fail", fakeDate = options.fakeDate ?? false, ...simulatorOptions } = scenario.options;
  const own = { ...simulatorOptions, ...options.simulator };
  const settings = running === undefined ? own : (await import("./running-merchant.ts")).optionsWith(running, own);
  if (settings.timers === true) await import("../merchant/process/fake-timers.ts");
  const sim = createSimulator(settings);
  const story = new Story({ clock: sim.clock, journal: sim.internals.parts.engine.journal });
  const merchantWay = running && (await (await import("./running-merchant.ts")).openMerchantWay(sim, running));
  const opened = merchantWay ?? (await openWay(way, sim));
  // The stamps of webhooks are real time for a merchant elsewhere.
  if (fakeDate && running === undefined && !isDateFaked()) (await import("../adapters/fake-date.ts")).fakeDate(sim);
  const cleanups: (() => Promise<void> | void)[] = [() => sim.close(), () => opened.close()];
  if (options.onMove !== undefined) cleanups.push(sim.clock.onMove(options.onMove));
  const { merchant } = opened;
  const client = createClient({
    adminKey: sim.credentials.adminKey,
    ...merchant,
    assumptions: sim.internals.parts.assumptions.overrides,
    ...(merchantWay !== undefined && { fetch: sim.fetch }),
  });
  let failure: Pick<ScenarioResult, "error" | "cause"> | undefined;
  let explanation: RunContext["explanation"];
  try {
    const play = async (stage: Stage): Promise<void> => scenario.script(stage);
    const script = async (stage: Stage): Promise<void> => merchantWay?.run(() => play(stage)) ?? play(stage);
    const played = script({
      sim,
      client,
      customer: sim.customer,
      clock: sim.clock,
      expect,
      merchant,
      ...(running !== undefined && { merchantUrl: running.url }),
      step: (text) => story.step(text),
      note: (who, what) => story.note(who, what),
      defer: (cleanup) => void cleanups.push(cleanup),
    });
    await wait(played, sim);
    if (unusedFaults === "fail") refuseUnused(sim.faults.unused());
  } catch (error) {
    const { causesOf, explanationOf } = await import("../report/causes/cause-report.ts");
    const session = { log: story.notes, reachedBy: reachedBy(way) };
    const cause = causesOf(sim, error, session);
    explanation = explanationOf(sim, error, session);
    failure = { error, ...(cause === undefined ? {} : { cause }) };
  }
  for (const cleanup of cleanups.toReversed()) {
    try {
      await wait(Promise.resolve(cleanup()), sim);
    } catch (error) {
      failure ??= { error };
    }
  }
  const { journal } = sim;
  const contact = merchantWay?.contact();
  return {
    title: scenario.title,
    passed: failure === undefined,
    ...failure,
    ...(contact !== undefined && { contact }),
    timeline: story.toString(),
    digest: journal.digest(),
    journal: journal.entries,
    recording: () => sim.recording(),
    reported: async (context) => {
      const { gatherRun } = await import("../report/gather-run.ts");
      const ending =
        failure === undefined ? { outcome: "passed" as const } : { outcome: "failed" as const, ...failure };
      return gatherRun(sim, {
        title: scenario.title,
        ...ending,
        ...(explanation === undefined ? {} : { explanation }),
        asides: story.asides,
        ...context,
      });
    },
  };
}

function refuseUnused(unused: readonly FaultState[]): void {
  if (unused.length === 0) return;
  const named = unused.map(({ id, fault, occasions }) => {
    const times = occasions === 1 ? "once" : `${occasions} times`;
    const reason = occasions === 0 ? "nothing matched it" : `it matched ${times} and did not fire`;
    return `${id} ${JSON.stringify(fault)}: ${reason}`;
  });
  throw new CentavoError(
    "UNUSED_FAULT",
    `Some planned faults never fired, so the story does not test what it was written for. ${named.join("; ")}. ` +
      'Correct what they select, or give the scenario { unusedFaults: "allow" }.',
  );
}
