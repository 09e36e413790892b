import type { Recording } from "../simulator/payment-recording.ts";
import type { Snapshot } from "../simulator/snapshot.ts";

/**
 * What the file of a world says, one JSON object a line. A test's process appends lines, and the run's inspector plays them in a simulator of
 * its own. The first line is `opened`.
 */
export type WorldRecord = Opened | Begun | Continued | Ended;

/** A world that is followed from now on. */
export interface Opened {
  readonly kind: "opened";
  readonly title: WorldTitle;
  /** The process that writes the file. */
  readonly pid: number;
  readonly options: Recording["options"];
  /** The world before the first input; absent for a new world. */
  readonly start?: Snapshot;
}

/** What people call a world. */
export interface WorldTitle {
  /** The test's file, relative to the working directory; absent when the runner does not say. */
  readonly file?: string;
  /** The full name of the test. */
  readonly name: string;
}

/** Another world has replaced the one before: the test called `reset` or `restore`. */
export interface Begun {
  readonly kind: "begun";
  readonly start: Snapshot;
}

/** The inputs since the line before, and the place that the world has reached. */
export interface Continued extends Place {
  readonly kind: "continued";
  readonly inputs: Recording["inputs"];
  /** False while a delivery is in flight, whose answer is among the next inputs. */
  readonly isAtRest: boolean;
}

/** Nothing more comes: the test has ended. */
export interface Ended {
  readonly kind: "ended";
}

type Place = Recording["end"];

/** The folder of worlds in that of a run, and how the names of their files end. */
export const WORLDS = "worlds";
export const WORLD_FILE = ".jsonl";
/** Where the inspector of a run says how to reach it. */
export const HUB_FILE = "inspector.json";
/** Tells the inspector of a run that has ended that there is a newer one. */
export const REPLACED_FILE = "replaced";

/** What `HUB_FILE` says. */
export interface RunningHub {
  readonly pid: number;
  /** Its address, with the code that signs a browser in. */
  readonly url: string;
}

export function titleInWords({ file, name }: WorldTitle): string {
  // vitest's full names begin with the file.
  return file === undefined || name.startsWith(`${file} > `) ? name : `${file} > ${name}`;
}
