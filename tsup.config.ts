import { readFile, writeFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { entries, outputName, program } from "./scripts/entries.ts";
import { joinFiles } from "./scripts/join-files.ts";

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

// An entry that CommonJS cannot load is imported by its public name, when a test first asks for it.
const external = ["centavo/node", "vitest"];

/**
 * What the build holds itself, of which only what is used comes along. An import of zod alone loads its messages in every language, and costs as
 * much as all of Centavo with its part of zod. Most of these also ship ES modules only, which tools that load CommonJS themselves (plain Jest) cannot read.
 */
const noExternal = [/^@noble\//, /^hono/, /^pure-rand/, /^temporal-polyfill/, /^xstate/, /^zod/];

/**
 * Writes characters beyond ASCII as escapes. One of them, even in a comment, makes V8 keep a file's whole text with two bytes for each
 * character, and longer imports follow. esbuild escapes them in texts, but not in comments.
 */
const asciiAlone: NonNullable<Options["plugins"]>[number] = {
  name: "ascii-alone",
  renderChunk: (code) => ({
    code: code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  }),
};

/** Writes the licenses of the packages that the build holds, which ask for that. */
const licenses: NonNullable<Options["plugins"]>[number] = {
  name: "licenses",
  async buildEnd({ writtenFiles }) {
    const code = await Promise.all(writtenFiles.map(({ name }) => readFile(name, "utf8")));
    const packages = code.flatMap((text) =>
      Array.from(text.matchAll(/^\s*\/\/ .*?(node_modules\/(?:@[^/\n]+\/)?[^/\n]+)\//gm), ([, folder = ""]) => folder),
    );
    const texts = [...new Set(packages)].toSorted().map(async (folder) => {
      const text = await readFile(`${folder}/LICENSE`, "utf8");
      return `# ${folder.replace("node_modules/", "")}\n\n${text.trim()}\n`;
    });
    await writeFile(`${this.options.outDir}/licenses.md`, (await Promise.all(texts)).join("\n"));
  },
};

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
    noExternal,
    format: "esm",
    // `licenses` before `joinFiles`, which replaces the files that it reads.
    plugins: [asciiAlone, licenses, joinFiles],
    outDir: "dist/esm",
    entry: outputs([...entries.map((entry) => entry.source), program]),
  },
  {
    ...shared,
    external,
    noExternal,
    format: "cjs",
    outDir: "dist/cjs",
    entry: outputs(entries.filter((entry) => entry.commonjs).map((entry) => entry.source)),
    plugins: [asciiAlone, keepExternalImports, licenses],
  },
]);
