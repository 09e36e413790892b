import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { median } from "./measure.ts";
import { showProgress } from "./progress.ts";
import type { Bound, Figure } from "./table.ts";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

const ROUNDS = 15;

/** What `centavo` would import if the build did not hold the parts that it uses, as its sources name it. */
const DEPENDENCIES = [
  "@noble/curves/abstract/weierstrass.js",
  "@noble/curves/utils.js",
  "@noble/hashes/hmac.js",
  "@noble/hashes/sha2.js",
  "@noble/hashes/utils.js",
  "pure-rand/distribution/uniformInt",
  "pure-rand/generator/xoroshiro128plus",
  "temporal-polyfill/fns/Duration",
  "temporal-polyfill/fns/Instant",
  "temporal-polyfill/fns/PlainDate",
  "xstate",
  "zod/locales",
  "zod/mini",
  "zod/v4/core",
];

/**
 * An import may take 92 ms on the machine of the goals, where these packages would take some 105: in November 2026, a build that took 154 ms there
 * took 256 ms on a machine on which they took 172 ms. A ratio says it on every machine.
 */
const BESIDE_DEPENDENCIES: Bound = { of: "ratio", atMost: 0.85 };

/** Measures fresh processes that import the built package or the whole packages of which it holds parts, in turn. */
export async function measureImports(): Promise<Figure[]> {
  const entry = join(root, "dist/esm/index.js");
  const dependencies = join(root, ".cache/bench-dependencies.mjs");
  mkdirSync(dirname(dependencies), { recursive: true });
  writeFileSync(dependencies, DEPENDENCIES.map((name) => `import ${JSON.stringify(name)};\n`).join(""));
  const compiled = { NODE_COMPILE_CACHE: join(root, ".cache/bench-compiled") };
  const rounds: { readonly centavo: number; readonly alone: number; readonly kept: number }[] = [];
  // The first round fills the disk's cache, and Node's of compiled code.
  for (let round = 0; round <= ROUNDS; round += 1) {
    showProgress(`import: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const centavo = await millisecondsToImport(entry);
    const alone = await millisecondsToImport(dependencies);
    const kept = await millisecondsToImport(entry, compiled);
    if (round > 0) rounds.push({ centavo, alone, kept });
  }
  return [
    {
      what: "Import `centavo` in a fresh process, compared with an import of the packages of which it holds parts",
      unit: "ms",
      value: median(rounds.map(({ centavo }) => centavo)),
      beside: median(rounds.map(({ alone }) => alone)),
      ratio: { value: median(rounds.map(({ centavo, alone }) => centavo / alone)), means: "the cost" },
      bound: BESIDE_DEPENDENCIES,
    },
    {
      what: "The same import where Node keeps compiled code between processes (`NODE_COMPILE_CACHE`)",
      unit: "ms",
      value: median(rounds.map(({ kept }) => kept)),
    },
  ];
}

async function millisecondsToImport(file: string, kept: NodeJS.ProcessEnv = {}): Promise<number> {
  const script = `const start = process.cpuUsage(); await import(${JSON.stringify(pathToFileURL(file).href)}); const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...kept },
  });
  return Number(stdout);
}
