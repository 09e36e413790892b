import { test } from "vitest";
import { isNight } from "../by-night.ts";
import { stories } from "../scenarios/stories.ts";
import { expectNoFinding } from "./no-finding.ts";
import { optionsOfStory, testOfScenario } from "./scenario-tests.ts";

// By day one trouble in forty, in every fourth story.
const some = stories.filter((_, index) => isNight || index % 4 === 0);

test.for(some)("no trouble in %s accuses the shop of the examples", async ([name, story]) => {
  await expectNoFinding({ [name]: testOfScenario(story) }, { oneIn: isNight ? 1 : 40, suite: optionsOfStory(story) });
});
