import { OriginalDate } from "../kit/base/runtime/dates.ts";

/** How far a clock of the real service may be from that of whoever recorded it, in milliseconds. */
export const TOLERANCE = 5000;
const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
/** Unix times in seconds or milliseconds from 2001 on. */
const EARLIEST = 1e9;
const IN_MILLISECONDS = 1e11;

/** The moments at which a recorded exchange and its counterpart in the world took place, in milliseconds. */
export interface Moments {
  readonly world: number;
  readonly recorded: number;
}

/** Returns the moment that a text names, in milliseconds; undefined where it names none. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value === "number") {
    if (!Number.isFinite(value) || value < EARLIEST) return undefined;
    return value < IN_MILLISECONDS ? value * 1000 : value;
  }
  if (typeof value !== "string" || !TIMESTAMP.test(value)) return undefined;
  const moment = OriginalDate.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}

/**
 * Whether two moments are the same, seen from the exchange that shows them. What is past says nothing of a length of time; what is to come
 * has to be as far away in both.
 */
export function isSameMoment(world: number, recorded: number, moments: Moments): boolean {
  const toCome = world - moments.world;
  const recordedToCome = recorded - moments.recorded;
  if (toCome <= TOLERANCE && recordedToCome <= TOLERANCE) return true;
  return Math.abs(toCome - recordedToCome) <= TOLERANCE;
}
