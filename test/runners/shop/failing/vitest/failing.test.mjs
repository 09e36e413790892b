import { simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { afterEach, expect, test, vi } from "vitest";
import { examplesWith } from "../examples.cjs";

const examples = examplesWith({
  equal: (actual, expected) => expect(actual).toBe(expected),
  fakeTimers: () => vi.useFakeTimers(),
});

for (const { title, options = {}, timeout, test: run } of examples) {
  // Only `simulated` takes a name: `withSimulator` knows that of the test, and gives no two tests the same ids.
  if (options.name === undefined) withSimulator(test, options)(title, { timeout }, run);
  else test(title, { timeout }, simulated(options, run));
}

afterEach(() => void vi.useRealTimers());
