import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { isSimulator } from "../simulator/shown.ts";
import { optionsOf } from "../simulator/recording.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { HostedWorlds, WorldOptions } from "./hosted-worlds.ts";
import type { State } from "./state/state.ts";
import { differenceOf } from "./world-difference.ts";

/** The name of the default world in a state file. No other world has it. */
const MAIN = "";

/** The options of a default world that are kept with it. */
export type KeptOptions = Pick<
  ReturnType<typeof optionsOf>,
  "seed" | "now" | "webhookUrl" | "credentials" | "assumptions"
>;

/** Opens a state file, with code that is loaded then. */
export async function openStateFile(path: string): Promise<State> {
  return (await import("./state/state.ts")).openState(path);
}

/** Returns the options of the default world in a state file; undefined for a new file. */
export function optionsOfMain(state: State | undefined): KeptOptions | undefined {
  return state?.worlds.get(MAIN) as KeptOptions | undefined;
}

/**
 * Brings all worlds of a server to where they were in its state file, and has the file follow them from now on. The file stays as it is until
 * all are back.
 * @throws {CentavoError} `INVALID_OPTION` when a world cannot be restored, or the default world was opened with other options
 */
export async function restoreWorlds(state: State, main: Service, worlds: HostedWorlds): Promise<void> {
  if (isSimulator(main)) await restoreMain(state, main);
  for (const [name, options] of state.worlds) {
    // Probes are answered meanwhile.
    await nextMacrotask();
    if (name !== MAIN) await worlds.restore(name, options as WorldOptions, state);
  }
  if (isSimulator(main)) state.follow(MAIN, ownOptionsOf(main), main);
  for (const { name, options, sim } of worlds.all) state.follow(name, options, sim);
}

function ownOptionsOf(sim: Simulator): KeptOptions {
  const { seed, now, webhookUrl, credentials, assumptions } = optionsOf(sim.internals.settings);
  return { seed, now, webhookUrl, credentials, assumptions };
}

async function restoreMain(state: State, sim: Simulator): Promise<void> {
  const kept = optionsOfMain(state);
  if (kept === undefined) return;
  const difference = differenceOf(kept as WorldOptions, ownOptionsOf(sim) as WorldOptions);
  if (difference === undefined) return state.play(MAIN, sim);
  throw new CentavoError(
    "INVALID_OPTION",
    `The state file has a world with other options: ${difference}. Leave these options out, so that those of the file count, or give another file.`,
  );
}
