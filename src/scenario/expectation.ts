import assert from "node:assert/strict";

/** What can be expected of a value. Each method throws an `AssertionError`, with the difference, where the value is another. */
export interface Expectation {
  /** The same value (`Object.is`). */
  toBe(expected: unknown): void;
  /** Equal in every part, strictly. */
  toEqual(expected: unknown): void;
  /** Equal in those parts that are named. */
  toMatchObject(expected: object): void;
  /** A text that matches. */
  toMatch(expected: RegExp): void;
  /** A text with this part, or an array with this very element. */
  toContain(expected: unknown): void;
  toHaveLength(expected: number): void;
  toBeDefined(): void;
  toBeUndefined(): void;
  toBeGreaterThan(expected: number): void;
  toBeLessThan(expected: number): void;
}

/** `expect(actual)` and its opposite; a subset of what vitest and Jest call by the same names, so that theirs can take its place. */
export type Expect = (actual: unknown, message?: string) => Expectation & { readonly not: Expectation };

/** Expectations on top of Node's own assertions, whose messages show what differs. */
export const expect: Expect = (actual, message) => ({
  ...expectation(actual, message),
  not: opposite(actual, message),
});

function expectation(actual: unknown, message: string | undefined): Expectation {
  // Node 26 refuses a message that is there and undefined.
  const words: [] | [string] = message === undefined ? [] : [message];
  const check = (condition: boolean, otherwise: string): void => {
    if (!condition)
      throw new assert.AssertionError({
        message: message ?? `Expected ${show(actual)} ${otherwise}`,
        actual,
        operator: "expect",
      });
  };
  return {
    toBe: (expected) => assert.strictEqual(actual, expected, ...words),
    toEqual: (expected) => assert.deepStrictEqual(actual, expected, ...words),
    toMatchObject: (expected) => assert.partialDeepStrictEqual(actual, expected, ...words),
    toMatch: (expected) => check(typeof actual === "string" && expected.test(actual), `to match ${String(expected)}`),
    toContain: (expected) => check(contains(actual, expected), `to contain ${show(expected)}`),
    toHaveLength: (expected) =>
      check(lengthOf(actual) === expected, `to have the length ${expected}; it is ${String(lengthOf(actual))}`),
    toBeDefined: () => check(actual !== undefined, "to be defined"),
    toBeUndefined: () => assert.strictEqual(actual, undefined, ...words),
    toBeGreaterThan: (expected) => check(Number(actual) > expected, `to be greater than ${expected}`),
    toBeLessThan: (expected) => check(Number(actual) < expected, `to be less than ${expected}`),
  };
}

function opposite(actual: unknown, message: string | undefined): Expectation {
  const inner = expectation(actual, undefined);
  const fails = (name: keyof Expectation, expected: readonly unknown[]): void => {
    try {
      (inner[name] as (...values: readonly unknown[]) => void)(...expected);
    } catch (error) {
      if (error instanceof assert.AssertionError) return;
      throw error;
    }
    const words = `not.${name}(${expected.map(show).join(", ")}): it does, as ${show(actual)}`;
    throw new assert.AssertionError({ message: message ?? words, actual, operator: `not.${name}` });
  };
  return {
    toBe: (...expected) => fails("toBe", expected),
    toEqual: (...expected) => fails("toEqual", expected),
    toMatchObject: (...expected) => fails("toMatchObject", expected),
    toMatch: (...expected) => fails("toMatch", expected),
    toContain: (...expected) => fails("toContain", expected),
    toHaveLength: (...expected) => fails("toHaveLength", expected),
    toBeDefined: () => fails("toBeDefined", []),
    toBeUndefined: () => fails("toBeUndefined", []),
    toBeGreaterThan: (...expected) => fails("toBeGreaterThan", expected),
    toBeLessThan: (...expected) => fails("toBeLessThan", expected),
  };
}

function contains(actual: unknown, expected: unknown): boolean {
  if (typeof actual === "string") return actual.includes(String(expected));
  return Array.isArray(actual) && actual.includes(expected);
}

function lengthOf(actual: unknown): unknown {
  return typeof actual === "string" || Array.isArray(actual) ? actual.length : undefined;
}

function show(value: unknown): string {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
}
