import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../../dist");

// One other character, even in a comment, makes V8 keep the whole text of a file with two bytes for each.
test("every built file has only characters of ASCII, so that V8 keeps its text in half the memory", () => {
  const files = globSync("{esm,cjs}/**/*.js", { cwd: dist });
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => /[^\0-\u007F]/.test(readFileSync(join(dist, file), "utf8")))).toEqual([]);
});
