import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { endsWithin, realTime } from "../kit/base/runtime/real-time.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { toTimeline } from "../simulator/timeline.ts";

/** Kept from import, because a story may replace them, or let them follow its clock. */
const { setInterval, clearInterval } = globalThis;

const BETWEEN_LOOKS = 100;

/**
 * Waits for a part of a story. It also keeps the process alive, which `AbortSignal.timeout` alone does not.
 * @param patience milliseconds of real time without any call or clock move after which the story has stalled
 * @throws {CentavoError} `INVALID_STATE` when the story has stalled, naming what it probably waits for
 */
export async function withoutStandstill(work: Promise<void>, sim: Simulator, patience: number): Promise<void> {
  const standstill = Promise.withResolvers<never>();
  let last = progressOf(sim);
  let since = realTime();
  const looking = setInterval(() => {
    const now = progressOf(sim);
    if (now !== last) {
      last = now;
      since = realTime();
    } else if (realTime() - since >= patience) standstill.reject(stoodStill(sim, patience));
  }, BETWEEN_LOOKS);
  try {
    await Promise.race([work, standstill.promise]);
  } finally {
    clearInterval(looking);
  }
}

/** Returns a text that changes whenever something happens in the simulator. */
function progressOf({ clock, journal }: Simulator): string {
  return `${clock.now()} ${journal.length} ${clock.pending().length}`;
}

function stoodStill(sim: Simulator, patience: number): CentavoError {
  const isHeld = sim.clock.pending().some(({ key }) => key.startsWith("held-call/"));
  const cause = sim.internals.parts.engine.journal.entries.findLast(({ kind, details }) =>
    isHeld ? details["act"] === "hold" : kind === "fault" && details["act"] === "strike",
  );
  const why = isHeld
    ? 'It most likely awaits a held call before it moves the clock. Keep the call\'s promise, move the clock (await clock.advance(…)), and then await the promise; or give the scenario { clock: "auto" }.'
    : "It waits for something that never happens, such as a call that hangs without a timeout, or a promise that is never settled.";
  const entry = cause === undefined ? "" : ` The journal has: ${toTimeline([cause])}.`;
  return new CentavoError(
    "INVALID_STATE",
    `The story has stalled: nothing has happened in it for ${patience / 1000} s of real time. ${why}${entry}`,
  );
}

/**
 * Waits for work that has no clock.
 * @throws {CentavoError} `INVALID_STATE` when it takes too long
 */
export async function withinPatience<Result>(work: Promise<Result>, patience: number): Promise<Result> {
  if (await endsWithin(work, patience)) return work;
  throw new CentavoError("INVALID_STATE", `Loading the file did not end within ${patience / 1000} s of real time.`);
}
