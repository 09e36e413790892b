import { shortened } from "../../kit/base/errors/in-words.ts";
import { isObject } from "../../simulator/shown.ts";

/**
 * Compares JSON with the part of it that matters. The part may contain a runner's asymmetric matchers, such as `expect.any(String)`,
 * anywhere. Lists must match as a whole.
 */
export function matchesPart(actual: unknown, part: unknown): boolean {
  if (isAsymmetric(part)) return part.asymmetricMatch(actual);
  if (Array.isArray(part)) {
    if (!Array.isArray(actual) || actual.length !== part.length) return false;
    return part.every((member, position) => matchesPart(actual[position], member));
  }
  if (!isObject(part)) return Object.is(actual, part);
  return isObject(actual) && Object.entries(part).every(([name, member]) => matchesPart(actual[name], member));
}

/**
 * Reduces JSON to the fields that a part has, so that a diff shows nothing else. Where the part matches, the result contains the part
 * itself.
 */
export function cutTo(part: unknown, actual: unknown): unknown {
  if (matchesPart(actual, part)) return part;
  if (!isObject(part) || !isObject(actual) || isAsymmetric(part) || Array.isArray(part)) return actual;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([name]) => name in actual)
      .map(([name, member]) => [name, cutTo(member, actual[name])]),
  );
}

/** Formats a part for a message. An asymmetric matcher is written by name, such as `Any<Number>`, because it matches many values. */
export function partInWords(part: object): string {
  const named = (_field: string, member: unknown): unknown =>
    isAsymmetric(member) ? (member.toAsymmetricMatcher?.() ?? member.toString()) : member;
  try {
    const text = JSON.stringify(part, named);
    return shortened(text);
  } catch {
    return "the given part";
  }
}

/** A runner's value that equals many others. */
interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
  toAsymmetricMatcher?(): string;
  toString(): string;
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof value["asymmetricMatch"] === "function";
}
