import { createClient } from "../client/client.ts";
import type { JournalEntry } from "../engine/journal-entries.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import type { FaultState } from "../service/faults.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { expect as assertingExpect } from "./expectation.ts";
import type { Expect } from "./expectation.ts";
import type { Scenario } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { Story } from "./story.ts";
import { openWay } from "./ways.ts";
import type { Way } from "./ways.ts";

/** How a story is run. */
export interface RunScenarioOptions {
  /** How requests reach the simulator; `"intercept"` by default. One story at a time can use it. */
  readonly way?: Way;
  /** Overrides the scenario's own options of the simulator, such as its seed. */
  readonly simulator?: SimulatorOptions;
  /** The `expect` that the story gets, such as vitest's; by default one that throws Node's assertion errors. */
  readonly expect?: Expect;
  /** Told each moment that the story's clock comes to, in milliseconds since 1970; a story is silent otherwise. */
  readonly onMove?: (now: number) => void;
  /**
   * Waits for the story's script, and then for each of its cleanups, by default for as long as they take; where it rejects first, the story
   * has failed for that reason, and the rest of it goes unheard.
   */
  readonly wait?: (work: Promise<void>, sim: Simulator) => Promise<void>;
}

/** How a story went. */
export interface ScenarioResult {
  readonly title: string;
  readonly passed: boolean;
  /** What the script threw; absent where it passed. */
  readonly error?: unknown;
  /** The story as a person reads it: its steps, and what happened in each, in virtual time. */
  readonly timeline: string;
  /** The journal's digest: the same script gives the same digest through every way in. */
  readonly digest: string;
  readonly journal: readonly JournalEntry[];
  /**
   * The run as plain JSON, for `replay`.
   * @throws {CentavoError} `INVALID_STATE` where the simulator records nothing, as with a bounded journal
   */
  readonly recording: () => Recording;
}

/**
 * Runs a story in a simulator of its own. Never rejects for what the script does: a failure is in the result.
 *
 * @throws {CentavoError} for options that make no simulator, and `INTERCEPTION_CONFLICT` while another story or test intercepts the same base URL
 *
 * @example
 * import story from "../scenarios/intent-succeeds.ts";
 * test(story.title, async () => {
 *   const { error } = await runScenario(story, { expect });
 *   expect(error).toBeUndefined();
 * });
 */
export async function runScenario(scenario: Scenario, options: RunScenarioOptions = {}): Promise<ScenarioResult> {
  const { way = "intercept", expect = assertingExpect, wait = (work) => work } = options;
  const { unusedFaults = "fail", ...simulatorOptions } = scenario.options;
  const sim = createSimulator({ ...simulatorOptions, ...options.simulator });
  const story = new Story(sim);
  const opened = await openWay(way, sim);
  const cleanups: (() => Promise<void> | void)[] = [() => sim.close(), () => opened.close()];
  if (options.onMove !== undefined) cleanups.push(sim.clock.onMove(options.onMove));
  const { merchant } = opened;
  const client = createClient({ adminKey: sim.credentials.adminKey, ...merchant });
  let failure: { readonly error: unknown } | undefined;
  try {
    const script = async (stage: Stage): Promise<void> => scenario.script(stage);
    const played = script({
      sim,
      client,
      customer: sim.customer,
      clock: sim.clock,
      expect,
      merchant,
      step: (text) => story.step(text),
      note: (who, what) => story.note(who, what),
      defer: (cleanup) => void cleanups.push(cleanup),
    });
    await wait(played, sim);
    if (unusedFaults === "fail") refuseUnused(sim.faults.unused());
  } catch (error) {
    failure = { error };
  }
  for (const cleanup of cleanups.toReversed()) {
    try {
      await wait(Promise.resolve(cleanup()), sim);
    } catch (error) {
      failure ??= { error };
    }
  }
  const { journal } = sim;
  return {
    title: scenario.title,
    passed: failure === undefined,
    ...failure,
    timeline: story.toString(),
    digest: journal.digest(),
    journal: journal.entries,
    recording: () => sim.recording(),
  };
}

function refuseUnused(unused: readonly FaultState[]): void {
  if (unused.length === 0) return;
  const named = unused.map(({ id, fault, occasions }) => {
    const met = occasions === 0 ? "nothing that it concerns happened" : `it let ${occasions} of its occasions pass`;
    return `${id} ${JSON.stringify(fault)}: ${met}`;
  });
  throw new CentavoError(
    "UNUSED_FAULT",
    `Planned faults never struck, so that the story does not show what it was written for. ${named.join("; ")}. ` +
      'Mend what they select, or give the scenario { unusedFaults: "allow" }.',
  );
}
