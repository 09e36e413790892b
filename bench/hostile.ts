import type { HostileFigures } from "./answer-hostile-requests.ts";
import { startChild } from "./child.ts";
import { showProgress } from "./progress.ts";
import type { Bound, Figure } from "./table.ts";

const SLOWEST: Bound = { of: "value", atMost: 50 };
/**
 * The size grows 16-fold. The rest is for the processor's caches, into which only the short requests fit: linear work has grown up to 100-fold on a
 * machine whose memory is slow. Quadratic work grows 256-fold before that counts.
 */
const STEEPEST: Bound = { of: "value", atMost: 128 };

/** Measures requests whose text is chosen to cost as much as it can, of 1 MiB, and how much more they cost than of 64 KiB. */
export async function measureHostileRequests(): Promise<Figure[]> {
  showProgress("hostile requests");
  const child = startChild<null, HostileFigures>("answer-hostile-requests.ts");
  const { slowest, steepest } = await child.ask(null);
  child.close();
  return [
    {
      what: `The slowest hostile request of 1 MiB through \`sim.fetch\`: ${slowest.what}`,
      unit: "ms",
      value: slowest.milliseconds,
      bound: SLOWEST,
    },
    {
      what: `Its steepest growth from 64 KiB to 1 MiB: ${steepest.what}`,
      unit: "×",
      value: steepest.growth,
      bound: STEEPEST,
    },
  ];
}
