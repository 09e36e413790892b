import type { ExamOptions } from "centavo/exam";
import { beginExam } from "../../../src/exam/begin-exam.ts";
import type { Evidence } from "../../../src/exam/evidence.ts";
import { flowsOf } from "../../../src/exam/flows.ts";
import { laws } from "../../../src/exam/laws/laws.ts";
import { readOptions } from "../../../src/exam/read-options.ts";
import { runStory } from "../../../src/exam/run-story.ts";
import type { Flow } from "../../../src/exam/story.ts";
import { placed } from "../placed.ts";

/** Something that goes wrong at a point of a story, in short: `["event subscription.activated 1", "webhook.drop"]`. */
export type Placed = readonly [point: string, trouble: string];

/** Plays one story and returns what breaks which law: `access-agrees: member-1 has access, and …`. */
export async function judge<Store>(
  given: ExamOptions<Store>,
  wanted: string | Flow,
  ...troubles: Placed[]
): Promise<string[]> {
  const options = readOptions(given);
  const flow = typeof wanted === "string" ? flowsOf(options).find(({ name }) => name === wanted) : wanted;
  if (flow === undefined) throw new Error(`There is no flow ${JSON.stringify(wanted)}.`);
  const end = await beginExam(options);
  try {
    const { evidence } = await runStory(options, { flow, troubles: troubles.map((each) => placed(...each)) });
    return breachesOf({ ...evidence, unitsOfStock: { book: 1 } });
  } finally {
    await end();
  }
}

function breachesOf(whole: Evidence): string[] {
  return laws
    .filter(({ unjudged }) => unjudged?.(whole) === undefined)
    .flatMap(({ name, breaches }) =>
      breaches(whole)
        .slice(0, 1)
        .map(({ what }) => `${name}: ${what}`),
    );
}
