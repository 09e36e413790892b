import { expect, test } from "vitest";
import { counted, durationInWords } from "../../src/report/page/words.ts";

const DAY = 86_400_000;

test.for([
  [0, "0 ms"],
  [1000, "1 second"],
  [90 * 60_000, "1 hour 30 minutes"],
  [DAY, "1 day"],
  [59 * DAY, "59 days"],
] as const)("a time of %s ms is %s", ([milliseconds, words]) => {
  expect(durationInWords(milliseconds)).toBe(words);
});

test.for([
  [1, "delivery", "1 delivery"],
  [2, "delivery", "2 deliveries"],
  [2, "day", "2 days"],
  [1200, "timer", "1,200 timers"],
] as const)("%s of a %s are %s", ([count, noun, words]) => {
  expect(counted(count, noun)).toBe(words);
});
