import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";
import { filesBehind } from "./built-files.ts";

const formats = entries.flatMap(({ name, source, commonjs }) =>
  (["esm", "cjs"] as const)
    .filter((format) => format === "esm" || commonjs)
    .map((format) => ({ name, format, file: `${outputName(source)}.js` })),
);

// The build of ES modules imports it, and that of CommonJS, which could not, holds it.
test.for(formats)("$name ($format) loads Faker only if it is the fixtures", ({ name, format, file }) => {
  const text = [...filesBehind(format, file).values()].join("\n");
  expect(text.includes("@faker-js/faker/")).toBe(name === "centavo/fixtures");
});

test("the fixtures never load the whole of Faker, which takes ten times as long", () => {
  const text = [...filesBehind("esm", "fixtures.js").values()].join("\n");
  expect(text).not.toMatch(/["']@faker-js\/faker["']/);
});
