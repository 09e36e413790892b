import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isThrown, messageOf } from "../../kit/base/errors/thrown-values.ts";
import { placesOf } from "./source-places.ts";
import type { TestOutcome } from "./test-record.ts";

/** In characters. */
export const LONGEST_MESSAGE = 300;

/** What runners say of a test, or of one of its hooks, whose limit of real time is over: vitest, Jest, Mocha, `node:test`, Playwright. */
const TOO_LATE =
  /^(?:(?:Test|Hook) timed out in \d|(?:thrown: ")?Exceeded timeout of \d|Timeout of \d+ms exceeded|test timed out after \d|Test timeout of \d+ms exceeded)/;
/** What the matchers of Jest and Playwright colour a message with, for a terminal. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const COLOUR = /\u001B\[[\d;]*m/g;
/** The first line of a message that only announces what was compared. */
const ANNOUNCES = /:$|^expect(?:\.\w+)*\(/;

/** Returns the outcome of a test as it is written. */
export function outcomeOf(is: "passed" | "failed" | "left out", error: unknown): TestOutcome {
  if (is === "left out") return { is, why: "its runner expects it to fail" };
  if (is === "passed") return { is };
  const { stack } = (error ?? {}) as { readonly stack?: unknown };
  const [message = "", ...rest] = messageOf(error).replaceAll(COLOUR, "").split("\n");
  const details = rest.map((line) => line.trim()).filter((line) => line !== "");
  return {
    is,
    message: message.slice(0, LONGEST_MESSAGE),
    ...(ANNOUNCES.test(message) ? { details: details.join(" ").slice(0, LONGEST_MESSAGE) } : {}),
    stack: placesOf(stack),
    ...(TOO_LATE.test(message) || (isThrown(error, CentavoError) && error.code === "TEST_TIMED_OUT")
      ? { isTooLate: true }
      : {}),
    ...(missesItsSubject(error) ? { missesItsSubject: true } : {}),
  };
}

/** Whether an assertion found nothing where it looked, or an error in place of an answer, or the error is of no assertion. */
function missesItsSubject(error: unknown): boolean {
  // Jest keeps both values in a field of its own, and vitest may have written them as text.
  const { matcherResult = error } = (error ?? {}) as { readonly matcherResult?: unknown };
  if (typeof matcherResult !== "object" || matcherResult === null || !("actual" in matcherResult))
    return isOfNoAssertion(error);
  const { actual, expected } = matcherResult as { readonly actual: unknown; readonly expected?: unknown };
  if (actual === undefined || actual === null || actual === "undefined" || actual === "null")
    return actual !== expected;
  if (typeof actual !== "object" || typeof expected !== "object" || expected === null)
    return isError(actual) && isSuccess(expected);
  const names = Object.keys(expected);
  const at = (values: object, name: string): unknown => (values as Readonly<Record<string, unknown>>)[name];
  return (
    (names.length > 0 && names.every((name) => !(name in actual))) ||
    names.some((name) => /status/i.test(name) && isError(at(actual, name)) && isSuccess(at(expected, name)))
  );
}

/** Whether an error is of something else than an assertion. Jest and Playwright begin with what they expect, the others name their errors so. */
function isOfNoAssertion(error: unknown): boolean {
  // Jest keeps there what a matcher says, also one of the user's own, which has no values.
  if (typeof error !== "object" || error === null || "matcherResult" in error) return false;
  const { name } = error as { readonly name?: unknown };
  return (
    !/Assertion/.test(text(name)) && !/^(?:Error: )?expect(?:\.\w+)*\(/.test(messageOf(error).replaceAll(COLOUR, ""))
  );
}

/** The status of an HTTP answer. Runners may have written it as text. */
function isError(value: unknown): boolean {
  return /^[45]\d\d$/.test(text(value));
}

function isSuccess(value: unknown): boolean {
  return /^[23]\d\d$/.test(text(value));
}

function text(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}
