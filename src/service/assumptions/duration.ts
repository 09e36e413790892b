import * as z from "zod/mini";
import { DURATION } from "../../kit/assumptions/values-in-words.ts";
import { durationMilliseconds } from "../../kit/engine/duration.ts";

/** A length of virtual time, such as `24 hours`. */
export const duration = z.string().check(
  z.superRefine((text, context) => {
    try {
      durationMilliseconds(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  }),
  z.meta({ title: DURATION, examples: ["30 minutes"] }),
);

/** Whether each of these lengths of time is longer than the one before, and the first longer than nothing. */
export function isIncreasing(lengths: readonly string[]): boolean {
  const milliseconds = lengths.map((length) => {
    // A malformed length has a complaint of its own.
    return duration.safeParse(length).success ? durationMilliseconds(length) : Number.NaN;
  });
  return milliseconds.every((length, index) => !(length <= (milliseconds[index - 1] ?? 0)));
}
