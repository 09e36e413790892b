import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";
import { filesBehind, modulesIn } from "./built-files.ts";

const dist = join(import.meta.dirname, "../../dist/esm");

/** The entries for test runners, some of which cannot load the interceptors, because these are ES modules. */
const forRunners = entries.filter(({ name }) => ["centavo/jest", "centavo/testing", "centavo/vitest"].includes(name));

const built = forRunners.flatMap(({ name, source, commonjs }) =>
  (["esm", ...(commonjs ? ["cjs"] : [])] as ("esm" | "cjs")[]).map((format) => ({ name, source, format })),
);

test.for(built)("$name loads no interceptor by itself, as $format", ({ source, format }) => {
  const files = filesBehind(format, `${outputName(source)}.js`);
  const modules = [...files.values()].flatMap((text) => modulesIn(text));
  expect(files.size).toBeGreaterThan(1);
  expect(modules.filter((name) => name === "centavo/node" || name.startsWith("@mswjs/") || name === "msw")).toEqual([]);
});

test("centavo/jest loads no service, because Jest loads it for every test file", () => {
  const files = [...filesBehind("esm", "jest.js").values()];
  const others = files.flatMap((text) => modulesIn(text)).filter((name) => !name.startsWith("."));
  expect(others.filter((name) => !name.startsWith("temporal-polyfill/"))).toEqual([]);
  expect(files.join("").length).toBeLessThan(60_000);
});

test("no file names the interceptors in an import that a bundler follows", () => {
  const files = globSync("*.js", { cwd: dist }).map((name) => readFileSync(join(dist, name), "utf8"));
  expect(files.flatMap((text) => modulesIn(text)).filter((name) => name.startsWith("@mswjs/"))).toEqual([]);
  const imports = /import\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\/\s*`@mswjs\/interceptors/;
  expect(files.filter((text) => imports.test(text))).toHaveLength(1);
});

test("the interceptors are loaded by an import() in CommonJS too, because not every require() knows ES modules", () => {
  expect(filesBehind("cjs", "testing.js").get("testing.js")).toMatch(/\bimport\("centavo\/node"\)/);
});
