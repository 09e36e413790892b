import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { nothingHappened } from "../../../report/reported-run.ts";
import type { ReportedResource, ReportedRun, Row } from "../../../report/reported-run.ts";
import { changes } from "../../../report/page/store.ts";
import { PLACE, follow } from "./connection.ts";

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
  const close = follow(`${path}${PLACE}/inspector/run`, {
    run: (data: Omit<ReportedRun, "rows">) => {
      members = { ...nothingHappened, ...data, rows: [] };
      rows = [];
      dropped = 0;
      changes.value += 1;
      publish();
    },
    rows: (data: readonly Row[]) => {
      for (const row of data) add(rows, row);
      if (rows.length > MOST_ROWS) {
        rows = rows.slice(DROPPED);
        dropped += DROPPED;
      }
      publish();
    },
    resources: (data: readonly (readonly [place: number, resource: ReportedResource])[]) => {
      const resources = [...members.resources];
      for (const [place, resource] of data) resources[place] = resource;
      members = { ...members, resources };
      publish();
    },
    state: (data: Partial<ReportedRun>) => {
      const { nothingFound: _, ...rest } = members;
      members = { ...(data.causes === undefined ? members : rest), ...data, rows: [] };
      publish();
    },
  });
  return { run, isKnown, close };
}

/** Adds a row at its place. One that was there already, such as a call that has now been answered, is replaced. */
function add(rows: Row[], row: Row): void {
  const end = rows.at(-1)?.sequence ?? 0;
  if (row.sequence > end) {
    rows.push(row);
    return;
  }
  const place = rows.findIndex(({ sequence }) => sequence >= row.sequence);
  rows.splice(place, rows[place]?.sequence === row.sequence ? 1 : 0, row);
  changes.value += 1;
}
