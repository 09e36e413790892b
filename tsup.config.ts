import { readFile, writeFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { entries, outputName, program } from "./scripts/entries.ts";

const outputs = (sources: readonly string[]): Record<string, string> =>
  Object.fromEntries(sources.map((source) => [outputName(source), source]));

const shared = {
  target: "es2024",
  platform: "node",
  splitting: true,
  clean: true,
  dts: false,
  removeNodeProtocol: false,
  outExtension: () => ({ js: ".js" }),
} as const;

// What is loaded when a test first asks for it, by its public name: then it is the module that the test itself imports.
const external = ["centavo/coverage", "centavo/node", "centavo/report", "vitest"];

/** In CommonJS, tsup turns `import()` into `require()`, which knows no ES modules in Jest and in older versions of Node. This turns it back. */
const keepExternalImports: NonNullable<Options["plugins"]>[number] = {
  name: "keep-external-imports",
  async buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) {
      const code = await readFile(name, "utf8");
      const kept = code.replaceAll(
        /Promise\.resolve\(\)\.then\(\(\) => _interopRequireWildcard\(require\(("centavo\/node")\)\)\)/g,
        "import($1)",
      );
      if (kept !== code) await writeFile(name, kept);
    }
  },
};

export default defineConfig([
  {
    ...shared,
    external,
    format: "esm",
    outDir: "dist/esm",
    entry: outputs([...entries.map((entry) => entry.source), program]),
  },
  {
    ...shared,
    external,
    format: "cjs",
    outDir: "dist/cjs",
    entry: outputs(entries.filter((entry) => entry.commonjs).map((entry) => entry.source)),
    plugins: [keepExternalImports],
    // These ship ESM only, which tools that load CommonJS themselves (plain Jest) cannot read.
    noExternal: [/^@noble\//, /^temporal-polyfill/],
  },
]);
