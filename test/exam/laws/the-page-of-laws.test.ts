import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { laws } from "../../../src/exam/laws/laws.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/guide/laws.md"), "utf8");

test("each law has a section of its own, and no section is of another", () => {
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(laws.map(({ name }) => name));
  expect(new Set(headings).size).toBe(headings.length);
});

test("the page says nothing that is undefined", () => {
  expect(page).not.toContain("undefined");
});

test.for(laws.map((law) => [law.name, law] as const))(
  "the page has the sentence, the misunderstanding and the remedy of %s",
  ([, law]) => {
    expect(page).toContain(`**${law.sentence}**`);
    expect(page).toContain(`Likely misunderstanding: ${law.misunderstanding}`);
    expect(page).toContain(law.remedy);
  },
);
