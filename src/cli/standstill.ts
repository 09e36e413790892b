import { CentavoError } from "../errors/centavo-error.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { toTimeline } from "../simulator/timeline.ts";

const BETWEEN_LOOKS = 100;

/**
 * Waits for a part of a story, and keeps the process alive for it: what waits for `AbortSignal.timeout` alone would let it end.
 * @param patience how long nothing may happen in the story, neither a call nor a move of its clock, in milliseconds of real time
 * @throws {CentavoError} `INVALID_STATE` naming what the story waits for, where that never comes
 */
export async function withoutStandstill(work: Promise<void>, sim: Simulator, patience: number): Promise<void> {
  const standstill = Promise.withResolvers<never>();
  let last = placeOf(sim);
  let since = performance.now();
  const looking = setInterval(() => {
    const now = placeOf(sim);
    if (now !== last) {
      last = now;
      since = performance.now();
    } else if (performance.now() - since >= patience) standstill.reject(stoodStill(sim, patience));
  }, BETWEEN_LOOKS);
  try {
    await Promise.race([work, standstill.promise]);
  } finally {
    clearInterval(looking);
  }
}

/** Changes with everything that happens in a simulator. */
function placeOf({ clock, journal }: Simulator): string {
  return `${clock.now()} ${journal.length} ${clock.pending().length}`;
}

function stoodStill(sim: Simulator, patience: number): CentavoError {
  const isHeld = sim.clock.pending().some(({ key }) => key.startsWith("held-call/"));
  const struck = sim.journal.entries.findLast(({ kind, details }) =>
    isHeld ? details["act"] === "hold" : kind === "fault" && details["act"] === "strike",
  );
  const why = isHeld
    ? 'It most likely waits for a call that is held while no one moves the clock. Keep the call\'s promise, move the clock (await clock.advance(…)), and await the promise then; or give the scenario { clock: "auto" }.'
    : "It waits for something that never comes, such as a call that hangs and that nobody gives up, or a promise that nobody settles.";
  const entry = struck === undefined ? "" : ` The journal has: ${toTimeline([struck])}.`;
  return new CentavoError(
    "INVALID_STATE",
    `The story stands still: nothing has happened in it for ${patience / 1000} s of real time. ${why}${entry}`,
  );
}
