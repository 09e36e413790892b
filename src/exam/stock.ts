import type { Evidence } from "./evidence.ts";
import type { Outcome } from "./run-story.ts";
import type { Flow, Story } from "./story.ts";

/**
 * Returns how much stock one fulfilment takes, learned from the simplest story, which a search plays first.
 * @param outcome the first story that was played, which is another one in a replay and in most threads
 * @param flows all flows, the simplest first
 */
export async function learnStock(
  outcome: Outcome,
  flows: readonly Flow[],
  play: (story: Story) => Promise<Outcome>,
): Promise<Evidence["unitsOfStock"]> {
  if (outcome.evidence.seen.readings.every(({ books }) => books.stock === undefined)) return {};
  const [simplest = outcome.story.flow] = flows;
  const isSimplest = outcome.story.flow.name === simplest.name && outcome.story.troubles.length === 0;
  const learned = isSimplest ? outcome : await play({ flow: simplest, troubles: [] });
  const { readings } = learned.evidence.seen;
  const first = readings[0]?.books.stock ?? {};
  const { stock: last = {}, orders = [] } = readings.at(-1)?.books ?? {};
  // An order that was fulfilled twice by mistake counts once.
  const fulfilled = orders.reduce((sum, { fulfilments }) => sum + Math.min(1, fulfilments), 0);
  const unitOf = (taken: number): number => (fulfilled === 0 ? 0 : taken / fulfilled);
  return Object.fromEntries(Object.entries(first).map(([item, count]) => [item, unitOf(count - (last[item] ?? 0))]));
}
