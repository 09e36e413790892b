import type { ReportedRun } from "../report/reported-run.ts";
import type { MerchantContact, RunningMerchant } from "../scenario/running-merchant.ts";
import type { Way } from "../scenario/ways.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { OfStreams } from "./captured-output.ts";
import type { RerunOptions } from "./rerun-command.ts";
import type { ListedStory } from "./story-files.ts";

/** The work of a process of stories. */
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
  /** The merchant in another process that the stories are played against. */
  readonly merchant?: RunningMerchant;
  /** What the command that plays a story again repeats. */
  readonly rerun: RerunOptions;
}

/** How a story went, as plain data. A story that could not be played has neither a timeline nor a digest. */
export interface StoryResult {
  readonly timeline?: string;
  readonly digest?: string;
  /** Why it failed, and the likely cause, as lines; absent if it passed. */
  readonly problem?: string;
  /** How long it took, in seconds of real time. */
  readonly seconds: number;
  /** Its recording, as the text of its file. */
  readonly recording?: string;
  readonly report?: ReportedRun;
  /** What it had to do with a merchant in another process. */
  readonly contact?: MerchantContact;
}

/** A message from a process of stories. */
export type StoryMessage =
  /** The process is alive, and the clock of its story has come so far. */
  | { readonly kind: "heartbeat"; readonly timers: number; readonly moment: string }
  | { readonly kind: "file-loaded"; readonly stories: readonly ListedStory[]; readonly looksLikeStory: boolean }
  | { readonly kind: "file-failed"; readonly reason: string }
  | { readonly kind: "story-started"; readonly name: string }
  | {
      readonly kind: "story-ended";
      readonly name: string;
      readonly result: StoryResult;
      /** How many bytes the process had printed by then. */
      readonly printed: OfStreams<number>;
    }
  /** The last story has ended. */
  | { readonly kind: "done" }
  /** Code of the file ends the process, or threw an error that no story under way could take. */
  | { readonly kind: "aborted"; readonly reason: string };

/** Sends a message to the command, and waits until it is on its way. */
export type Send = (message: StoryMessage) => Promise<void>;
