import type { ReportedRun } from "../report/reported-run.ts";
import type { Way } from "../scenario/ways.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { RerunOptions } from "./rerun-command.ts";
import type { ListedStory } from "./story-files.ts";

/** What a process of stories has to do. */
export interface Assignment {
  /** The file of the stories, relative to the working directory. */
  readonly path: string;
  readonly directory: string;
  /** The names of the stories to play, in order; all of the file if absent. */
  readonly names?: readonly string[];
  /** Whether it only loads the file. */
  readonly isListing?: boolean;
  readonly options: PlayOptions;
}

/** How stories are played. */
export interface PlayOptions {
  readonly way?: Way;
  readonly seed?: string;
  /** Apply where a story sets none of its own. */
  readonly assumptions?: AssumptionOverrides;
  /** The digests to check the stories against. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Milliseconds of real time without any call or clock move after which a story fails. */
  readonly patience: number;
  readonly isRecorded: boolean;
  readonly isReported: boolean;
  /** What the command that plays a story again repeats. */
  readonly rerun: RerunOptions;
}

/** How a story went, as plain data. */
export interface StoryResult {
  readonly timeline: string;
  readonly digest: string;
  /** Why it failed, and the likely cause, as lines; absent if it passed. */
  readonly problem?: string;
  /** How long it took, in seconds of real time. */
  readonly seconds: number;
  /** Its recording, as the text of its file. */
  readonly recording?: string;
  readonly report?: ReportedRun;
}

/** What a process of stories tells. */
export type Told =
  /** It is alive, and so far has the clock of its story come. */
  | { readonly kind: "alive"; readonly timers: number; readonly moment: string }
  | { readonly kind: "loaded"; readonly stories: readonly ListedStory[]; readonly isSkipped: boolean }
  /** The file could not be loaded. */
  | { readonly kind: "broken"; readonly why: string }
  | { readonly kind: "begun"; readonly name: string }
  /** A story has ended, when the process had printed so many bytes. */
  | { readonly kind: "ended"; readonly name: string; readonly printed: number; readonly result: StoryResult }
  /** The last story has ended. */
  | { readonly kind: "done" }
  /** Code of the file ends the process, or threw an error that no story under way could take. */
  | { readonly kind: "broken off"; readonly why: string };

/** Tells the command something, and waits until it is on its way. */
export type Tell = (told: Told) => Promise<void>;
