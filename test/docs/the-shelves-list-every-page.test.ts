import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const docs = join(import.meta.dirname, "../../docs");

test.for([
  ["README.md", ".", ["{performance,service}.md", "{guide,reference}/*.{md,json}"]],
  ["decisions/README.md", "decisions", ["*.md"]],
] as const)("docs/%s links to every page that it lists", ([list, folder, patterns]) => {
  const text = readFileSync(join(docs, list), "utf8");
  const pages = globSync(patterns, { cwd: join(docs, folder) }).filter((page) => page !== "README.md");
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !text.includes(`](${page})`))).toEqual([]);
});
