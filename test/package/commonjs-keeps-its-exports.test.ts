import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../../dist/cjs");

test("no private field overwrites the export that has its name", () => {
  const files = globSync("**/*.js", { cwd: dist });
  // What writes the CommonJS build takes a private field for the variable of the same name, if that is exported.
  const overwritten = files.flatMap((file) =>
    [...readFileSync(join(dist, file), "utf8").matchAll(/\.#\w+ \S*= exports\.\w+/g)].map(
      ([found]) => `${file}: ${found}`,
    ),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(overwritten).toEqual([]);
});
