import { sizeHistory } from "./core-size.ts";
import { chartName, chartOf } from "./charts.ts";
import { onMachineOfGoals, readFigures, tablesOf } from "../bench/figures.ts";
import { grouped, isCurves, times } from "../bench/table.ts";
import type { Curves } from "../bench/table.ts";

const CHARTS = "pictures/curves";
/** The folder of the charts, which has nothing else. */
export const chartsFolder = `docs/${CHARTS}`;

/** Writes what Centavo costs, from the last figures of the bench. */
export function performancePage(): string {
  const runs = Object.values(readFigures());
  const { figures, breakdowns, curves } = tablesOf(runs.map(onMachineOfGoals));
  const groups = curveGroups();
  const days = [...new Set(runs.map(({ on }) => on))].toSorted();
  const places = [...new Set(runs.map(({ node, cores }) => `${cores} cores and Node ${node}`))];
  const slowness = runs.map((run) => run.slowness).toSorted((left, right) => left - right);
  const sizes = sizeHistory().map(({ gzip }) => gzip);
  return `# Performance

\`npm run bench\` measures Centavo and what it is compared to in one run, and what counts is the ratio of the two. It saves its figures to \`bench/figures.json\` of the repository, from which \`npm run docs\` writes this page. These were measured on ${inWords.format(days.map(dayInWords))}, on a machine with ${places.join("; ")}. Each is a median of processor time; where it says so, of real time. Calls are measured after V8 has compiled both sides.

The machine shares its processors with others, and its speed varies. So beside each part of the bench, Node's own \`fetch\` calls its own server, as a yardstick: this work took ${times(slowness[0] ?? 1)} to ${times(slowness.at(-1) ?? 1)} as long as on the machine of the goals. All times on this page are divided by that, except waits for pictures. The file has the times as they were measured, and by how much each part's are divided.

A _bound_ is a promise: \`npm run bench\` fails where a figure breaks it. A _goal_ is where we want to get.

## Cost of a call, a world and a cycle

${figures.join("")}

Three years of the decade, 3.6 million cycles, were once run in full under \`node --max-old-space-size=4096\`. The live heap was 320 MiB at the end of each year, and at most 1.7 GiB with what was not yet collected.

## Where the time goes

Each stage has its share of the profile of a flow, and of the time that the flow takes without the profiler. The innermost of Centavo's files on the stack decides, so that a stage has what it asks of Node and of libraries. What no stage can do without is the floor: the machines' steps, and one \`Request\` and one \`Response\` a call. A request to a server has Node's connections as its floor, and a story what the merchant's program takes.

${breakdowns.join("\n\n")}

## Size of the core

All that \`centavo\` exports, bundled and minified by esbuild with its dependencies, takes ${grouped((sizes.at(-1) ?? 0) / 1000, 1)} kB of gzip. It may take 150 kB, which a test holds. \`bench/core-size.json\` of the repository has the history; at its largest it was ${grouped(Math.max(...sizes) / 1000)} kB. Interception, MSW, fixtures and vitest load from their own entries alone.

## Memory of a server

\`centavo serve\` states what its default of \`--keep\` takes: about 220 MiB of heap. \`npm run test:soak\` holds it to that over 40 000 requests with as many payments as it keeps, their webhooks, oversized and hostile bodies, calls without credentials, and clients that leave in the middle of a body. A second server keeps 1000 of each and gets 60 000 such requests: once it has all that it keeps, another 40 000 may add 105 bytes each at most. Both are weighed once garbage was collected.

## Growth

Nothing grows faster than linearly. The charts show the size of the world from left to right, each step ten times the one before.

${groups.map((group, index) => `${imagesOf(group)}\n\n${curves[index]}`).join("\n\n")}
`;
}

/** Draws every curve of the last figures: the path of each chart, and the chart. */
export function performanceCharts(): { readonly path: string; readonly text: string }[] {
  return curveGroups().flatMap((group) =>
    group.curves.map((curve) => ({
      path: `${chartsFolder}/${chartName(group.of, curve)}.svg`,
      text: chartOf(curve, group.of),
    })),
  );
}

function curveGroups(): Curves[] {
  return Object.values(readFigures()).map(onMachineOfGoals).filter(isCurves);
}

function imagesOf({ of, curves }: Curves): string {
  return curves
    .map((curve) => `![${curve.what}, by size of the world](${CHARTS}/${chartName(of, curve)}.svg)`)
    .join("\n");
}

const inWords = new Intl.ListFormat("en-GB");

function dayInWords(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}
