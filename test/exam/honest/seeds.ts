import type { ExamOptions } from "centavo/exam";
import { exam } from "centavo/exam";
import { expect } from "vitest";
import { flowsOf } from "../../../src/exam/flows.ts";
import { readOptions } from "../../../src/exam/read-options.ts";
import { runStory } from "../../../src/exam/run-story.ts";
import { planOf } from "../../../src/exam/stories.ts";
import { possibleFor } from "../../../src/exam/possible-troubles.ts";
import type { LearnedFlow } from "../../../src/exam/chances.ts";
import type { Story } from "../../../src/exam/story.ts";
import { tokenOf } from "../../../src/exam/token.ts";

/** How many worlds have the stories that a short search begins with: each kind of trouble at each kind of place. */
const FIRST = 300;
/** How many have other stories with one trouble, from all flows evenly. */
const FURTHER = 100;
const WITH_TWO_TROUBLES = 400;
/** How many have the troubles of two pairs in one story. */
const WITH_FOUR_TROUBLES = 200;

/** Before a release, every honest merchant passes a thousand stories under each of these. */
export const SEEDS = [1, 2, 3];

/**
 * Plays a thousand stories of a merchant, each in a world with a seed of its own, and expects that no law is broken. The points are learned
 * once, and each story is another: 400 have one trouble, 400 have two, and 200 have up to four.
 * @param seed decides the stories and their worlds
 */
export async function examineSeeds(merchant: ExamOptions<unknown>, seed = 1): Promise<void> {
  const failures: string[] = [];
  for (const [index, story] of storiesIn(await learn(merchant), merchant, seed).entries()) {
    const verdict = await exam({ ...merchant, seed: 1000 * (seed - 1) + index + 1, replay: tokenOf(story) });
    if (verdict.stories !== 1 || verdict.failures.length > 0)
      failures.push(`The world ${index + 1}: ${String(verdict)}`);
  }
  expect(failures.join("\n\n")).toBe("");
}

/** Returns the points of each flow. */
async function learn(merchant: ExamOptions<unknown>): Promise<readonly LearnedFlow[]> {
  const options = readOptions(merchant);
  const learned: LearnedFlow[] = [];
  for (const flow of flowsOf(options)) {
    const { points, openAfter: open, reads } = (await runStory(options, { flow, troubles: [] })).evidence.seen;
    learned.push({ flow, points: [...points, { kind: "story", subject: "", occurrence: 1 }], open, reads });
  }
  return learned;
}

/** Returns a story for each world. */
function storiesIn(learned: readonly LearnedFlow[], merchant: ExamOptions<unknown>, seed: number): readonly Story[] {
  const singles: Story[] = [];
  const pairs: Story[] = [];
  for (const story of planOf(learned, seed, possibleFor(readOptions(merchant))).stories()) {
    if (story.troubles.length === 1) singles.push(story);
    else if (story.troubles.length === 2 && pairs.push(story) === WITH_TWO_TROUBLES + WITH_FOUR_TROUBLES) break;
  }
  const further = Array.from(
    { length: FURTHER },
    (_, index) => singles[FIRST + Math.floor((index * (singles.length - FIRST)) / FURTHER)] as Story,
  );
  const withFour = pairs.slice(-WITH_FOUR_TROUBLES).map((pair, index) => {
    const other = pairs.slice(index).find(({ flow }) => flow === pair.flow) as Story;
    return Object.assign(pair, { troubles: [...pair.troubles, ...other.troubles] });
  });
  return [...singles.slice(0, FIRST), ...further, ...pairs.slice(0, WITH_TWO_TROUBLES), ...withFour];
}
