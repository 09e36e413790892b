import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../../dist/cjs");

/** tsup takes `#name = …` for the export `name` of the same file, if there is one, and overwrites it. Rename the private field. */
test("no private field of the CommonJS build overwrites an export", () => {
  const files = globSync("**/*.js", { cwd: dist });
  expect(files).toContain("index.js");
  const overwritten = files.flatMap(
    (file) => readFileSync(join(dist, file), "utf8").match(/#\w+ = exports\.\w+/g) ?? [],
  );
  expect(overwritten).toEqual([]);
});
