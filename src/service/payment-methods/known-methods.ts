import { unknownName } from "../../kit/base/errors/known-names.ts";
import { matchesNothing } from "../../kit/faults/patterns.ts";
import { testMethods } from "../test-methods.ts";

/** The kinds of payment method, and the ids of the test methods. */
const knownMethods = [...new Set(testMethods.map(({ kind }) => kind)), ...testMethods.map(({ id }) => id)];

/**
 * What is not a test method, but may be written on purpose: the id of a stored card, and a card number in its place, which the
 * service itself refuses.
 */
const OTHER_METHOD = /^(pm_[\dA-Za-z]{24}|[\d -]+)$/;

/**
 * Returns a message about a payment method that no world can have; `undefined` for any other.
 * @param field the field that names the method
 */
export function unknownMethod(field: string, method: string): string | undefined {
  return OTHER_METHOD.test(method) ? undefined : unknownName(field, method, knownMethods);
}

/** Returns a message about a pattern that matches no payment method that a world can have; `undefined` for any other. */
export function unknownMethods(field: string, pattern: string): string | undefined {
  return OTHER_METHOD.test(pattern) ? undefined : matchesNothing(field, pattern, knownMethods);
}
