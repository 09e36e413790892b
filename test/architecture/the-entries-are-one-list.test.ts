import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { entries, outputName, program, type Entry } from "../../scripts/entries.ts";
import tsconfig from "../../tsconfig.json" with { type: "json" };

test("the package exports the entries, also as CommonJS if they can load that way", () => {
  const subpaths = entries.map((entry) => [entry.name.replace(/^centavo/, "."), conditions(entry)]);
  expect(manifest.exports).toEqual({ ...Object.fromEntries(subpaths), "./package.json": "./package.json" });
});

test("a compiler that reads no exports finds the declarations of each entry", () => {
  expect(manifest.types).toBe(declarationsOf(entries[0] as Entry));
  const subpaths = entries
    .slice(1)
    .map((entry) => [entry.name.replace("centavo/", ""), [declarationsOf(entry)]] as const);
  expect(manifest.typesVersions).toEqual({ "*": Object.fromEntries(subpaths) });
});

test("the package's program is the one that is built", () => {
  expect(manifest.bin).toEqual({ centavo: built("esm", program).default });
});

test("the compiler finds each entry's source under its public name", () => {
  const paths = entries.map((entry) => [entry.name, [`./${entry.source}`]]);
  expect(tsconfig.compilerOptions.paths).toEqual(Object.fromEntries(paths));
});

function declarationsOf({ commonjs, source }: Entry): string {
  return built(commonjs ? "cjs" : "esm", source).types;
}

function conditions(entry: Entry): object {
  if (!entry.commonjs) return built("esm", entry.source);
  return { import: built("esm", entry.source), require: built("cjs", entry.source) };
}

function built(format: "esm" | "cjs", source: string): { types: string; default: string } {
  const path = `./dist/${format}/${outputName(source)}`;
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
