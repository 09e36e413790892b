import { replay, type Simulator } from "centavo";
import { expect } from "vitest";

/** What comes out of a file that a value was written to. */
export function jsonOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Replays what a simulator recorded, after a journey through JSON, and holds journal and recording to the original. */
export async function expectReplayable(sim: Simulator): Promise<Simulator> {
  const recording = sim.recording();
  const replayed = await replay(jsonOf(recording));
  expect(replayed.journal.digest()).toBe(sim.journal.digest());
  expect(replayed.recording()).toEqual(recording);
  return replayed;
}
