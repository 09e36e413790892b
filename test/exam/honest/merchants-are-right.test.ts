import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { clubs, shops } from "./merchants.ts";

test.for(Object.entries({ ...shops, ...clubs }))("passes a merchant that %s", async ([, merchant]) => {
  const verdict = await exam({ ...merchant, budget: { stories: 100 } });
  expect(verdict.stories).toBe(100);
  expect(verdict.failures, String(verdict)).toEqual([]);
});
