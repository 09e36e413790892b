import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomStory } from "./oracle/steps.ts";
import { agrees } from "./stories/agrees.ts";
import { setsForStories } from "./under-sets.ts";

const SEED = 20_261_127;
const STORIES = 8;

describe.each(Object.entries(setsForStories))("under the %s set of values", (_name, assumptions) => {
  test(`${STORIES} random stories from the seed ${SEED} come to what the oracle says of the service document`, async () => {
    const met = new Set<string>();
    const property = fc.asyncProperty(randomStory, async (story) => {
      for (const word of (await agrees(story, assumptions)).met) met.add(word);
    });
    await fc.assert(property, { seed: SEED, numRuns: STORIES });
    const kinds = [...met].map((word) => word.split(" ", 1)[0]);
    expect(new Set(kinds)).toEqual(
      new Set(["answers", "events", "invoices", "payments", "sessions", "subscriptions", "transactions"]),
    );
  });
});
