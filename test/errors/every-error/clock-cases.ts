import { createSimulator } from "centavo";
import type { InFlightWork } from "../../../src/kit/engine/timer-handler.ts";
import { ParcelWorld } from "../../engine/parcels.ts";
import type { Causes } from "./cause.ts";

/** A world of the kit in which a timer's work fails after its command. */
async function failingWork(work: InFlightWork): Promise<void> {
  const world = new ParcelWorld();
  world.onRing(() => work);
  world.engine.unit(() => world.ringAt(10, "torn"));
  await world.clock.advance("1 s");
}
const fail = () => Promise.reject(new RangeError("the rope tore"));

/** What goes wrong with durations, moments and the clock. */
export const clockCauses: Causes = {
  CLOCK_TIMER_FAILED: {
    "a timer whose work fails after its command": () => failingWork(fail),
    "a timer whose work fails beside other work": () => failingWork({ begin: fail }),
  },
  INVALID_DURATION: {
    "clock.advance to the end of all dates": ({ clock }) => clock.advance("280000 years"),
    "clock.advance by more milliseconds than there are": ({ clock }) => clock.advance({ days: 1e9 }),
    "clock.advanceTo a number that is no moment": ({ clock }) => clock.advanceTo(Number.NaN),
    "clock.advance({ days: Infinity })": ({ clock }) => clock.advance({ days: Infinity }),
    'clock.advance("1.5 months")': ({ clock }) => clock.advance("1.5 months"),
    'clock.advance("0.5 ms")': ({ clock }) => clock.advance("0.5 ms"),
    "clock.advance(undefined)": ({ clock }) => clock.advance(undefined as never),
    "clock.advance({ microseconds: 5 })": ({ clock }) => clock.advance({ microseconds: 5 } as never),
    "clock.advance({})": ({ clock }) => clock.advance({}),
    'clock.advance("P1X")': ({ clock }) => clock.advance("P1X"),
    'clock.advance("1 day 2 days")': ({ clock }) => clock.advance("1 day 2 days"),
    'clock.advanceUntil with the limit "soon"': ({ clock }) => clock.advanceUntil(() => false, { limit: "soon" }),
  },
  INVALID_OPTION: {
    "clock.settle: an unknown option": ({ clock }) => clock.settle({ strickt: true } as never),
    "clock.advance: a wrong onProgress": ({ clock }) => clock.advance("1 s", { onProgress: 5 as never }),
    "clock.advanceUntil: no condition": ({ clock }) => clock.advanceUntil("paid" as never),
    "clock.advanceUntil: a promise": ({ clock }) => clock.advanceUntil((async () => true) as never),
    "clock.sleep: no signal": ({ clock }) => clock.sleep("1 s", { signal: "stop" as never }),
    "clock.onMove: no function": ({ clock }) => clock.onMove(5 as never),
    "clock.settle: a wrong strict": ({ clock }) => clock.settle({ strict: "yes" as never }),
    "createSimulator: a clock of a month": () => createSimulator({ clock: { auto: { horizon: "1 month" } } }),
    "createSimulator: a clock with a wrong horizon": () => createSimulator({ clock: { auto: 5 } as never }),
    "createSimulator: a wrong receiverTimeout": () => createSimulator({ receiverTimeout: 0 }),
  },
  WORLD_ENDED: {
    "a sleep after sim.close()": async (sim) => {
      await sim.close();
      await sim.clock.sleep("30 s");
    },
  },
};
