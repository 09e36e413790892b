import { z } from "zod";
import { hasNoUserInfo } from "../http/addresses.ts";

/** The message that part 7 of the service document gives for a checkout amount of 0 or less. */
export const AMOUNT_TOO_SMALL = "Amount must be at least 1 (in cents)";

const LARGEST_AMOUNT = 99_999_999_999;
const LONGEST_TEXT = 1000;
const LONGEST_URL = 2048;
const MOST_METADATA_KEYS = 50;
const LONGEST_METADATA_VALUE = 500;

/** Centavos: an integer from 1 to 99 999 999 999 (`http.bounds`). */
export const amount = z
  .int()
  .min(1, AMOUNT_TOO_SMALL)
  .max(LARGEST_AMOUNT)
  .meta({ description: "Centavos", examples: [10000] });

/** Another type may have a `length` that throws when it is compared. zod's own `max` and `min` would compare it. */
const when = ({ value }: z.core.ParsePayload): boolean => typeof value === "string";
const longest = (maximum: number) => new z.core.$ZodCheckMaxLength({ check: "max_length", maximum, when });
const shortest = (minimum: number) => new z.core.$ZodCheckMinLength({ check: "min_length", minimum, when });

/** A text that may be empty. */
export const optionalText = z.string().check(longest(LONGEST_TEXT));

/** A text that must not be empty. */
export const text = optionalText.check(shortest(1));

/** An http or https URL without user info. */
export const webUrl = z
  .url({ protocol: /^https?$/ })
  .check(longest(LONGEST_URL))
  .refine(hasNoUserInfo, "must not contain a user name or password");

/** The URL that a customer returns to. The schema accepts an app's own scheme; the command checks it against `return.schemes`. */
export const returnUrl = z
  .url({ protocol: /^(?!(?:javascript|data|file|blob|about|vbscript)$)[a-z][a-z0-9+.-]*$/ })
  .check(longest(LONGEST_URL))
  .refine(hasNoUserInfo, "must not contain a user name or password");

/** The merchant's own key-value data, stored and returned exactly as sent. */
export const metadata = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object of key-value data",
  )
  .refine((value) => Object.keys(value).length <= MOST_METADATA_KEYS, `must have at most ${MOST_METADATA_KEYS} keys`)
  .refine(
    (value) =>
      Object.values(value).every(
        (entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)).length <= LONGEST_METADATA_VALUE,
      ),
    `must have values of at most ${LONGEST_METADATA_VALUE} characters as text`,
  )
  .refine(hasFiniteNumbers, "must have numbers that a double can hold; others cannot be returned as sent")
  .meta({ type: "object", additionalProperties: true, maxProperties: MOST_METADATA_KEYS });

/** `YYYY-MM-DDTHH:mm:ss.sssZ` (`time.format`). */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ["2026-01-01T00:00:00.000Z"] });

/**
 * Makes the schema of a whole number in a query. It reads digits only, because JavaScript turns other texts into numbers too, such as an
 * empty one into 0.
 * @param range bounds, both inclusive
 */
export function queryInteger({ min, max }: { readonly min: number; readonly max?: number }) {
  const atLeast = z.int("must be a whole number").min(min, `must be at least ${min}`);
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value),
    max === undefined ? atLeast : atLeast.max(max, `must be at most ${max}`),
  );
}

/** Returns false when a number is not finite: 1e400 parses to Infinity, which JSON writes as null. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasFiniteNumbers);
}
