/** `node scripts/report-page.ts` builds the page of the report: its script and its style, each as one text in a module of the package. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { diagramsFolder, root } from "./suites.ts";

const folder = join(root, "src/report/page");

/** The module that holds the built page. It is kept in git, because the sources run as they are, without a build. */
export const builtPageFile = join(root, "src/report/built-page.ts");

const NOTICE =
  "/* Contains Preact and Preact Signals (Jason Miller and the Preact authors) and TanStack Virtual (Tanner Linsley), each under the MIT License. */";

/** Returns the source of the module. */
export async function builtPage(): Promise<string> {
  const [script = "", style = ""] = await Promise.all(["main.tsx", "page.css"].map(bundled));
  const values = {
    script: NOTICE + script,
    style,
    scriptHash: hashOf(NOTICE + script),
    styleHash: hashOf(style),
    version: manifest.version,
  };
  const constants = Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  return `/* Generated from src/report/page by node scripts/report-page.ts. */\n${constants.join("")}`;
}

const drawings = join(root, diagramsFolder);

/** Gives the page the diagrams that stand in the documentation. */
const diagrams: Plugin = {
  name: "machine-diagrams",
  setup(building) {
    building.onResolve({ filter: /^virtual:machine-diagrams$/ }, ({ path }) => ({ path, namespace: "diagrams" }));
    building.onLoad({ filter: /.*/, namespace: "diagrams" }, () => {
      const drawn = readdirSync(drawings).map((file) => [
        file.replace(/\.svg$/, ""),
        readFileSync(join(drawings, file), "utf8"),
      ]);
      return { contents: `export const diagrams = ${JSON.stringify(Object.fromEntries(drawn))};` };
    });
  },
};

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    charset: "ascii",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [diagrams],
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

if (process.argv[1] === import.meta.filename) writeFileSync(builtPageFile, await builtPage());
