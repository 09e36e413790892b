import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { rollup } from "rollup";
import type { GetModuleInfo } from "rollup";
import type { Options } from "tsup";

/** The entry that every test imports. */
const MAIN = "index";

/** Entries that are imported without the main one, by a merchant's own program or by test files that have no simulator. */
const WITHOUT_MAIN = ["client", "coverage-collector", "jest", "machines", "webhooks"];

/**
 * Removes what is unused from a finished build, and joins the files of the main entry into few. esbuild makes a file for each set of
 * entries that have something in common, 33 for the main one alone, and Node needs nearly a millisecond to find and link each.
 *
 * Rollup sees more that is unused than esbuild, above all once it knows that to read a field changes nothing.
 */
export const joinFiles: NonNullable<Options["plugins"]>[number] = {
  name: "join-files",
  async buildEnd({ writtenFiles }) {
    const { entry, outDir } = this.options;
    const bundle = await rollup({
      input: Object.fromEntries(Object.keys(entry).map((name) => [name, join(outDir, `${name}.js`)])),
      external: (name) => !/^[./]/.test(name),
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    });
    await Promise.all(writtenFiles.map(({ name }) => rm(name)));
    await bundle.write({
      dir: outDir,
      entryFileNames: "[name].js",
      // The part after the name is esbuild's own hash.
      chunkFileNames: ({ name }) => `${name.replace(/-[A-Z\d]{8}$/, "")}-[hash].js`,
      hoistTransitiveImports: false,
      onlyExplicitManualChunks: true,
      manualChunks(module, { getModuleInfo }) {
        const reaching = new Set(modulesReaching(module, getModuleInfo).map((id) => entryOf(id, outDir)));
        if (!reaching.has(MAIN)) return undefined;
        // So each of the others still loads no more than it needs.
        return ["core", ...WITHOUT_MAIN.filter((name) => reaching.has(name))].join("-");
      },
    });
    await bundle.close();
  },
};

/** Returns a module and all that import it, directly or through others. */
function modulesReaching(module: string, getModuleInfo: GetModuleInfo): string[] {
  const found = new Set([module]);
  for (const id of found) for (const importer of getModuleInfo(id)?.importers ?? []) found.add(importer);
  return [...found];
}

function entryOf(module: string, outDir: string): string {
  return relative(resolve(outDir), module).replace(/\.js$/, "");
}
