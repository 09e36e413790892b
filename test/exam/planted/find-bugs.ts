import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { plantedBugs } from "./bugs.ts";
import type { PlantedBug } from "./bugs.ts";
import { examOfMutant } from "./open-mutant.ts";

/** How many stories a search may take: about 20 seconds of one processor. */
const STORIES = 400;
const MOST_SENTENCES = 6;

/** Tests that the exam finds some of the bugs that are planted in the example shop. Two files share them, for two processors. */
export function testThatExamFinds(isMeant: (bug: PlantedBug) => boolean): void {
  test.for(plantedBugs.filter(isMeant))("finds what is planted in the example shop: $name", async (bug) => {
    const { failures } = await exam({ ...(await examOfMutant(bug)), budget: { stories: STORIES, failures: 1 } });
    const failure = failures.find(({ law }) => bug.laws.includes(law));
    expect(failure, failures.map(({ law, what }) => `${law}: ${what}`).join("\n")).toBeDefined();
    // The last sentence is what came of it.
    expect((failure?.story.length ?? 0) + 1).toBeLessThanOrEqual(MOST_SENTENCES);
  });
}

/** The files of the example shop that receive events. */
export function isOfEvents({ file }: PlantedBug): boolean {
  return ["shop.ts", "webhook-signature.ts", "webhooks.ts"].includes(file);
}
