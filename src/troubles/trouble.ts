import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { InShake } from "./in-shake.ts";
import type { Point, PointKind } from "./point.ts";
import type { ValuesOfTroubles } from "./values-in-force.ts";

export type PlannedFault = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** How long the service is out of order at most. In production, outages take minutes or hours. */
export const LONGEST_OUTAGE = "2 days";

/**
 * Something that can go wrong at a kind of point between the merchant and the service. Its declaration holds everything
 * that `centavo exam` and `centavo shake` know about it.
 */
export interface ServiceTrouble {
  /** Unique among the troubles at its kind of point. Tokens and coverage use it. */
  readonly name: string;
  readonly at: PointKind;
  /**
   * Says what goes wrong, as one sentence of the story.
   * @param customer the name of the customer whose act it strikes
   * @param values what the service in force answers otherwise
   */
  readonly sentence: (point: Point, customer: string, values: ValuesOfTroubles) => string;
  /** What a merchant owes when it strikes in a test that it already has. */
  readonly inShake: InShake;

  /**
   * `likely`: even a short search tries it at every kind of place. `variant`: it comes last, because a merchant who
   * fails it usually fails another trouble, too.
   */
  readonly order?: "likely" | "variant";
  /** Whether it can happen at a point; by default it always can. */
  readonly fits?: (point: Point) => boolean;
  /** Whether it shows something new at a call that only reads, which can be repeated whatever became of it. */
  readonly strikesReads?: true;
  /** Whether it shows the same at each event of a type, or of a resource, so that a shake makes it at one of them. */
  readonly onceForEach?: "type" | "resource";
  /** Whether it leaves customers in doubt whether their act succeeded. */
  readonly leavesInDoubt?: boolean;
  /** Whether it lets an event arrive after later things have happened. */
  readonly isLate?: boolean;

  /** A fault of the service, planned for the point. */
  readonly fault?: PlannedFault;
  /** Faults that last from the point until everything is repaired, `LONGEST_OUTAGE` at most. */
  readonly lasting?: readonly PlannedFault[];
  /** How long the lasting faults last exactly, such as `1 hour`. The story goes on until they end. */
  readonly lasts?: string;
  /** The event is delivered twice at once. */
  readonly deliversTwice?: boolean;
  /** Assumptions of the service for the whole story. */
  readonly assumptions?: AssumptionOverrides;
}
