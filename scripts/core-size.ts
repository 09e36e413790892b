import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");

/** The sizes of earlier versions, oldest first: what the core took, in bytes of gzip. */
export const sizeHistoryFile = join(root, "bench/core-size.json");

/** The most that the core may take, in bytes of gzip. */
export const coreLimit = 200_000;

/** How much more than the last row of the history, as a ratio. A larger core needs a row that says why. */
export const coreGrowth = 1.02;

export interface Size {
  /** The version, and what it changed in the size. */
  readonly version: string;
  readonly change: string;
  readonly gzip: number;
}

export function sizeHistory(): readonly Size[] {
  return JSON.parse(readFileSync(sizeHistoryFile, "utf8")) as Size[];
}

/** Leaves out what the core loads when a test first asks for it, such as the report. */
const loadedLater: Plugin = {
  name: "loaded-later",
  setup: (bundle) =>
    bundle.onResolve({ filter: /^/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};

/** Bundles and minifies everything that the built entry `centavo` exports, with its dependencies, as a bundler for browsers does. */
export async function measureCore(): Promise<{ readonly gzip: number; readonly code: string }> {
  const entry = join(root, "dist/esm/index.js");
  if (!existsSync(entry)) throw new Error("There is nothing to measure yet: run `npm run build` first.");
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["node:*"],
    plugins: [loadedLater],
    legalComments: "none",
    write: false,
    logLevel: "error",
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error("esbuild wrote nothing.");
  return { gzip: gzipSync(output.contents, { level: 9 }).byteLength, code: output.text };
}
