import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exam } from "centavo/exam";
import type { Failure } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfMutant } from "./open-mutant.ts";
import type { PlantedBug } from "./planted-bug.ts";

/** How many stories a search may take. */
const STORIES = 600;
const MOST_SENTENCES = 6;

/** The token of the story that shows each bug, by the bug's name. The search by night writes them down. */
export const storiesFile = join(import.meta.dirname, "stories.json");
export const stories = JSON.parse(readFileSync(storiesFile, "utf8")) as Readonly<Record<string, string>>;

/**
 * Tests that the exam finds each bug of a list. Each list has a file of its own, so that processors share them. A search takes some ten
 * seconds, so by day the exam only plays the story that the last search wrote down. It searches for a bug that has none yet.
 * @param expectOf expects more of the story that shows a bug
 */
export function testThatExamFinds(
  bugs: readonly PlantedBug[],
  expectOf: (story: readonly string[], bug: PlantedBug) => void = () => undefined,
): void {
  test.for(bugs)("finds what is planted in a merchant that is right: $name", async (bug) => {
    const token = stories[bug.name];
    const { story } = await (token === undefined ? search(bug) : playAgain(bug, token));
    expectOf(story, bug);
  });
}

/** Expects that the exam finds a bug by itself, and returns the failure that shows it. */
export async function search(bug: PlantedBug): Promise<Failure> {
  return expectShown(bug, await exam({ ...(await examOfMutant(bug)), budget: { stories: STORIES, failures: 1 } }));
}

async function playAgain(bug: PlantedBug, token: string): Promise<Failure> {
  try {
    return expectShown(bug, await exam({ ...(await examOfMutant(bug)), replay: token }));
  } catch (cause) {
    throw new Error(
      `The story in stories.json no longer shows "${bug.name}". If the exam or the merchant was meant to change, \`vitest run --project nightly test/exam/planted -t "${bug.name}"\` searches for another and writes it down.`,
      { cause },
    );
  }
}

/** Expects a failure that shows the bug, and returns it. */
function expectShown(bug: PlantedBug, { failures }: Awaited<ReturnType<typeof exam>>): Failure {
  const failure = failures.find(({ law }) => bug.laws.includes(law));
  if (failure === undefined)
    return expect.fail(["Not found, but:", ...failures.map(({ law, what }) => `${law}: ${what}`)].join("\n"));
  if (bug.misunderstanding !== undefined) expect(failure.misunderstanding).toBe(bug.misunderstanding);
  // The last sentence is what came of it.
  expect(failure.story.length + 1).toBeLessThanOrEqual(MOST_SENTENCES);
  return failure;
}
