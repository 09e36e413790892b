import { isDateFaked } from "../runtime/fakes.ts";
import { realTime } from "../runtime/real-time.ts";
import type { Evidence } from "./evidence.ts";
import { flowsOf } from "./flows.ts";
import type { Breach, Law } from "./laws/law.ts";
import { laws } from "./laws/laws.ts";
import type { ExamOptions } from "./options.ts";
import type { ReadOptions } from "./read-options.ts";
import { runStory } from "./run-story.ts";
import type { Outcome } from "./run-story.ts";
import { singleTroubles } from "./stories.ts";
import type { LearnedFlow } from "./stories.ts";
import type { Story } from "./story.ts";

/** A breach of a law, with the story that shows it. */
export interface Failure {
  readonly law: Law;
  readonly breach: Breach;
  readonly outcome: Outcome;
  readonly number: number;
}

export interface Verdict {
  readonly passed: boolean;
  readonly failures: readonly Failure[];
  readonly stories: number;
}

export async function exam<Store = Map<string, unknown>>(given: ExamOptions<Store>): Promise<Verdict> {
  const options = {
    ...(given as unknown as ExamOptions<unknown>),
    seed: given.seed ?? 1,
    plans: given.plans ?? ["basic", "plus"],
    fakesDate: !isDateFaked(),
  } as ReadOptions;
  const failures = new Map<string, Failure>();
  let stories = 0;
  let unitsOfStock: Evidence["unitsOfStock"] = {};
  const until =
    realTime() + 1000 * ("seconds" in (given.budget ?? {}) ? (given.budget as { seconds: number }).seconds : 10);
  const most = "stories" in (given.budget ?? {}) ? (given.budget as { stories: number }).stories : Infinity;
  const play = async (story: Story): Promise<Outcome> => {
    stories += 1;
    const outcome = await runStory(options, story);
    if (stories === 1) unitsOfStock = unitsIn(outcome);
    for (const law of laws) {
      if (failures.has(law.name)) continue;
      const evidence = { ...outcome.evidence, unitsOfStock };
      const [breach] = law.unjudged?.(evidence) === undefined ? law.breaches(evidence) : [];
      if (breach !== undefined) failures.set(law.name, { law, breach, outcome, number: stories });
    }
    return outcome;
  };
  const learned: LearnedFlow[] = [];
  for (const flow of flowsOf(options)) {
    const { evidence } = await play({ flow, troubles: [] });
    learned.push({ flow, points: [...evidence.seen.points, { kind: "story", subject: "", occurrence: 1 }] });
  }
  for (const story of singleTroubles(learned, (act) => act in options.acts)) {
    if (stories >= most || realTime() > until) break;
    await play(story);
  }
  return { passed: failures.size === 0, failures: [...failures.values()], stories };
}

function unitsIn({ evidence: { seen } }: Outcome): Readonly<Record<string, number>> {
  const first = seen.readings[0]?.books.stock ?? {};
  const last = seen.readings.at(-1)?.books.stock ?? {};
  return Object.fromEntries(Object.entries(first).map(([item, count]) => [item, count - (last[item] ?? 0)]));
}
