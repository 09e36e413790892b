import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { plantedBugs } from "./bugs.ts";
import { stories } from "./find-bugs.ts";
import { partsAround } from "./open-mutant.ts";

const all = Object.values(plantedBugs).flat();
const sources = all.flatMap(({ source }) => source ?? []);

test.for(all)("$name is planted at one place", (bug) => {
  expect(partsAround(bug)).toHaveLength(2);
});

test("every list of bugs is a part of the set, and has its tests", () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.startsWith("bugs-of-"));
  const kinds = Object.keys(plantedBugs);
  expect(files.toSorted()).toEqual(
    kinds.flatMap((kind) => [`bugs-of-${kind}.test.ts`, `bugs-of-${kind}.ts`]).toSorted(),
  );
});

test("the set has at least 60 bugs, and at least 25 that public threads report", () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(sources.length).toBeGreaterThanOrEqual(25);
});

test("each story in stories.json shows a bug of the set", () => {
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(stories)));
});

test("names and sources are there once", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(new Set(sources.map(({ url }) => url)).size).toBe(sources.length);
  for (const { url, what } of sources) {
    expect(url).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/);
    expect(what).toMatch(/^[A-Z].*\.$/);
  }
});
