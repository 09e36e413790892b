import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { diagramsFolder, root } from "./suites.ts";

const NOTICE =
  "/* Contains Preact and Preact Signals (Jason Miller and the Preact authors) and TanStack Virtual (Tanner Linsley), each under the MIT License. */";

/**
 * Bundles a page, and returns the source of the module that holds it: its script and its style, each as one text, with their hashes.
 * @param folder the folder of `main.tsx` and `page.css`, below `root`
 * @param by the script that builds it
 * @param given the values that the page imports from `virtual:NAME`, by name
 */
export async function builtPageOf(
  folder: string,
  by: string,
  given: Readonly<Record<string, () => object>> = {},
): Promise<string> {
  const virtual = { "machine-diagrams": diagrams, ...given };
  const [script = "", style = ""] = await Promise.all(
    ["main.tsx", "page.css"].map((entry) => bundled(join(root, folder, entry), virtual)),
  );
  const values = {
    script: NOTICE + script,
    style,
    scriptHash: hashOf(NOTICE + script),
    styleHash: hashOf(style),
    version: manifest.version,
  };
  const constants = Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  return `/* Generated from ${folder} by node ${by}. */\n${constants.join("")}`;
}

/** The diagrams that stand in the documentation. */
function diagrams(): object {
  const drawings = join(root, diagramsFolder);
  const drawn = readdirSync(drawings).map((file) => [
    file.replace(/\.svg$/, ""),
    readFileSync(join(drawings, file), "utf8"),
  ]);
  return { diagrams: Object.fromEntries(drawn) as object };
}

/** Lets a page import values from `virtual:NAME`. */
function virtualModules(given: Readonly<Record<string, () => object>>): Plugin {
  return {
    name: "virtual-modules",
    setup(building) {
      building.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path: path.slice(8), namespace: "virtual" }));
      building.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
        contents: Object.entries(given[path]?.() ?? {})
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join("\n"),
      }));
    },
  };
}

async function bundled(entry: string, given: Readonly<Record<string, () => object>>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    charset: "ascii",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [virtualModules(given)],
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "none",
    write: false,
    logLevel: "error",
  });
  return (outputFiles[0]?.text ?? "").trim();
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
