import type { Runner } from "./runner-matchers.ts";

/** The parts of `this` with which the matchers of Jest's `expect`, and of Playwright's, print a diff. */
interface PrintingContext {
  readonly expand?: boolean;
  readonly utils: {
    printDiffOrStringify(
      expected: unknown,
      actual: unknown,
      ofExpected: string,
      ofActual: string,
      expand: boolean,
    ): string;
  };
}

/** Adds a diff to the message of a failure, for an `expect` that prints the message alone. */
export const withPrintedDiff: Runner["withDiff"] = (context, { pass, actual, expected }, message) => {
  if (pass) return { pass, message: () => message };
  const { expand, utils } = context as unknown as PrintingContext;
  const diff = utils.printDiffOrStringify(expected, actual, "Expected", "Received", expand !== false);
  return { pass, message: () => `${message}\n\n${diff}` };
};
