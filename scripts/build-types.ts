/**
 * Writes the declarations: one file for each entry, and `dist/types/shared` for what several entries have in common.
 *
 * There is one declaration of each class for both builds, so that an instance from `import` is also one for `require()`, private members
 * included. It is in CommonJS form, because an ES module may import that and not the other way round. Entries that name a package without
 * a CommonJS form are ES modules, as their build is.
 */
import { execSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import manifest from "../package.json" with { type: "json" };
import { entries, outputName } from "./entries.ts";
import type { Entry } from "./entries.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const cache = join(root, ".cache");
const emitted = join(cache, "declarations");

rmSync(emitted, { recursive: true, force: true });
mkdirSync(emitted, { recursive: true });
rmSync(join(dist, "types"), { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
mkdirSync(join(dist, "types"), { recursive: true });
writeJson(join(cache, "tsconfig.declarations.json"), {
  extends: "../tsconfig.json",
  compilerOptions: {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    stripInternal: true,
    rootDir: "../src",
    outDir: "declarations",
  },
  include: [],
  files: entries.map(({ source }) => `../${source}`),
});
execSync("tsc6 --project .cache/tsconfig.declarations.json", { cwd: root, stdio: "inherit" });

// The machines have a bundle of their own, so that no other entry leads to a file that names XState.
const isMachines = ({ source }: Entry): boolean => source === "src/machines.ts";
await bundleTypes(entries.filter(isMachines));
await bundleTypes(entries.filter((entry) => !isMachines(entry)));

for (const { source, commonjs, esmOnlyPeer } of entries) {
  const facade = `export * from "../types/${outputName(source)}.js";\n`;
  if (esmOnlyPeer === undefined) writeFileSync(join(dist, `esm/${outputName(source)}.d.ts`), facade);
  if (commonjs) writeFileSync(join(dist, `cjs/${outputName(source)}.d.ts`), facade);
}
const registering = manifest.sideEffects.map((path) => path.replace("./dist/*/", "./"));
writeJson(join(dist, "cjs/package.json"), { type: "commonjs", sideEffects: registering });
writeJson(join(dist, "types/package.json"), { type: "commonjs", sideEffects: false });

async function bundleTypes(some: readonly Entry[]): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(some.map((entry) => [fileOf(entry), join(emitted, `${outputName(entry.source)}.d.ts`)])),
    external: (name) => !/^[./]/.test(name),
    plugins: [dts({ tsconfig: join(cache, "tsconfig.declarations.json") })],
    // The plugin warns of types that no entry exports. They are details of types that are exported.
    onLog: (level, log) => {
      if (log.plugin !== "dts") console.error(`${level}: ${log.message}`);
    },
  });
  await bundle.write({
    dir: dist,
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: ({ name }) => `types/shared/${name.replace(/\.d$/, "")}.d.ts`,
    plugins: [{ name: "what-the-types-need", renderChunk: withWhatTheTypesNeed }],
  });
  await bundle.close();
}

/** Returns where the declarations of an entry go, below `dist` and without extension. */
function fileOf({ source, esmOnlyPeer }: Entry): string {
  return `${esmOnlyPeer === undefined ? "types" : "esm"}/${outputName(source)}`;
}

/** A consumer may have neither the types of Node nor those of explicit resource management. */
function withWhatTheTypesNeed(code: string): string {
  // A declaration has no side effects. One in CommonJS form names an ES module only so.
  const used = code
    .replaceAll(/^import ['"].*\n/gm, "")
    .replaceAll(
      /^import (.* from ['"]@faker-js\/faker['"]);$/gm,
      'import type $1 with { "resolution-mode": "import" };',
    );
  const optional = used.replaceAll(
    /^import .* from ['"]node:.*$/gm,
    (line) => `// @ts-ignore Without @types/node these are \`any\`.\n${line}`,
  );
  const isDisposable = /\bDisposable\b|\bAsyncDisposable\b|Symbol\.(?:asyncDispose|dispose)/.test(code);
  return isDisposable ? `/// <reference lib="esnext.disposable" />\n${optional}` : optional;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
