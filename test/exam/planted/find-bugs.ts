import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfMutant } from "./open-mutant.ts";
import type { PlantedBug } from "./planted-bug.ts";

/** How many stories a search may take. */
const STORIES = 600;
const MOST_SENTENCES = 6;
/** By day, the exam looks for one of so many bugs of each list, because a search takes some ten seconds. By night it looks for all. */
const ONE_BY_DAY_OF = 8;

/**
 * Tests that the exam finds bugs of a list. Each list has a file of its own, so that processors share them.
 * @param expectOf expects more of the story that shows a bug
 */
export function testThatExamFinds(
  bugs: readonly PlantedBug[],
  expectOf: (story: readonly string[], bug: PlantedBug) => void = () => undefined,
): void {
  test.for(bugs.filter((_, place) => place % ONE_BY_DAY_OF === 0))(
    "finds what is planted in a merchant that is right: $name",
    async (bug) => {
      expectOf(await expectFound(bug), bug);
    },
  );
}

/** Expects that the exam finds a bug, and returns the story that shows it. */
export async function expectFound(bug: PlantedBug): Promise<readonly string[]> {
  const { failures } = await exam({ ...(await examOfMutant(bug)), budget: { stories: STORIES, failures: 1 } });
  const failure = failures.find(({ law }) => bug.laws.includes(law));
  expect(failure, failures.map(({ law, what }) => `${law}: ${what}`).join("\n")).toBeDefined();
  if (bug.misunderstanding !== undefined) expect(failure?.misunderstanding).toBe(bug.misunderstanding);
  const story = failure?.story ?? [];
  // The last sentence is what came of it.
  expect(story.length + 1).toBeLessThanOrEqual(MOST_SENTENCES);
  return story;
}
