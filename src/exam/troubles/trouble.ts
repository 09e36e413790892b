import type { AssumptionOverrides } from "../../service/assumption-table.ts";
import type { ActName } from "../options.ts";
import type { StoryRun } from "../playing/story-run.ts";
import type { ActStep, OnPages, Point, PointKind } from "../story.ts";

export type PlannedFault = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Something that can go wrong at a kind of point. Everything that the exam knows of it stands in its declaration. */
export interface Trouble {
  /** Tells it from the others at its kind of point. Tokens and coverage name it by this. */
  readonly name: string;
  readonly at: PointKind;
  /**
   * Says what goes wrong, as one sentence of the story.
   * @param customer the name of the customer at whose act it happens
   */
  readonly sentence: (point: Point, customer: string) => string;

  /**
   * `likely`: even a short search tries it at every kind of place. `variant`: a merchant who fails it mostly fails another one, too, so it
   * comes last.
   */
  readonly order?: "likely" | "variant";
  /** Whether it can happen at a point; always by default. */
  readonly fits?: (point: Point) => boolean;
  /** Whether it needs a payment for which the service waits for the customer. */
  readonly needsOpenPayment?: boolean;
  /** Whether the customer has to act once more afterwards. */
  readonly needsAnotherAct?: boolean;
  /** An act that the merchant has to offer. */
  readonly needsAct?: ActName;
  /** Whether a customer cannot learn for a while whether anything was done. */
  readonly leavesInDoubt?: boolean;
  /** Whether it lets an event come after other things have happened. */
  readonly isLate?: boolean;
  /** Whether it forges a payment. */
  readonly isAttack?: boolean;

  /** How it strikes: a fault of the service, planned for its point. */
  readonly fault?: PlannedFault;
  /** Faults that last from then on, until everything is repaired. */
  readonly lasting?: readonly PlannedFault[];
  /** The merchant's program dies before or after what happens at the point. */
  readonly crash?: "before" | "after";
  /** The event is delivered twice at the same moment. */
  readonly deliversTwice?: boolean;
  /** Other assumptions of the service hold for the whole story. */
  readonly assumptions?: AssumptionOverrides;
  /** The customer acts differently, or somebody else acts. */
  readonly onAct?: OnAct;
}

/** What happens around an act of a customer, in the order of these fields. */
export interface OnAct {
  readonly before?: (acting: Acting) => Promise<void>;
  readonly clicks?: 2;
  /** At the same moment as the act. */
  readonly atOnce?: (acting: Acting) => Promise<unknown>;
  /** Once the merchant has answered, before the customer goes to a page of the service. */
  readonly beforePages?: (acting: Acting) => Promise<unknown>;
  /** What the customer does on the service's pages. */
  readonly pages?: OnPages;
  /** Whether the customer leaves the page open, and acts there after the next step. */
  readonly finishesLater?: boolean;
  readonly afterwards?: (acting: Acting) => Promise<void>;
}

/** An act of a customer while it happens. */
export interface Acting {
  readonly run: StoryRun;
  readonly step: ActStep;
  /** Asks the merchant for something. The merchant may not answer. */
  readonly ask: (act: ActName, method?: string) => Promise<Response | undefined>;
  /** Asks a moment later, and follows the answer as the customer does. */
  readonly again: (act: ActName, method?: string) => Promise<void>;
}
