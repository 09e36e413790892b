import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createClient } from "../client/client.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { expect } from "../scenario/expectation.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { openWay } from "../scenario/ways.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { loadStories } from "./load-stories.ts";

/**
 * Returns the story in a file: its default export, or the only one.
 * @throws {CentavoError} `NOT_FOUND` when there is no such file, or it has no story, or several by name
 */
export async function storyIn(path: string, directory: string): Promise<Scenario> {
  if (statSync(resolve(directory, path), { throwIfNoEntry: false })?.isFile() !== true)
    throw new CentavoError("NOT_FOUND", `--story: there is no file ${inWords(path)} in ${directory}.`);
  const { stories } = await loadStories(path, directory);
  const story = stories.find(({ name }) => !name.includes("/")) ?? (stories.length === 1 ? stories[0] : undefined);
  if (story !== undefined) return story.scenario;
  const found = stories.length === 0 ? "no story" : `${stories.length} stories, and none is the default export`;
  throw new CentavoError(
    "NOT_FOUND",
    `--story: the file ${inWords(path)} exports ${found}. Export one as the default, made with scenario(title, script).`,
  );
}

/** The failure of a story. Its cause is what the story threw. */
export class StoryFailed extends Error {}

/**
 * Plays a story in a world that is served. Only the story moves the clock meanwhile. Its apps stay connected.
 * @returns a function that runs the story's cleanups
 * @throws {StoryFailed}
 */
export async function playIn(sim: Simulator, { title, script }: Scenario): Promise<() => Promise<void>> {
  const { clock } = sim;
  const { driver } = clock;
  if (driver !== undefined) {
    driver.isHeld = true;
    // Time has run since the world began.
    sim.reset();
  }
  const { merchant } = await openWay("memory", sim);
  const cleanups: (() => Promise<void> | void)[] = [];
  const cleanUp = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  try {
    await script({
      sim,
      client: createClient({
        adminKey: sim.credentials.adminKey,
        ...merchant,
        assumptions: sim.internals.parts.assumptions.overrides,
      }),
      customer: sim.customer,
      clock,
      expect,
      merchant,
      step: () => undefined,
      note: () => undefined,
      defer: (cleanup) => void cleanups.push(cleanup),
    });
  } catch (error) {
    await cleanUp();
    throw new StoryFailed(title, { cause: error });
  }
  if (driver !== undefined) driver.isHeld = false;
  driver?.movedByTest();
  return cleanUp;
}
