import * as z from "zod/mini";
import { durationMilliseconds, parseInstant } from "../engine/duration.ts";
import type { DurationLike } from "../engine/duration.ts";
import { messageOf } from "../base/errors/thrown-values.ts";

/** A century in milliseconds. More could exceed the last moment of a `Date`. */
const LONGEST = durationMilliseconds("36500 days");

/** A length of virtual time, as JSON: `"40 s"`, `{ minutes: 5 }`. */
const durationFrom = (least: 0 | 1) =>
  z.pipe(
    z
      .union([z.string(), z.record(z.string(), z.number())], {
        error: 'write it as "40 s", "3 days" or { minutes: 5 }; a bare number has no unit',
      })
      .check(
        z.superRefine((given, context) => {
          try {
            const milliseconds = durationMilliseconds(given);
            if (milliseconds > LONGEST) context.addIssue({ code: "custom", message: "it takes at most 36500 days" });
            if (milliseconds < least)
              context.addIssue({ code: "custom", message: 'it takes at least "1 ms"; no time would do nothing' });
          } catch (error) {
            context.addIssue({ code: "custom", message: messageOf(error) });
          }
        }),
      ),
    z.transform((given): DurationLike => given),
  );

/** A length of virtual time of at least 1 ms: `"40 s"`, `{ minutes: 5 }`. */
export const duration = durationFrom(1);
/** Like `duration`, but it may be 0, which means at once. */
export const pause = durationFrom(0);

const HOW_TO_WRITE_A_MOMENT = 'write it as "2026-03-01T00:00:00Z" or as a number of milliseconds since 1970';
/** A moment of virtual time, as JSON. */
export const instant = z.union([z.string(), z.number()], { error: HOW_TO_WRITE_A_MOMENT }).check(
  z.superRefine((given, context) => {
    try {
      parseInstant(given);
    } catch {
      context.addIssue({ code: "custom", message: HOW_TO_WRITE_A_MOMENT });
    }
  }),
);

export const json = z.json();
export const text = z.string("it takes text");
export const name = text.check(z.minLength(1, "it takes text that is not empty"));
export const yesOrNo = z.boolean("it takes true or false");

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `it takes ${words.map((word) => `"${word}"`).join(" or ")}`);
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `it takes a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`;
  return z.int(error).check(z.minimum(least, error), z.maximum(most, error));
}

/** Text that HTTP headers can carry. An answer that cannot be sent would look like a defect of the service. */
export const headerValue = text.check(z.regex(/^[\t\x20-\x7e]*$/, "a header's value is printable ASCII"));
/** The headers of an answer, except those that follow from the answer itself. */
export const headers = z.record(
  z
    .string()
    .check(
      z.regex(/^[!#$%&'*+.^`|~\w-]+$/, "this is not a header name"),
      z.regex(
        /^(?!(content-length|transfer-encoding|connection)$)/i,
        "content-length, transfer-encoding and connection follow from the answer itself",
      ),
    ),
  headerValue,
  'it takes names with their values, such as { "retry-after": "5" }',
);
