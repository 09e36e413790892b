import type { WorldOfEntries, WrittenEntries } from "../../kit/engine/written-entries.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import { once } from "../../kit/base/runtime/once.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { coverageOfSeen } from "./of-seen.ts";
import type { Coverage } from "../../simulator/coverage-result.ts";
import { readOnly } from "./scope.ts";
import type { CoverageScope } from "../../simulator/coverage-result.ts";
import { Seen } from "./seen.ts";

/** What was seen of worlds with bounded journals, from the first request for their coverage on. */
const followed = new WeakMap<WorldOfEntries, { readonly seen: Seen; readonly forgotten: number }>();
/** Starts following such worlds. Before, they cost nothing, because entries are published only to listeners. */
const follow = once(() =>
  listenToChannel("centavo:journal", (message) => {
    const written = message as WrittenEntries;
    followed.get(written.world)?.seen.addEntries(written);
  }),
);

/**
 * Returns what a simulator went through, as `sim.coverage()` does.
 * @param scope what is counted; everything by default
 * @throws {CentavoError} `INVALID_OPTION` for an unknown option or kind of resource, suggesting the nearest known one
 *
 * @example
 * const coverage = coverageOf(sim);
 * console.log(coverage.states.missing);
 */
export function coverageOf(sim: Simulator, scope: CoverageScope = {}): Coverage {
  refuseUnknownOptions("sim.coverage", scope, ["only"]);
  if (scope.only !== undefined) readOnly("sim.coverage: only", scope.only);
  const { engine } = sim.internals.parts;
  const { journal, identity: world } = engine;
  const known = followed.get(world);
  const seen = known?.seen ?? new Seen();
  const forgotten = known?.forgotten ?? journal.forgotten.count;
  seen.addEntries({ world, entries: journal.entries });
  if (Number.isFinite(sim.internals.settings.keep) && known === undefined) {
    followed.set(world, { seen, forgotten });
    follow();
  }
  return coverageOfSeen(seen, scope, forgotten);
}
