import { replay } from "centavo";
import { runScenario } from "centavo/scenario";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stories } from "../scenarios/stories.ts";
import { isKnownAsEdited, isReplayedOrRefused, livedThrough } from "./mutated-worlds.ts";
import { mutation } from "./mutations.ts";
import { randomScript } from "./random-world.ts";
import { isNight } from "../by-night.ts";

const SEED = 20_260_101;
const WORLDS = 10;
const MUTATIONS_OF_A_WORLD = 6;

test(`${WORLDS} random worlds from the seed ${SEED}, changed anywhere, are refused as edited`, async () => {
  const changes = fc.array(mutation, { minLength: MUTATIONS_OF_A_WORLD, maxLength: MUTATIONS_OF_A_WORLD });
  const property = fc.asyncProperty(randomScript, changes, async (script, mutations) => {
    const lived = await livedThrough(script);
    for (const each of mutations) {
      await isKnownAsEdited(lived, each);
      await isReplayedOrRefused(lived.recording, each);
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: WORLDS, endOnFailure: true });
});

/** By day every fourth. */
const changed = stories.filter((_story, place) => isNight || place % 4 === 0);

test.for(changed)("the world of the story %s, changed anywhere, is refused as edited", async ([, story], { task }) => {
  const { recording } = await runScenario(story, { expect, simulator: { recording: true } });
  const sim = await replay(recording());
  const { options } = sim.recording();
  const lived = { snapshot: sim.snapshot(), options: options as object, recording: sim.recording() };
  const seed = SEED + task.name.length;
  for (const each of fc.sample(mutation, { seed, numRuns: MUTATIONS_OF_A_WORLD })) {
    await isKnownAsEdited(lived, each);
    await isReplayedOrRefused(lived.recording, each);
  }
});
