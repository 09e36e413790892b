/** `npm run bench` measures what docs/performance.md says, and `npm run bench -- flow fork` some parts of it; `npm run docs` writes the page. */
import { execSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { measureFiles } from "./cold-file.ts";
import { readFigures, writeFigures } from "./figures.ts";
import type { Comparison } from "./figures.ts";
import { root } from "./measure.ts";
import { measureServers } from "./servers.ts";
import { measureShards } from "./shards.ts";
import {
  compareFlows,
  compareForks,
  compareImports,
  compareInspections,
  compareInspectors,
  compareRenewals,
  compareShakes,
  compareStates,
  compareWorlds,
} from "./comparisons.ts";

const comparisons: Readonly<Record<string, () => Comparison[]>> = {
  flow: compareFlows,
  state: compareStates,
  inspect: compareInspections,
  renewal: compareRenewals,
  fork: compareForks,
  import: compareImports,
  inspector: compareInspectors,
  shake: compareShakes,
  worlds: compareWorlds,
};
const all = ["files", "servers", "shards", ...Object.keys(comparisons)];
const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`The bench has no part ${unknown.join(", ")}. It has ${all.join(", ")}.`);

execSync("node scripts/build.ts", { cwd: root, stdio: "inherit" });
for (const part of positionals.length === 0 ? all : positionals) {
  console.log(`\n${part}`);
  const measured = {
    on: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cores: availableParallelism(),
  };
  const before = readFigures() ?? { measured, files: {}, comparisons: {} };
  if (part === "files") writeFigures({ ...before, measured, files: await measureFiles() });
  else if (part === "servers") writeFigures({ ...before, measured, servers: await measureServers() });
  else if (part === "shards") writeFigures({ ...before, measured, shards: await measureShards() });
  else {
    const rows = comparisons[part]?.() ?? [];
    for (const { what, unit, cost, beside, costBeside } of rows)
      console.log(`${what}: ${cost.toFixed(2)} ${unit}, ${beside}: ${costBeside.toFixed(2)} ${unit}`);
    writeFigures({ ...before, measured, comparisons: { ...before.comparisons, [part]: rows } });
  }
}
