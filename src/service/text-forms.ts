import * as z from "zod/mini";
import type { Check } from "./bounds.ts";
import {
  HTTPS_URL,
  isAppUrl,
  ofEmailAddress,
  ofPersonName,
  ofPhoneNumber,
  ofWebOrAppUrl,
  ofWebPattern,
  ofWebUrl,
} from "./fields.ts";

/** How the texts of a contact and URLs have to look (`http.texts`). */
export const textForms = z.strictObject({
  name: z.enum(["filled", "any"]),
  email: z.enum(["filled", "any", "address"]),
  phone: z.enum(["filled", "any", "international"]),
  url: z.enum(["http", "https"]),
});
type TextForms = z.output<typeof textForms>;

export const usualForms: TextForms = { name: "filled", email: "filled", phone: "filled", url: "http" };

// Spelled without flags, because a pattern of JSON Schema has none.
const ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
/** As E.164 has it. */
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;
const HTTPS_PROBLEM = "must be an https URL without spaces, user name and password";

/** Returns the checks that take the places of those in the schemas. */
export function checksOf({ name, email, phone, url }: TextForms): ReadonlyMap<unknown, readonly Check<string>[]> {
  const checks: [usual: unknown, others: readonly Check<string>[]][] = [];
  if (name === "any") checks.push([ofPersonName, []]);
  if (email !== "filled")
    checks.push([ofEmailAddress, email === "any" ? [] : matching(ADDRESS, "must be an e-mail address")]);
  if (phone !== "filled")
    checks.push([
      ofPhoneNumber,
      phone === "any" ? [] : matching(INTERNATIONAL, "must be a phone number such as +639171234567"),
    ]);
  if (url === "https")
    checks.push(
      [ofWebUrl, [z.refine(isHttps, HTTPS_PROBLEM)]],
      [ofWebPattern, [z.meta({ pattern: HTTPS_URL.source })]],
      [ofWebOrAppUrl, [z.refine((given: string) => isHttps(given) || isAppUrl(given), HTTPS_PROBLEM)]],
    );
  return new Map(checks);
}

function isHttps(url: string): boolean {
  return HTTPS_URL.test(url) && URL.canParse(url);
}

function matching(pattern: RegExp, message: string): readonly Check<string>[] {
  return [z.refine((text: string) => pattern.test(text), message), z.meta({ pattern: pattern.source })];
}
