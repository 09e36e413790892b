import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isThrown, messageOf } from "../../kit/base/errors/thrown-values.ts";
import { placesOf } from "./source-places.ts";
import type { TestOutcome } from "./test-record.ts";

/** In characters. */
export const LONGEST_MESSAGE = 300;

/** Returns the outcome of a test as it is written. */
export function outcomeOf(is: "passed" | "failed" | "left out", error: unknown): TestOutcome {
  if (is === "left out") return { is, why: "its runner expects it to fail" };
  if (is === "passed") return { is };
  const { stack } = (error ?? {}) as { readonly stack?: unknown };
  const [message = "", ...rest] = messageOf(error).split("\n");
  const details = rest.map((line) => line.trim()).filter((line) => line !== "");
  return {
    is,
    message: message.slice(0, LONGEST_MESSAGE),
    ...(message.endsWith(":") ? { details: details.join(" ").slice(0, LONGEST_MESSAGE) } : {}),
    stack: placesOf(stack),
    ...(isThrown(error, CentavoError) && error.code === "TEST_TIMED_OUT" ? { isTooLate: true } : {}),
    ...(missesItsSubject(error) ? { missesItsSubject: true } : {}),
  };
}

/** Whether an assertion found nothing where it looked, rather than something else. */
function missesItsSubject(error: unknown): boolean {
  if (isThrown(error, TypeError)) return /\b(?:undefined|null)\b/.test(messageOf(error));
  // Jest keeps both values in a field of its own, and vitest may have written them as text.
  const { matcherResult = error } = (error ?? {}) as { readonly matcherResult?: unknown };
  if (typeof matcherResult !== "object" || matcherResult === null || !("actual" in matcherResult)) return false;
  const { actual, expected } = matcherResult as { readonly actual: unknown; readonly expected?: unknown };
  if (actual === undefined || actual === null || actual === "undefined" || actual === "null")
    return actual !== expected;
  if (typeof actual !== "object" || typeof expected !== "object" || expected === null) return false;
  const names = Object.keys(expected);
  return names.length > 0 && names.every((name) => !(name in actual));
}
