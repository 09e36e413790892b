import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startChild } from "./child.ts";
import { median } from "./measure.ts";
import type { StoryQuestion } from "./play-story.ts";
import { showProgress } from "./progress.ts";
import type { Bound, Figure } from "./table.ts";

const ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
const STORIES = 25;

const root = join(import.meta.dirname, "..");
const SEARCHES = 3;
const STORIES_OF_A_SEARCH = 400;
const THREADS = 2;
/** Stories a second. */
const PACE: Bound = { of: "rate", atLeast: 50, goal: 100 };

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
    await measureSearch(),
  ];
}

/** Measures a whole search of the example shop, as its own last line tells its pace. */
async function measureSearch(): Promise<Figure> {
  const command = ["exam", "examples/express-shop/shop.exam.ts", "--stories", STORIES_OF_A_SEARCH, "--jobs", THREADS];
  const paces: number[] = [];
  for (let search = 1; search <= SEARCHES; search += 1) {
    showProgress(`exam: search ${search} of ${SEARCHES}`);
    const { stdout } = await promisify(execFile)(process.execPath, ["dist/esm/cli/main.js", ...command.map(String)], {
      cwd: root,
    });
    paces.push(Number(/([\d.]+) stories a second/.exec(stdout)?.[1]));
  }
  return {
    what: `A story in a search of ${STORIES_OF_A_SEARCH} of the example shop in ${THREADS} threads (real time), learning included`,
    unit: "ms",
    value: 1000 / median(paces),
    bound: PACE,
  };
}
