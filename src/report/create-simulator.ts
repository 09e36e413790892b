import { providedTimers } from "../kit/base/runtime/provided-timers.ts";
import { toSettings } from "../simulator/simulator-options.ts";
import { readRecording, withoutSecrets } from "../simulator/payment-recording.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import { openSimulator } from "../simulator/simulator.ts";
import type { Loaders, Simulator } from "../simulator/simulator.ts";

const loaders: Loaders = {
  report: () => import("./html-report.ts"),
  coverage: () => import("./coverage/of-simulator.ts"),
};

/** Creates a simulator that Centavo itself uses. It belongs to no test, so no watch sees it. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const settings = toSettings(options);
  const follow = options.timers === true ? providedTimers() : undefined;
  const sim = openSimulator(loaders, settings);
  follow?.(sim as never);
  return sim;
}

/**
 * Replays a recording: the same requests, answers of the merchant's app and acts of the test, at the same virtual times. The app itself is
 * not needed. Every replay of a recording gives the same journal, byte for byte.
 * @param recording the result of `sim.recording()`, from this process or another
 * @returns the simulator at the end of the run, with a manual clock and no connections; a delivery that was in flight is still to be made
 * @throws {CentavoError} `INVALID_RECORDING` naming the wrong field, `REPLAY_DIVERGED` naming the first input at which the run differs
 *
 * @example
 * const sim = await replay(JSON.parse(readFileSync("run.json", "utf8")));
 * console.log(String(sim.journal));
 */
export async function replay(recording: Recording): Promise<Simulator> {
  const read = readRecording(recording);
  try {
    const sim = createSimulator(read.options as SimulatorOptions);
    await sim.play(read);
    return sim;
  } catch (error) {
    throw withoutSecrets(error);
  }
}
