import type * as z from "zod/mini";
import { en } from "zod/locales";

/**
 * For every `safeParse` whose messages people read. `zod/mini` comes without messages, and those of the process can be in any language.
 */
export const inEnglish = { error: en().localeError };

/** What the project's own checks say of a value. What zod's say, such as `Too small`, stands in every message as what the value has to be. */
export function ownComplaints({ issues }: z.core.$ZodError): string {
  return issues.map(({ code, message }) => (code === "custom" ? behindColon(message) : "")).join("");
}

/** Writes a sentence as the reason that a longer one gives. */
export function behindColon(sentence: string): string {
  return `: ${sentence.replace(/^The /, "the ").replace(/\.$/, "")}`;
}
