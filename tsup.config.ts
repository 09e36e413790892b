import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { defineConfig, type Options } from "tsup";
import { entries, inspectorProgram, observer, outputName, program } from "./scripts/entries.ts";

type Plugin = NonNullable<Options["plugins"]>[number];

/** Writes the licenses of the packages that the build holds, which ask for that. */
const licenses: Plugin = {
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
const keepExternalImports: Plugin = {
  name: "keep-external-imports",
  async buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) {
      const code = await readFile(name, "utf8");
      const required = /Promise\.resolve\(\)\.then\(\(\) => _interopRequireWildcard\(require\(("centavo\/node")\)\)\)/g;
      if (required.test(code)) await writeFile(name, code.replaceAll(required, "import($1)"));
    }
  },
};

const core = join(import.meta.dirname, "src/index.ts");

/**
 * Keeps the core in few files, each of which takes half a millisecond when a test file starts. esbuild sets apart what one part of the
 * package loads without the rest of the core. Parts that are loaded later find the core loaded, so here they import all of it.
 */
const coreInFewFiles: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "core-in-few-files",
  setup(build) {
    const later = new Set<string>();
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === "dynamic-import") later.add(resolve(resolveDir, path));
      return undefined;
    });
    build.onLoad({ filter: /src\/(?:inspected|merchant|report|testing)\/.*\.ts$/ }, async ({ path }) =>
      later.has(path) ? { contents: `import "${core}";${await readFile(path, "utf8")}`, loader: "ts" } : undefined,
    );
  },
};

function bundle(format: "esm" | "cjs", sources: readonly string[], plugins: Plugin[]): Options {
  return {
    format,
    outDir: `dist/${format}`,
    entry: Object.fromEntries(sources.map((source) => [outputName(source), source])),
    plugins,
    esbuildPlugins: [coreInFewFiles],
    // CommonJS has no `import.meta`.
    define: format === "cjs" ? { "import.meta.url": "__filename" } : {},
    target: "es2024",
    platform: "node",
    splitting: true,
    clean: true,
    removeNodeProtocol: false,
    outExtension: () => ({ js: ".js" }),
    // What is loaded when a test first asks for it, by its public name: then it is the module that the test itself imports.
    external: ["centavo/node", "vitest"],
    // CONTRIBUTING.md says why the build holds these.
    noExternal: [
      ...(format === "cjs" ? [/^@faker-js\//] : []),
      /^@noble\//,
      /^hono/,
      /^pure-rand/,
      /^semver/,
      /^temporal-polyfill/,
      /^xstate/,
      /^zod/,
    ],
  };
}

export default defineConfig([
  bundle("esm", [...entries.map(({ source }) => source), program, inspectorProgram, observer], [licenses]),
  bundle(
    "cjs",
    entries.filter(({ commonjs }) => commonjs).map(({ source }) => source),
    [keepExternalImports, licenses],
  ),
]);
