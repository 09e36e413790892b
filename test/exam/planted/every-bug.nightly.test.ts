import { expect, test } from "vitest";
import { plantedBugs } from "./bugs.ts";
import { expectFound } from "./find-bugs.ts";

/** How long a search may take, in seconds of one processor: the merchant, the exam and the shortening of the story. */
const SECONDS = 30;

// A busy machine takes longer, but hardly more of its processor. By day, where many tests run at once, nothing depends on time.
test.for(Object.values(plantedBugs).flat())(`finds within ${SECONDS} seconds of one processor: $name`, async (bug) => {
  const before = process.cpuUsage();
  await expectFound(bug);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(SECONDS);
});
