import type { AssumptionOverrides } from "../../service/assumption-table.ts";
import type { ActName } from "../options.ts";
import type { ChosenValues } from "../playing/chosen-values.ts";
import type { StoryRun } from "../playing/story-run.ts";
import type { ActStep, OnPages, Point, PointKind } from "../story.ts";

export type PlannedFault = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** How long the service is out of order at most. In production, outages take minutes or hours. */
export const LONGEST_OUTAGE = "2 days";

/** Something that can go wrong at a kind of point. Its declaration holds everything that the exam knows about it. */
export interface Trouble {
  /** Unique among the troubles at its kind of point. Tokens and coverage use it. */
  readonly name: string;
  readonly at: PointKind;
  /**
   * Says what goes wrong, as one sentence of the story.
   * @param customer the name of the customer whose act it strikes
   */
  readonly sentence: (point: Point, customer: string) => string;

  /**
   * `likely`: even a short search tries it at every kind of place. `variant`: it comes last, because a merchant who
   * fails it usually fails another trouble, too.
   */
  readonly order?: "likely" | "variant";
  /** Whether it can happen at a point; by default it always can. */
  readonly fits?: (point: Point) => boolean;
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
  /** Whether it leaves customers in doubt whether their act succeeded. */
  readonly leavesInDoubt?: boolean;
  /** Whether it lets an event arrive after later things have happened. */
  readonly isLate?: boolean;
  /** Whether it forges a payment. */
  readonly isAttack?: boolean;

  /** A fault of the service, planned for the point. */
  readonly fault?: PlannedFault;
  /** Faults that last from the point until everything is repaired, `LONGEST_OUTAGE` at most. */
  readonly lasting?: readonly PlannedFault[];
  /** How long the lasting faults last exactly, such as `1 hour`. The story goes on until they end. */
  readonly lasts?: string;
  /** The merchant's program dies before or after what happens at the point. */
  readonly crash?: "before" | "after";
  /** The event is delivered twice at once. */
  readonly deliversTwice?: boolean;
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
  /** Assumptions of the service for the whole story. */
  readonly assumptions?: AssumptionOverrides;
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
