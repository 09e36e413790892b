/**
 * Measures Centavo's promises about speed and memory, as ratios, and saves the figures. `npm run bench`; `npm run bench -- server ways` for
 * some parts of it; `npm run bench -- ways --against main` to compare them with those of another commit, and save nothing.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { compareWithCommit } from "./against.ts";
import { buildOf, root } from "./build.ts";
import { startChild } from "./child.ts";
import { brokenIn, onMachineOfGoals, saveFigures, slownessOf, tablesOf } from "./figures.ts";
import type { Run } from "./figures.ts";
import { parts } from "./parts.ts";
import { endProgress } from "./progress.ts";
import { times } from "./table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    pairs: { type: "string", default: "9" },
    // For the processes of a comparison alone: the package is built already, and their figures go to a file of their own.
    to: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`The bench has no part ${unknown.join(", ")}. It has ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}
const names = positionals.length === 0 ? Object.keys(parts) : positionals;

if (values.against === undefined) await measure();
else await compareWithCommit(values.against, names, Number(values.pairs));

async function measure(): Promise<void> {
  if (values.to === undefined) buildOf(root);
  const start = performance.now();
  const runs: Record<string, Run> = {};
  const yardstick = startChild<null, number>("yardstick.ts");
  for (const name of names) {
    await yardstick.ask(null);
    const measured = (await parts[name]?.()) ?? [];
    const slowness = slownessOf(await yardstick.ask(null));
    const on = new Date().toISOString().slice(0, 10);
    runs[name] = { on, node: process.versions.node, cores: availableParallelism(), slowness, measured };
    // After each part, so that a part that fails does not cost the figures of those before it.
    saveFigures(runs, Object.keys(parts), values.to);
  }
  yardstick.close();
  endProgress();
  if (values.to !== undefined) return;
  const measured = Object.values(runs).map(onMachineOfGoals);
  const slowness = Object.entries(runs).map((run) => `${run[0]} ${times(run[1].slowness)}`);
  const { figures, breakdowns, curves } = tablesOf(measured);
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores; medians of processor time, on a machine as fast as that`,
  );
  console.log(`of the goals. This one was slower: ${slowness.join(", ")}.\n`);
  console.log([...figures, ...breakdowns, ...curves].join("\n\n"));
  const broken = brokenIn(measured);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `\n${broken === 0 ? "Every bound is kept" : `${broken} broken`}, ${seconds} s. \`npm run docs\` draws them.`,
  );
  process.exitCode = broken === 0 ? 0 : 1;
}
