import type { ExamOptions } from "centavo/exam";
import { beginExam } from "../../../src/exam/begin-exam.ts";
import type { Evidence } from "../../../src/exam/evidence.ts";
import { flowsOf } from "../../../src/exam/flows.ts";
import { laws } from "../../../src/exam/laws/laws.ts";
import { readOptions } from "../../../src/exam/read-options.ts";
import { runStory } from "../../../src/exam/run-story.ts";
import { placed } from "../placed.ts";

/** Something that goes wrong at a point of a story, in short: `["event subscription.activated 1", "webhook.drop"]`. */
type Placed = readonly [point: string, trouble: string];

/** Plays one story and returns what breaks which law: `access-agrees: member-1 has access, and …`. */
export async function judge<Store>(
  given: ExamOptions<Store>,
  flowName: string,
  ...troubles: Placed[]
): Promise<string[]> {
  const options = readOptions(given);
  const flow = flowsOf(options).find(({ name }) => name === flowName);
  if (flow === undefined) throw new Error(`There is no flow "${flowName}".`);
  const end = await beginExam(options);
  try {
    const { evidence } = await runStory(options, { flow, troubles: troubles.map((each) => placed(...each)) });
    return breachesOf({ ...evidence, unitsOfStock: {} });
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
