import { simulated } from "centavo/testing";
import { examplesWith } from "../examples.cjs";

const { jest } = import.meta;
const examples = examplesWith({
  equal: (actual, expected) => expect(actual).toBe(expected),
  fakeTimers: () => jest.useFakeTimers(),
});

for (const { title, options = {}, timeout, test: run } of examples) test(title, simulated(options, run), timeout);

afterEach(() => void jest.useRealTimers());
