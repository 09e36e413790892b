import type { AssumptionOverrides, ChangeableAssumptionId } from "../service/assumption-table.ts";
import type { LeftOut } from "./steps.ts";

/** How a delivery is called among calls such as `POST /api/checkout`. */
export const DELIVERY = "a delivery";

/** A row whose value a recording shows. */
export interface ShownRow {
  readonly id: ChangeableAssumptionId;
  /** The value that was found. */
  readonly value: unknown;
  /** Whether it differs from the value that the calibration began with. */
  readonly changed: boolean;
  /** The exchanges that say so, such as `shop.har, entry 3`: they fit less under another value. */
  readonly exchanges: readonly string[];
}

/** A row on which recordings disagree. */
export interface Disagreement {
  readonly id: ChangeableAssumptionId;
  /** The key of a table; absent for a row without one. */
  readonly key?: string;
  readonly values: readonly { readonly value: unknown; readonly sources: readonly string[] }[];
}

/** Something in a recording that no assumption explains. */
export interface Drift {
  /** The exchange, such as `shop.har, entry 3`. */
  readonly source: string;
  /** What it is: `POST /api/checkout`, or a delivery. */
  readonly call: string;
  /** `status`, `headers.content-type`, or a path in the body such as `body.data.amount`. */
  readonly path: string;
  /** What the world says there; absent where it says nothing. */
  readonly expected?: unknown;
  /** What was recorded there; absent where nothing was. */
  readonly came?: unknown;
}

/** An act that was performed in the world, because a recording shows what came of it. */
export interface PerformedAct {
  /** The exchange before which it was performed. */
  readonly source: string;
  readonly act: string;
}

/** What recorded traffic says of the open questions. It is plain data, without secrets. */
export interface Calibration {
  /** The values that differ from the defaults, for `createSimulator({ assumptions })`. */
  readonly assumptions: AssumptionOverrides;
  /** The rows that the recordings show, in the order of the table. */
  readonly rows: readonly ShownRow[];
  /** The rows of which the recordings say nothing. */
  readonly unseen: readonly ChangeableAssumptionId[];
  /** The rows on which recordings disagree, with each value and the exchanges that say so. */
  readonly disagreements: readonly Disagreement[];
  readonly acts: readonly PerformedAct[];
  /** What no assumption explains. */
  readonly drift: readonly Drift[];
  /** The exchanges that were not played, each with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** How many exchanges were played. */
  readonly played: number;
  /** Whether the recordings are so long that not every value could be tried. */
  readonly isCut: boolean;
}
