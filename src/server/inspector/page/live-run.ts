import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { nothingHappened } from "../../../report/reported-run.ts";
import { putRow, withResources, withState } from "../../../report/live-run.ts";
import type { LiveEvents } from "../../../report/live-run.ts";
import type { ReportedRun, Row } from "../../../report/reported-run.ts";
import { changes } from "../../../report/page/store.ts";
import { forgetCarried } from "./carried.ts";
import { PLACE, follow } from "./connection.ts";
import { worlds } from "./worlds.ts";

/** How many rows a page keeps, and how many of the oldest it drops when it has more. */
const MOST_ROWS = 50_000;
const DROPPED = 5000;

/** A run that grows while it is read. */
export interface LiveRun {
  readonly run: Signal<ReportedRun>;
  /** Whether the server has begun to tell it. */
  readonly isKnown: Signal<boolean>;
  readonly close: () => void;
}

/**
 * Follows the run of a world.
 * @param path the path of the world
 */
export function followRun(path: string): LiveRun {
  const run = signal<ReportedRun>({ ...nothingHappened, title: "" });
  const isKnown = signal(false);
  let members: ReportedRun = run.value;
  let rows: Row[] = [];
  let dropped = 0;
  let isPublishing = false;
  // Many events may come between two pictures, and each picture takes all of them.
  const publish = (): void => {
    if (isPublishing) return;
    isPublishing = true;
    requestAnimationFrame(() => {
      isPublishing = false;
      const notes = dropped === 0 ? [] : [`The first ${dropped.toLocaleString("en")} entries are no longer shown.`];
      isKnown.value = true;
      run.value = { ...members, notes: [...members.notes, ...notes], rows: [...rows] };
    });
  };
  const listeners = {
    run: (data: LiveEvents["run"]) => {
      members = { ...data, rows: [] };
      rows = [];
      dropped = 0;
      changes.value += 1;
      forgetCarried(path);
      publish();
    },
    rows: (data: LiveEvents["rows"]) => {
      for (const row of data) if (putRow(rows, row)) changes.value += 1;
      if (rows.length > MOST_ROWS) {
        rows = rows.slice(DROPPED);
        dropped += DROPPED;
      }
      publish();
    },
    resources: (data: LiveEvents["resources"]) => {
      members = withResources(members, data);
      publish();
    },
    state: (data: LiveEvents["state"]) => {
      members = withState(members, data);
      publish();
    },
    end: () => pause(),
  };
  let hasEnded = false;
  let stop = (): void => undefined;
  const pause = (): void => {
    stop();
    hasEnded = true;
  };
  const begin = (): void => {
    hasEnded = false;
    stop = follow(`${path}${PLACE}/inspector/run`, listeners, pause);
  };
  begin();
  // The next run of a test takes the place of the one before.
  const stopLooking = worlds.subscribe((listed = []) => {
    if (hasEnded && listed.some((world) => world.path === path)) begin();
  });
  const close = (): void => {
    stopLooking();
    stop();
  };
  return { run, isKnown, close };
}
