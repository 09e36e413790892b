import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { clubs, shops } from "./merchants.ts";

test.for(Object.entries({ ...shops, ...clubs }))(
  "passes a merchant that %s",
  // As long as a busy machine may take for 200 stories.
  async ([, merchant]) => {
    const verdict = await exam({ ...merchant, budget: { stories: 200 } });
    expect(verdict.stories).toBe(200);
    expect(verdict.passed, String(verdict)).toBe(true);
  },
);
