import assert from "node:assert/strict";

/** Assertions about a value. Each method throws an `AssertionError` that shows the difference. */
export interface Expectation {
  /** Expects the same value (`Object.is`). */
  toBe(expected: unknown): void;
  /** Expects a strictly, deeply equal value. */
  toEqual(expected: unknown): void;
  /** Expects an object with at least these properties. */
  toMatchObject(expected: object): void;
  /** Expects a string that matches. */
  toMatch(expected: RegExp): void;
  /** Expects a string that contains this part, or an array that contains this same element. */
  toContain(expected: unknown): void;
  toHaveLength(expected: number): void;
  toBeDefined(): void;
  toBeUndefined(): void;
  toBeGreaterThan(expected: number): void;
  toBeLessThan(expected: number): void;
}

/** `expect(actual)` and `expect(actual).not`: a subset of the `expect` of vitest and Jest, so that either can replace it. */
export type Expect = (actual: unknown, message?: string) => Expectation & { readonly not: Expectation };

/** The default `expect`, built on Node's own assertions, whose messages show the difference. */
export const expect: Expect = (actual, message) => ({
  ...expectation(actual, message),
  not: opposite(actual, message),
});

/** A comparison of `node:assert`. */
interface Comparison {
  (actual: unknown, expected: unknown): void;
  (actual: unknown, expected: unknown, message: string): void;
}

function expectation(actual: unknown, message: string | undefined): Expectation {
  // Node 26 refuses an explicit undefined message.
  const by =
    (compare: Comparison) =>
    (expected: unknown): void =>
      message === undefined ? compare(actual, expected) : compare(actual, expected, message);
  const check = (condition: boolean, otherwise: string): void => {
    if (!condition)
      throw new assert.AssertionError({
        message: message ?? `Expected ${show(actual)} ${otherwise}`,
        actual,
        operator: "expect",
      });
  };
  return {
    toBe: by(assert.strictEqual),
    toEqual: by(assert.deepStrictEqual),
    toMatchObject: by(assert.partialDeepStrictEqual),
    toMatch: (expected) => check(typeof actual === "string" && expected.test(actual), `to match ${String(expected)}`),
    toContain: (expected) => check(contains(actual, expected), `to contain ${show(expected)}`),
    toHaveLength: (expected) =>
      check(lengthOf(actual) === expected, `to have the length ${expected}; it is ${String(lengthOf(actual))}`),
    toBeDefined: () => check(actual !== undefined, "to be defined"),
    toBeUndefined: () => by(assert.strictEqual)(undefined),
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
