import { startChild } from "./child.ts";
import { median } from "./measure.ts";
import type { StoryQuestion } from "./play-story.ts";
import { showProgress } from "./progress.ts";
import type { Figure } from "./table.ts";

const ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
const STORIES = 25;

/** Measures a story of the example shop, in turn with what the shop and the service do in it by themselves. */
export async function measureExam(): Promise<Figure[]> {
  const mine = startChild<StoryQuestion, number>("play-story.ts");
  const other = startChild<StoryQuestion, number>("play-story.ts");
  const rounds: { readonly story: number; readonly bare: number }[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    showProgress(`exam: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const story = await mine.ask({ stories: STORIES, inExam: true });
    const bare = await other.ask({ stories: STORIES, inExam: false });
    if (round > 0) rounds.push({ story, bare });
  }
  mine.close();
  other.close();
  const share = median(rounds.map(({ story, bare }) => bare / story));
  return [
    {
      what: `A story of the exam of the example shop: an order, four days, another order; compared with the same requests without the exam, which are ${Math.round(share * 100)} % of its time`,
      unit: "ms",
      value: median(rounds.map(({ story }) => story)) / 1000,
      beside: median(rounds.map(({ bare }) => bare)) / 1000,
      ratio: { value: 1 / share, means: "the cost" },
    },
  ];
}
