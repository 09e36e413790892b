import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { median } from "./measure.ts";
import { showProgress } from "./progress.ts";
import { milliseconds, times } from "./table.ts";
import type { Figure } from "./table.ts";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

const ROUNDS = 15;

/** Measures fresh processes that import the built package or only its dependencies, in turn. */
export async function measureImports(): Promise<Figure> {
  const entry = join(root, "dist/esm/index.js");
  const dependencies = join(root, ".cache/bench-dependencies.mjs");
  mkdirSync(dirname(dependencies), { recursive: true });
  writeFileSync(
    dependencies,
    packagesOf(entry)
      .map((name) => `import ${JSON.stringify(name)};\n`)
      .join(""),
  );
  const pairs: [number, number][] = [];
  // The first round fills the disk's cache.
  for (let round = 0; round <= ROUNDS; round += 1) {
    showProgress(`import: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const pair: [number, number] = [await millisecondsToImport(entry), await millisecondsToImport(dependencies)];
    if (round > 0) pairs.push(pair);
  }
  return {
    what: "Import `centavo` in a fresh process, compared with an import of its dependencies alone",
    ours: milliseconds(median(pairs.map(([centavo]) => centavo))),
    beside: milliseconds(median(pairs.map(([, alone]) => alone))),
    ratio: `${times(median(pairs.map(([centavo, alone]) => centavo / alone)))} the cost`,
    kept: true,
  };
}

async function millisecondsToImport(file: string): Promise<number> {
  const script = `const start = process.cpuUsage(); await import(${JSON.stringify(pathToFileURL(file).href)}); const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
  return Number(stdout);
}

/** Returns the packages that a built file imports, directly or through its chunks. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const names = [
    ...readFileSync(file, "utf8").matchAll(
      /^(?:import|export)\s(?:[^"'();]*\sfrom\s)?["']([^"']+)["'];?$|^} from ["']([^"']+)["'];?$/gm,
    ),
  ].map(([, whole, last]) => whole ?? last ?? "");
  return [
    ...new Set(names.flatMap((name) => (name.startsWith(".") ? packagesOf(join(dirname(file), name), seen) : [name]))),
  ];
}
