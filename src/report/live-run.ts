import type { ReportedResource, ReportedRun, Row } from "./reported-run.ts";

/** What changed of a run besides its rows and resources: each member whole. `causes` comes with `nothingFound`, if there is one. */
export type LiveState = Partial<Omit<ReportedRun, "rows" | "resources" | "coverage" | "digest">>;

/** Resources that are new or have changed, each with its place in the list. */
export type ChangedResources = readonly (readonly [place: number, resource: ReportedResource])[];

/**
 * What the feed of a run sends, by the name of the event:
 *
 * - `run`: a run without rows, at the beginning, and whenever the world was replaced or a bounded journal has dropped entries. It takes the
 *   place of all that came before
 * - `rows`: at most 200 rows. A row with the sequence number of an earlier one takes its place
 * - `resources`, `state`: what changed
 * - `end`: the world was closed
 */
export interface LiveEvents {
  readonly run: ReportedRun;
  readonly rows: readonly Row[];
  readonly resources: ChangedResources;
  readonly state: LiveState;
  readonly end: Readonly<Record<string, never>>;
}

/**
 * Puts a row of an event at its place. One whose place was dropped is left out.
 * @returns whether it has taken the place of another, such as that of a call that has now been answered
 */
export function putRow(rows: Row[], row: Row): boolean {
  if (row.sequence > (rows.at(-1)?.sequence ?? 0)) {
    rows.push(row);
    return false;
  }
  const place = rows.findLastIndex(({ sequence }) => sequence === row.sequence);
  if (place === -1) return false;
  rows[place] = row;
  return true;
}

/** Returns a run with the resources of an event. */
export function withResources(run: ReportedRun, changed: ChangedResources): ReportedRun {
  const resources = [...run.resources];
  for (const [place, resource] of changed) resources[place] = resource;
  return { ...run, resources };
}

/** Returns a run with the state of an event. */
export function withState(run: ReportedRun, state: LiveState): ReportedRun {
  if (state.causes === undefined) return { ...run, ...state };
  const { nothingFound: _, ...rest } = run;
  return { ...rest, ...state };
}

/** A world, as the inspector lists it. */
export interface ListedWorld {
  /** Empty for the default world. */
  readonly name: string;
  /** What stands before the paths of the world: empty for the default one, else `/worlds/` and its name. */
  readonly path: string;
  /** The name of its test, if it is known; else its own. */
  readonly title: string;
  /** The virtual time, as ISO 8601. */
  readonly now: string;
  /** How many entries its journal has had. */
  readonly entries: number;
  readonly clock: WorldClock;
  /** Whether it has ended, so that nothing more happens in it. */
  readonly isEnded: boolean;
  /** Whether the server no longer has it, so that it can be neither read nor forked. A world whose test has ended stays for a while. */
  readonly isGone: boolean;
}

/** Who moves the clock of a world. */
export interface WorldClock {
  /** `page` when only the control API moves it, and so the page; `time` when it also moves by itself; `test` when a test owns the world. */
  readonly isMovedBy: "page" | "test" | "time";
  /** How many times as fast as real time it runs; undefined when it does not follow real time. */
  readonly factor?: number;
  /** Why nobody but its test may change the world. */
  readonly reason?: string;
}
