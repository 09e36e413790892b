import type { TestInfoError } from "@playwright/test";
import { shownError } from "../report/shown-error.ts";

/** What a matcher compared, as Playwright prints it in one line. */
const COMPARED = /^(?<side>Expected|Received)[^:\n]{0,40}: +(?<value>[^\n]*)$/gm;

/**
 * Makes an error again of what Playwright tells of one, for the search for causes. An assertion is known by what Playwright prints, because
 * its class is lost.
 */
export function errorTold({ message = "", value, stack, cause }: TestInfoError): Error {
  const [, name, text = ""] = /^(?:(\w*Error): )?([^]*)$/.exec(shownError({ message })) ?? [];
  const isAssertion = /^expect(?:\.\w+)*\(/.test(text) || /\bexpect\(/.test(text.split("\n", 1)[0] ?? "");
  const error = new Error(text === "" ? (value ?? "The test failed.") : text);
  error.name = isAssertion ? "AssertionError" : (name ?? "Error");
  if (cause !== undefined) error.cause = errorTold(cause);
  if (stack !== undefined) error.stack = shownError({ message: stack });
  if (!isAssertion) return error;
  // A matcher that prints no line for it has received something all the same.
  return Object.assign(error, { actual: text }, Object.fromEntries(Array.from(text.matchAll(COMPARED), comparedIn)));
}

function comparedIn({ groups = {} }: RegExpMatchArray): readonly [side: string, value: string | undefined] {
  const { side, value = "" } = groups;
  const [, quoted] = /^"(.*)"$/.exec(value) ?? [];
  return [side === "Expected" ? "expected" : "actual", value === "undefined" ? undefined : (quoted ?? value)];
}
