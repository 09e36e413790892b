import * as z from "zod/mini";
import { parseInstant } from "../engine/duration.ts";
import { inWords } from "../base/errors/in-words.ts";
import { instant, name, wholeNumber } from "./fields.ts";

const HOW_LIKELY = "it takes a number from 0 to 1";

/** The fields, common to all faults, that say how often and when a fault fires. */
export const recurrenceFields = {
  /** Its name in the journal; `fault_1`, `fault_2` … by default. */
  id: z.optional(
    name.check(
      z.maxLength(100, "it takes at most 100 characters"),
      z.regex(/^\P{Cc}*$/u, "it takes no control characters"),
    ),
  ),
  /** The maximum number of times it fires; unlimited by default. */
  times: z.optional(wholeNumber(1)),
  /** How many occasions to skip first; none by default. */
  after: z.optional(wholeNumber(0)),
  /** Fires only on this occasion, counted from 1. */
  nth: z.optional(wholeNumber(1)),
  /** The probability that it fires on an occasion, from 0 to 1, drawn from its own random stream. */
  probability: z.optional(z.number(HOW_LIKELY).check(z.minimum(0, HOW_LIKELY), z.maximum(1, HOW_LIKELY))),
  /** The first moment of virtual time at which it fires. */
  from: z.optional(instant),
  /** The first moment of virtual time at which it no longer fires. */
  until: z.optional(instant),
};

export type Recurrence = z.input<z.ZodMiniObject<typeof recurrenceFields>>;

/** Returns what is wrong with a recurrence although its schema accepts it. */
export function recurrenceComplaint({ nth, times, after, from, until }: Recurrence): string | undefined {
  if (nth !== undefined && (times !== undefined || after !== undefined))
    return `nth is ${nth}, which already says how often and when; leave out ${times === undefined ? "after" : "times"}`;
  if (from !== undefined && until !== undefined && parseInstant(from) >= parseInstant(until))
    return `until is ${inWords(until)}, which must be later than from, ${inWords(from)}`;
  return undefined;
}

/** Whether a fault may fire at this moment of virtual time. */
export function isDue({ from, until }: Recurrence, now: number): boolean {
  return (from === undefined || parseInstant(from) <= now) && (until === undefined || now < parseInstant(until));
}

/**
 * Whether a fault fires on an occasion, before chance decides.
 * @param occasion its number, from 1
 * @param hits how often the fault has fired before
 */
export function isCalled({ times = Infinity, after = 0, nth }: Recurrence, occasion: number, hits: number): boolean {
  return hits < times && occasion > after && (nth === undefined || occasion === nth);
}
