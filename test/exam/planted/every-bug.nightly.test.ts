import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { plantedBugs } from "./bugs.ts";
import { search, stories, storiesFile } from "./find-bugs.ts";

/** How long a search may take, in seconds of one processor: the merchant, the exam and the shortening of the story. */
const SECONDS = 30;

const bugs = Object.values(plantedBugs).flat();
const found = new Map(Object.entries(stories));

// A busy machine takes longer, but hardly more of its processor. By day, where many tests run at once, nothing depends on time.
test.for(bugs)(`finds within ${SECONDS} seconds of one processor: $name`, async (bug) => {
  const before = process.cpuUsage();
  const { token } = await search(bug);
  const { user, system } = process.cpuUsage(before);
  found.set(bug.name, token);
  expect((user + system) / 1_000_000).toBeLessThan(SECONDS);
});

// By day, these stories are played again.
afterAll(() => {
  const names = bugs.map(({ name }) => name).toSorted();
  const tokens = Object.fromEntries(names.map((name) => [name, found.get(name)]));
  writeFileSync(storiesFile, `${JSON.stringify(tokens, undefined, 2)}\n`);
});
