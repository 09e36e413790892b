import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";
import type { Entry } from "../../scripts/entries.ts";
import { coreGrowth, coreLimit, measureCore, sizeHistory } from "../../scripts/core-size.ts";
import { filesBehind, modulesIn } from "./built-files.ts";

const { gzip, code } = await measureCore();

test(`the core, bundled and minified, takes at most ${coreLimit} bytes of gzip`, () => {
  expect(gzip).toBeLessThanOrEqual(coreLimit);
});

test('the core grows by at most 2 % without a row in its history; npm run size -- "why" adds one', () => {
  expect(gzip).toBeLessThanOrEqual((sizeHistory().at(-1)?.gzip ?? 0) * coreGrowth);
});

// `import { z } from "zod/mini"` brings them all, and so does `z.core` as a value; `import * as z` alone does not.
test("no translation of zod's messages comes along, and no English of its own", () => {
  expect(code).not.toMatch(/Entrada inválida|Ungültige Eingabe|Entrée invalide|Invalid input: expected /);
});

test.for(["esm", "cjs"] as const)("the page of the report is loaded when a test first asks for it, as %s", (format) => {
  const pageBehind = (entry: string): boolean =>
    [...filesBehind(format, `${entry}.js`).values()].some((text) => text.includes("TanStack Virtual"));
  expect(["index", "report"].map(pageBehind)).toEqual([false, true]);
});

/** What an entry loads as soon as it is imported. Whatever else it needs, it loads when a test first uses it. */
const atOnce: Readonly<Record<string, readonly string[]>> = {
  centavo: [],
  "centavo/client": [],
  "centavo/webhooks": [],
  "centavo/exam": ["node:http"],
  "centavo/machines": [],
  "centavo/openapi": [],
  "centavo/playwright": ["node:http"],
  "centavo/scenario": [],
  "centavo/server": ["node:http"],
  "centavo/testing": [],
  "centavo/fixtures": ["@faker-js/faker"],
  "centavo/msw": ["msw"],
  "centavo/node": ["node:http"],
  "centavo/vitest": ["vitest"],
};
const heavy = ["@faker-js/faker", "@mswjs/interceptors", "commander", "msw", "node:http", "vitest"];

test.for(entries)("$name loads nothing heavy that its name does not announce", (entry) => {
  const packages = packagesBehind(entry);
  const loaded = heavy.filter((name) => packages.some((module) => module === name || module.startsWith(`${name}/`)));
  expect(loaded).toEqual(atOnce[entry.name] ?? []);
});

/** The packages that an entry imports statically, itself or through files of this package. */
function packagesBehind({ source }: Entry): string[] {
  const files = filesBehind("esm", `${outputName(source)}.js`);
  return [...files.values()].flatMap(modulesIn).filter((name) => !name.startsWith("."));
}
