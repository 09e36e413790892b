import type { StoredEntry } from "../../kit/engine/journal-entries.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { toTimeline } from "../../simulator/timeline.ts";
import { simulatorIn } from "./subject.ts";

export interface TimelineMatchers<R> {
  /**
   * Compares the timeline of a simulator with the snapshot that the runner keeps for this test. It has no values that differ from run to
   * run, such as ports.
   * @param hint tells several snapshots of one test apart
   *
   * @example
   * expect(sim).toMatchTimeline();
   */
  toMatchTimeline(hint?: string): R;
  /**
   * Compares the timeline of a simulator with a snapshot in the test file, which the runner writes there the first time.
   *
   * @example
   * expect(sim).toMatchInlineTimeline();
   */
  toMatchInlineTimeline(snapshot?: string): R;
}

/** Ports of this machine, which differ in each run. */
const LOCAL_PORT = /(?<=:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):)\d+/g;

/**
 * Returns the timeline of a simulator, as `String(sim.journal)` does, but without what differs between equal runs: ports of this machine,
 * texts of failed connections, and calls that only a test makes. Compare it with one that you have stored.
 * @throws {CentavoError} `INVALID_OPTION` for anything but a simulator
 *
 * @example
 * test("an order is paid", async (t) => {
 *   t.assert.snapshot(timelineOf(sim));
 * });
 */
export function timelineOf(sim: Simulator): string {
  return timelineIn("timelineOf", sim);
}

/** Like `timelineOf`, for a matcher, which may receive anything. */
export function timelineIn(matcher: string, received: unknown): string {
  const { engine } = simulatorIn(matcher, received).internals.parts;
  const entries = engine.journal.entries
    .filter(({ details }) => Object.keys(details).length > 0)
    .map(({ sequence, at, kind, details }) => ({ sequence, at, kind, details }) as StoredEntry);
  return toTimeline(entries).replaceAll(LOCAL_PORT, "{port}");
}
