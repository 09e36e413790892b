/**
 * Measures Centavo's promises about speed and memory, as ratios, and saves the figures. `npm run bench`; `npm run bench -- server ways` for
 * some parts of it.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { buildOf, root } from "./build.ts";
import { brokenIn, saveFigures, tablesOf } from "./figures.ts";
import type { Run } from "./figures.ts";
import { parts } from "./parts.ts";
import { endProgress } from "./progress.ts";

const { positionals } = parseArgs({
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`The bench has no part ${unknown.join(", ")}. It has ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}
const names = positionals.length === 0 ? Object.keys(parts) : positionals;

await measure();

async function measure(): Promise<void> {
  buildOf(root);
  const start = performance.now();
  const runs: Record<string, Run> = {};
  for (const name of names) {
    const measured = (await parts[name]?.()) ?? [];
    const on = new Date().toISOString().slice(0, 10);
    runs[name] = { on, node: process.versions.node, cores: availableParallelism(), measured };
    // After each part, so that a part that fails does not cost the figures of those before it.
    saveFigures(runs, Object.keys(parts));
  }
  endProgress();
  const measured = Object.values(runs).map((run) => run.measured);
  const { figures, curves } = tablesOf(measured);
  console.log(`Node ${process.versions.node}, ${availableParallelism()} cores; medians of processor time\n`);
  console.log([figures, ...curves].join("\n\n"));
  const broken = brokenIn(measured);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `\n${broken === 0 ? "Every bound is kept" : `${broken} broken`}, ${seconds} s. \`npm run docs\` draws them.`,
  );
  process.exitCode = broken === 0 ? 0 : 1;
}
