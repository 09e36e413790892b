import type { Story } from "./story.ts";

/**
 * Finds the shortest story that still breaks a law: without troubles that do not matter, without a random order, and
 * without the steps after the break.
 * @param breaks plays a story and returns whether it breaks the same law
 */
export async function shorten(story: Story, breaks: (story: Story) => Promise<boolean>): Promise<Story> {
  let shortest = story;
  const tryOut = async (candidate: Story): Promise<boolean> => {
    if (!(await breaks(candidate))) return false;
    shortest = candidate;
    return true;
  };
  for (const placed of story.troubles) {
    if (shortest.troubles.length + shortest.flow.steps.length <= 1) break;
    await tryOut({ ...shortest, troubles: shortest.troubles.filter((each) => each !== placed) });
  }
  const { schedule, ...inOrder } = shortest;
  if (schedule !== undefined) await tryOut(inOrder);
  while (shortest.flow.steps.length > 1) {
    const steps = shortest.flow.steps.slice(0, -1);
    if (!(await tryOut({ ...shortest, flow: { ...shortest.flow, steps, played: steps.length } }))) break;
  }
  return shortest;
}
