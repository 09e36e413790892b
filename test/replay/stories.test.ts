import { replay } from "centavo";
import { runScenario } from "centavo/scenario";
import { describe, expect, test } from "vitest";
import { isNight } from "../by-night.ts";
import { stories } from "../scenarios/stories.ts";
import { jsonOf } from "./replayable.ts";

const ways = ["memory", "intercept", "socket"] as const;
/** By day each story goes one way, and each way has its stories. */
const told = stories.map(([name, story], place) => ({
  name,
  story,
  ways: isNight ? ways : [ways[place % 3] ?? "memory"],
}));

describe.for(told)("$name", ({ story, ways: ofStory }) => {
  test.for(ofStory)("is replayed from its recording to the same digest, told through %s", async (way) => {
    const { recording, digest } = await runScenario(story, { way, expect, simulator: { recording: true } });
    const replayed = await replay(jsonOf(recording()));
    expect(replayed.journal.digest()).toBe(digest);
    expect(replayed.recording()).toEqual(recording());
  });
});
