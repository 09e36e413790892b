/** Measures Centavo's promises about speed and memory, as ratios. `npm run bench` */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { measureCopies } from "./copies.ts";
import { measureExam } from "./exam.ts";
import { measureGrowth } from "./growth.ts";
import { measureHostileRequests } from "./hostile.ts";
import { measureImports } from "./imports.ts";
import { endProgress } from "./progress.ts";
import { measureReport } from "./report.ts";
import { measureOpening, measureSimulators, measureTests } from "./simulators.ts";
import { measureSubscriptions } from "./subscriptions.ts";
import { markdownTable } from "./table.ts";
import type { Figure } from "./table.ts";
import { measureLists } from "./lists.ts";
import { compareWays } from "./ways.ts";
import { measureWithSimulator } from "./with-simulator.ts";

const build = spawnSync("npm run --silent build:js", {
  cwd: join(import.meta.dirname, ".."),
  shell: true,
  stdio: "inherit",
});
if (build.status !== 0) process.exit(1);

const start = performance.now();
const figures: Figure[] = [
  ...(await compareWays()),
  ...(await measureImports()),
  ...(await measureHostileRequests()),
  ...(await measureOpening()),
  ...(await measureTests()),
  ...(await measureWithSimulator()),
  ...(await measureSimulators()),
  ...(await measureSubscriptions()),
  ...(await measureExam()),
  ...(await measureReport()),
];
const growth = await measureGrowth();
const copies = await measureCopies();
const lists = await measureLists();
endProgress();

const cells = ({ what, ours, beside = "", ratio = "", bound = "", kept }: Figure): string[] => [
  what,
  ours,
  beside,
  ratio,
  kept ? bound : `**broken:** ${bound}`,
];
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores; medians of processor time\n`);
console.log(markdownTable(["", "Centavo", "compared with", "ratio", "bound"], figures.map(cells)));
console.log(`\n${growth.table}\n\n${copies.table}\n\n${lists.table}`);

const broken = figures.filter(({ kept }) => !kept).length + growth.broken + copies.broken + lists.broken;
console.log(
  `\n${broken === 0 ? "Every bound is kept" : `${broken} broken`}, ${((performance.now() - start) / 1000).toFixed(0)} s`,
);
process.exitCode = broken === 0 ? 0 : 1;
