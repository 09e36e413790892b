import { replay } from "centavo";
import { runScenario } from "centavo/scenario";
import { describe, expect, test } from "vitest";
import { stories } from "../scenarios/stories.ts";
import { jsonOf } from "./replayable.ts";

describe.for(stories)("%s", ([, story]) => {
  test.for(["memory", "intercept", "socket"] as const)(
    "is replayed from its recording to the same digest, told through %s",
    async (way) => {
      const { recording, digest } = await runScenario(story, { way, expect, simulator: { recording: true } });
      const replayed = await replay(jsonOf(recording()));
      expect(replayed.journal.digest()).toBe(digest);
      expect(replayed.recording()).toEqual(recording());
    },
  );
});
