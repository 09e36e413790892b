import * as z from "zod/mini";
import { durationMilliseconds } from "../engine/duration.ts";
import { faultKind, selector } from "./declaration.ts";
import type { Occasion, StruckBy } from "./declaration.ts";
import type { Faults } from "./faults.ts";
import { duration, name, oneOf } from "./fields.ts";

/** A stamp that the merchant may check: of one delivery attempt, or of one access token. */
export interface StampOccasion extends Occasion {
  readonly stamp: "webhook" | "token";
  readonly merchant: string;
}

/** How far a stamp is from the merchant's time, in milliseconds; positive when the service is ahead. */
export interface Stamp {
  skew: number;
}

const stampSelector = selector<StampOccasion>();

/** Which stamps a fault concerns; all by default. */
export const stampSelectors = {
  merchant: stampSelector({
    field: z.optional(name),
    otherNames: ["merchantId"],
    selects: (merchant, stamped) => merchant === stamped.merchant,
  }),
  /** The stamps of webhook signatures, or the times of access tokens; both by default. */
  stamp: stampSelector({
    field: z.optional(oneOf(["webhook", "token"])),
    selects: (stamp, stamped) => stamp === stamped.stamp,
  }),
};

/**
 * The service's clock runs ahead of the merchant's or behind it. The occasion is a stamp that the merchant may check. The service's own
 * checks use its own clock.
 */
export const clockFaults = [
  faultKind<Stamp>()({
    kind: "clock.skew",
    inWords: "a service whose clock differs from yours",
    fields: {
      by: duration,
      /** Whether the service is ahead of the merchant or behind; ahead by default. */
      direction: z.optional(oneOf(["ahead", "behind"])),
    },
    effect({ by, direction }, stamp) {
      stamp.skew = durationMilliseconds(by) * (direction === "behind" ? -1 : 1);
    },
  }),
];

/**
 * Returns how far the service's clock is from a merchant's at one stamp, in milliseconds; positive when the service is ahead. The first
 * fault that fires decides.
 * @param stamped what gets the stamp, for the journal
 * @param struck collects the fault that fires
 */
export function skewOf(
  faults: Faults,
  stamp: "webhook" | "token",
  merchant: string,
  stamped: Readonly<Record<string, unknown>>,
  struck: StruckBy[] = [],
): number {
  if (faults.none) return 0;
  const occasion: StampOccasion = { stamp, merchant, note: { stamp, ...stamped }, struck };
  return faults.fire(clockFaults, occasion, { skew: 0 }, () => true).skew;
}
