import type { ServiceTrouble } from "../../troubles/trouble.ts";
import type { ActName } from "../options.ts";
import type { ChosenValues } from "../playing/chosen-values.ts";
import type { StoryRun } from "../playing/story-run.ts";
import type { ActStep, OnPages } from "../story.ts";

/** Something that can go wrong in a story, in which the exam plays the customers and runs the merchant's programs. */
export interface Trouble extends ServiceTrouble {
  /** Whether it needs a payment that waits for the customer. */
  readonly needsOpenPayment?: boolean;
  /** Whether it needs the customer to act again afterwards. */
  readonly needsAnotherAct?: boolean;
  /** Whether it needs a customer who is neither the first nor the last of those who do the same at once. */
  readonly needsNeighbours?: boolean;
  /** What the merchant's act must read of its context. */
  readonly needsRead?: keyof ChosenValues;
  /** An act that the merchant must offer. */
  readonly needsAct?: ActName;
  /** Whether it shows other things where a flow begins with another act. */
  readonly differsByAct?: boolean;
  /** Whether it forges a payment. */
  readonly isAttack?: boolean;

  /** The merchant's program dies before or after what happens at the point. */
  readonly crash?: "before" | "after";
  /** The customer does this at the moment at which the event arrives. */
  readonly meetsAct?: ActName;
  /** When the story begins, in milliseconds since 1970. It is no fault, and a story has only one beginning. */
  readonly begins?: number;
  /** A second program of the merchant runs during the whole story. Its clock is so many milliseconds ahead. */
  readonly secondProgram?: { readonly clock: number };
  /** A new program takes the place of the one that runs. */
  readonly deploys?: boolean;
  /** Each job starts again while it still runs. */
  readonly repeatsJobs?: boolean;
  /** The customer acts differently, or somebody else acts. */
  readonly onAct?: OnAct;
}

/** What happens around a customer's act, in the order of these fields. */
export interface OnAct {
  /** What the customer chooses. That is no fault. */
  readonly values?: (run: StoryRun) => Partial<ChosenValues>;
  readonly before?: (acting: Acting) => Promise<void>;
  readonly clicks?: 2;
  /** At the same time as the act. */
  readonly atOnce?: (acting: Acting) => Promise<unknown>;
  /** After the merchant's answer, before the customer goes to a page of the service. */
  readonly beforePages?: (acting: Acting) => Promise<unknown>;
  /** What the customer does on the service's pages. */
  readonly pages?: OnPages;
  readonly afterwards?: (acting: Acting) => Promise<void>;
}

/** A customer's act in progress. */
export interface Acting {
  readonly run: StoryRun;
  readonly step: ActStep;
  /** Asks the merchant for something. The merchant may not answer. */
  readonly ask: (act: ActName, method?: string) => Promise<Response | undefined>;
  /** Asks a moment later, and follows the answer as the customer does. */
  readonly again: (act: ActName, method?: string) => Promise<void>;
}
