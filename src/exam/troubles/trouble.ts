import type { OnPages, Point, PointKind } from "../story.ts";
import type { ActName } from "../options.ts";

type PlannedFault = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** What a trouble makes the exam do. */
export type Plan =
  /** The service's own fault, planned for this point. */
  | {
      readonly does: "fault";
      readonly fault: PlannedFault;
      /** What goes wrong from then on, until everything is repaired. */
      readonly also?: readonly PlannedFault[];
    }
  /** The merchant's program ends. */
  | { readonly does: "crash"; readonly when: "before" | "after" }
  /** The same again: at the same time, or afterwards. */
  | { readonly does: "twice"; readonly atOnce: boolean }
  /** The customer acts otherwise on the service's pages. */
  | { readonly does: "pages"; readonly pages: OnPages }
  /** Time passes first, in milliseconds. */
  | { readonly does: "wait"; readonly milliseconds: number }
  /** Somebody sends an event that the service never sent, about a payment that nobody has paid. */
  | { readonly does: "forge"; readonly signature: "none" | "wrong" | "other merchant" }
  /** The customer types the address of the way back, with a status of their choice. */
  | { readonly does: "type-return" }
  /** The customer does something else afterwards. */
  | { readonly does: "act"; readonly act: ActName; readonly atOnce: boolean }
  /** The customer does something else while a page is open, before acting there. */
  | { readonly does: "meanwhile"; readonly act: ActName }
  /** The customer leaves a page open, and acts there after the next step. */
  | { readonly does: "finish-later" }
  /** Another system of the same merchant uses the same externalId. */
  | { readonly does: "share"; readonly makes: "payment" | "subscription" }
  /** The service writes the same events in other bytes. */
  | { readonly does: "respell" }
  /** Deliveries overlap, and what happens at once goes on in an order of chance. */
  | { readonly does: "overlap" };

/** Something that can go wrong at a kind of point. */
export interface Trouble {
  readonly name: string;
  readonly at: PointKind;
  /** Whether it can happen at this point; always by default. */
  readonly fits?: (point: Point) => boolean;
  /** Whether it needs a payment for which the service waits for the customer. */
  readonly needsOpenPayment?: boolean;
  /** Whether it needs that the customer acts once more afterwards. */
  readonly needsAnotherAct?: boolean;
  readonly plan: Plan;
  /**
   * Says what goes wrong, as one sentence of the story.
   * @param customer the name of the customer at whose act it happens
   */
  readonly sentence: (point: Point, customer: string) => string;
}
