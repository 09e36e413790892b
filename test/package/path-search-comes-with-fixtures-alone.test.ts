import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";

const formats = entries.flatMap(({ name, source, commonjs }) =>
  ["esm", ...(commonjs ? ["cjs"] : [])].map((format) => ({ name, format, file: `${outputName(source)}.js` })),
);

test.for(formats)("$name ($format) loads the search for paths only if it is the fixtures", ({ name, format, file }) => {
  const text = [...filesBehind(join(import.meta.dirname, "../../dist", format), file).values()].join("\n");
  expect(/\bgetShortestPaths\b/.test(text)).toBe(name === "centavo/fixtures");
  expect(text).not.toContain("@faker-js/faker");
});

/** A built file and all that it imports or requires of the package's own. */
function filesBehind(folder: string, path: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(join(folder, path), "utf8");
  found.set(path, text);
  for (const [, name = ""] of text.matchAll(/(?:from |import |require\()["'](\.[^"']+)["']/g))
    filesBehind(folder, join(path, "..", name), found);
  return found;
}
