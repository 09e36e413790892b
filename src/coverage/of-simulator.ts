import type { WorldOfEntries, WrittenEntries } from "../engine/written-entries.ts";
import { listenToChannel } from "../runtime/diagnostics.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { coverageOfSeen } from "./coverage.ts";
import type { Coverage } from "./coverage.ts";
import { Seen } from "./seen.ts";

/** What was seen of worlds whose journals forget, since they were first asked. */
const followed = new WeakMap<WorldOfEntries, { readonly seen: Seen; readonly forgotten: number }>();
// This module is loaded when a test first asks for coverage, so others do not pay for it.
listenToChannel("centavo:journal", (message) => {
  const written = message as WrittenEntries;
  followed.get(written.world)?.seen.addEntries(written);
});

/**
 * Returns what a simulator went through, as `sim.coverage()` does.
 *
 * @example
 * const coverage = coverageOf(sim);
 * console.log(coverage.states.missing);
 */
export function coverageOf(sim: Simulator): Coverage {
  const { engine } = sim.internals.parts;
  const { journal, identity: world } = engine;
  const known = followed.get(world);
  const seen = known?.seen ?? new Seen();
  const forgotten = known?.forgotten ?? journal.forgotten.count;
  seen.addEntries({ world, entries: journal.entries });
  if (Number.isFinite(sim.internals.settings.journal.keep) && known === undefined)
    followed.set(world, { seen, forgotten });
  return coverageOfSeen(seen, forgotten);
}
