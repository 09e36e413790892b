import { OriginalDate } from "../kit/base/runtime/dates.ts";
import * as z from "zod/mini";
import { $ZodCheckMinLength } from "zod/v4/core";
import { moment } from "../kit/engine/row-schema.ts";
import { fieldProblems } from "../kit/http/problem.ts";
import type { FieldProblem } from "../kit/http/problem.ts";
import { bounds } from "./bounds.ts";
import { currencies, DEFAULT_CURRENCY } from "./currencies.ts";

/** The message that part 7 of the service document gives for a checkout amount of 0 or less. */
export const AMOUNT_TOO_SMALL = tooSmall(1);

/** The message for an amount below this minimum. */
export function tooSmall(minimum: number): string {
  return `Amount must be at least ${minimum} (in cents)`;
}

export const LARGEST_AMOUNT = bounds.amount.usual;

/** For a refinement of an object: it also runs when fields are invalid, so that one answer names every offending field. */
export const evenIfInvalid = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === "object" && value !== null,
};

/** Centavos: an integer from 1 to 99 999 999 999 (`http.bounds`). */
export const amount = z
  .int({ error: ({ input }) => (typeof input === "number" && input < 1 ? AMOUNT_TOO_SMALL : undefined) })
  .check(
    z.minimum(1, AMOUNT_TOO_SMALL),
    ...bounds.amount.checks,
    z.meta({ description: "Centavos", examples: [10000] }),
  );

/** The amount of a new intent or plan, of which `http.minimum-amount` can raise the minimum. Its check tells it from other amounts. */
export const ofLeastAmount = z.meta({ description: "Centavos", examples: [10000] });
export const leastAmount = amount.check(ofLeastAmount);

/** Returns what is wrong with the amount of an intent or a plan beyond its schema (`http.minimum-amount`). */
export function amountProblems(given: number | undefined, minimum: number): FieldProblem[] {
  return given === undefined || given >= minimum ? [] : fieldProblems(["amount"], tooSmall(minimum));
}

/** An upper-case code of ISO 4217. */
export const currency = z.enum(currencies).check(z.meta({ examples: [DEFAULT_CURRENCY] }));

/** A text that may be empty. */
export const optionalText = z.string().check(...bounds.text.checks);

/** Another type may have a `length` that throws when it is compared. zod's own `min` would compare it. */
const when = ({ value }: z.core.ParsePayload): boolean => typeof value === "string";
const shortest = (minimum: number) => new $ZodCheckMinLength({ check: "min_length", minimum, when });

/** A text that must not be empty. */
export const text = optionalText.check(shortest(1));

/** The texts of a contact, each with a check of its own, which `http.texts` replaces. */
export const ofPersonName = shortest(1);
export const personName = optionalText.check(ofPersonName);
export const ofEmailAddress = shortest(1);
export const emailAddress = optionalText.check(ofEmailAddress);
export const ofPhoneNumber = shortest(1);
export const phoneNumber = optionalText.check(ofPhoneNumber);

// Spelled without flags, because a pattern of JSON Schema has none. What stands before the path has no `@`, so no user name or password.
export const WEB_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#\\@]+(?:[/?#]\S*)?$/;
/** Of the same URLs, those that are https. */
export const HTTPS_URL = new RegExp(WEB_URL.source.replace("[Ss]?", "[Ss]"));
const APP_URL =
  /^(?!(?:https?|javascript|data|file|blob|about|vbscript):)[a-z][a-z0-9+.-]*:(?![/\\]*[^\s/?#\\]*@)\S*$/i;
const WEB_URL_PROBLEM = "must be an http or https URL without spaces, user name and password";

/** An http or https URL without user info, of any length. */
export const httpUrl = z.string().check(z.refine(isWebUrl, WEB_URL_PROBLEM));

/** The checks of URLs, which `http.texts` replaces. */
export const ofWebUrl = z.refine<string>(isWebUrl, WEB_URL_PROBLEM);
export const ofWebPattern = z.meta({ pattern: WEB_URL.source });
export const ofWebOrAppUrl = z.refine<string>((url) => isWebUrl(url) || isAppUrl(url), WEB_URL_PROBLEM);

/** An http or https URL without user info. */
export const webUrl = z.string().check(...bounds.url.checks, ofWebUrl, ofWebPattern);

/** Tells the URL of a return from other URLs. */
export const ofReturnUrl = z.meta({
  pattern: WEB_URL.source,
  description: "Where `return.schemes` allows it, the URL of an app too",
});

/** The URL that a customer returns to. The schema accepts an app's own scheme; a check of the route asks `return.schemes`. */
export const returnUrl = z.string().check(...bounds.url.checks, ofWebOrAppUrl, ofReturnUrl);

function isWebUrl(url: string): boolean {
  return WEB_URL.test(url) && URL.canParse(url);
}

export function isAppUrl(url: string): boolean {
  return APP_URL.test(url) && URL.canParse(url);
}

/** The check of metadata that may hold any JSON (`http.metadata`). */
export const ofAnyMetadata = z.refine<Readonly<Record<string, unknown>>>(
  (value) => hasFiniteNumbers(value),
  "must have numbers that a double can hold; others cannot be returned as sent",
);

/** The check of metadata that may hold texts alone (`http.metadata`). */
export const ofTextsAlone = z.refine<Readonly<Record<string, unknown>>>(
  (value) => Object.values(value).every((entry) => typeof entry === "string"),
  "must have texts alone as values",
);

/** The merchant's own key-value data, stored and returned exactly as sent. */
export const metadata = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object of key-value data",
  )
  .check(...bounds.metadataKeys.checks, ...bounds.metadataValue.checks, ofAnyMetadata, z.meta({ type: "object" }));

/** A moment of a stored row, in milliseconds since 1970. Answers show it with a year of four digits. */
export const storedMoment = moment.check(
  z.minimum(OriginalDate.parse("0000-01-01T00:00:00.000Z")),
  z.maximum(OriginalDate.parse("9999-12-31T23:59:59.999Z")),
);

/** `YYYY-MM-DDTHH:mm:ss.sssZ` (`time.format`). Only answers have it, which nothing parses: zod's own check would bring all of `z.iso` along. */
export const timestamp = z.string().check(z.meta({ format: "date-time", examples: ["2026-01-01T00:00:00.000Z"] }));

/**
 * Makes the schema of a whole number in a query. It reads digits only, because JavaScript turns other texts into numbers too, such as an
 * empty one into 0.
 * @param range bounds, both inclusive
 */
export function queryInteger({ min, max }: { readonly min: number; readonly max?: number }) {
  const atLeast = z.int("must be a whole number").check(z.minimum(min, `must be at least ${min}`));
  return z.pipe(
    z.transform((value) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value)),
    max === undefined ? atLeast : atLeast.check(z.maximum(max, `must be at most ${max}`)),
  );
}

/** A number in a query, from 0 on. It reads decimal digits only, as `queryInteger` does. */
export const queryNumber = z.pipe(
  z.transform((value) => (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)),
  z.number("must be a number").check(z.minimum(0, "must be at least 0")),
);

/** Returns false when a number is not finite: 1e400 parses to Infinity, which JSON writes as null. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasFiniteNumbers);
}

/** Whether a caller may open a session of this merchant by its token. Where the token is enough, nobody in particular calls (`auth.scope`). */
export function opensSession(callerId: string, merchantId: string): boolean {
  return callerId === "" || callerId === merchantId;
}

/** For a route whose path names a session by its token, which opens the session's page. */
export const bySessionToken = {
  params: z.object({ sessionToken: z.string() }),
  secrets: { sessionToken: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/ },
} as const;
