import { flowsOf } from "./flows.ts";
import type { ReadOptions } from "./read-options.ts";
import { runStory } from "./run-story.ts";
import type { Outcome } from "./run-story.ts";
import { checkpointOf } from "./stage/checkpoint.ts";
import type { Checkpoint } from "./stage/checkpoint.ts";
import { Stage } from "./stage/stage.ts";
import { nameOfPoint } from "./story.ts";
import type { Flow, Story } from "./story.ts";

/**
 * Plays stories. Those of a stateless merchant begin at the last checkpoint of their flow before the first trouble. There is at most one
 * checkpoint for each step of the flows. Which there are follows from the flow alone, so that a story is the same in every process.
 */
export class StoryPlayer {
  readonly #options: ReadOptions;
  readonly #checkpoints = new Map<string, readonly Checkpoint[]>();

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  async play(story: Story): Promise<Outcome> {
    const { flow, troubles } = story;
    if (troubles.length > 0) return runStory(this.#options, story, { from: await this.#checkpointFor(story) });
    return flow.played === undefined ? this.#playFlow(flow) : runStory(this.#options, story);
  }

  /** Plays a whole flow without trouble, and keeps its checkpoints. */
  async #playFlow(flow: Flow): Promise<Outcome> {
    const story: Story = { flow, troubles: [] };
    if (!this.#options.stateless || this.#checkpoints.has(flow.name)) return runStory(this.#options, story);
    const kept: Checkpoint[] = [];
    const outcome = await runStory(this.#options, story, {
      betweenSteps: async (...at) => {
        const checkpoint = await checkpointOf(...at);
        if (checkpoint !== undefined) kept.push(checkpoint);
      },
    });
    const sound: Checkpoint[] = [];
    for (const checkpoint of kept) if (await this.#isSound(story, checkpoint)) sound.push(checkpoint);
    this.#checkpoints.set(flow.name, sound);
    return outcome;
  }

  async #checkpointFor({ flow: { name, steps }, troubles }: Story): Promise<Checkpoint | undefined> {
    // What goes wrong with a story as a whole does so from its beginning.
    if (!this.#options.stateless || steps.length < 2 || troubles.some(({ point }) => point.kind === "story"))
      return undefined;
    const whole = flowsOf(this.#options).find((each) => each.name === name);
    if (whole !== undefined && !this.#checkpoints.has(name)) await this.#playFlow(whole);
    const struck = new Set(troubles.map(({ point }) => nameOfPoint(point)));
    return this.#checkpoints
      .get(name)
      ?.findLast(
        ({ performed, seen }) =>
          performed < steps.length && !seen.points.some((point) => struck.has(nameOfPoint(point))),
      );
  }

  /** Whether the merchant, started again at a checkpoint, believes what it believed before. */
  async #isSound(story: Story, checkpoint: Checkpoint): Promise<boolean> {
    const stage = new Stage(this.#options, story, checkpoint);
    try {
      await stage.open();
      const before = checkpoint.seen.readings.at(-1)?.books;
      return before !== undefined && JSON.stringify(await stage.readBooks("rested")) === JSON.stringify(before);
    } catch {
      return false;
    } finally {
      await stage.close();
    }
  }
}
