import { exam } from "centavo/exam";
import type { Verdict } from "centavo/exam";
import { expect, test } from "vitest";
import { laws } from "../../../src/exam/laws/laws.ts";
import { keepers, merchants } from "./merchants.ts";

const verdicts = new Map<string, Verdict>();

test.for(Object.entries(merchants))("passes a merchant that %s", async ([name, merchant]) => {
  const verdict = await exam({ ...merchant, budget: { stories: 100 } });
  verdicts.set(name, verdict);
  expect(verdict.stories).toBe(100);
  expect(verdict.failures, String(verdict)).toEqual([]);
});

test.for(laws.map(({ name }) => name))(
  "a merchant that follows the remedy of %s reaches the law, and keeps it",
  (law) => {
    const keeper = keepers[law];
    if (keeper === undefined) throw new Error(`Name the honest merchant that follows the remedy of ${law}.`);
    const { unjudged, neverReached, failures } = verdicts.get(keeper) as Verdict;
    expect(unjudged).not.toHaveProperty(law);
    expect(neverReached).not.toContain(law);
    expect(failures).toEqual([]);
  },
);

test("no merchant is named for a law that is gone", () => {
  expect(Object.keys(keepers)).toEqual(laws.map(({ name }) => name));
});
