import { coreLimit, sizeHistory } from "./core-size.ts";
import { readFigures } from "../bench/figures.ts";
import type { Comparison, FileCost, Figures, ServersFigures, ShardsFigures } from "../bench/figures.ts";

const mocks: readonly (readonly [mock: string, name: string])[] = [
  ["stub", "a stubbed `fetch`, by hand"],
  ["agent", "undici's `MockAgent`, four answers by hand"],
  ["intercept", "Centavo, `intercept` with one simulator for the file"],
  ["documented", "**Centavo as documented, a simulator for each test** (`withSimulator`, `simulated`)"],
  ["msw2", "MSW 2.15, four handlers by hand"],
  ["msw3", "MSW 3, the same handlers"],
];

/** Writes what Centavo costs, from the last figures of the bench and the last size of the core. */
export function performancePage(): string {
  const figures = readFigures();
  if (figures === undefined) throw new Error("There are no figures yet: run `npm run bench` first.");
  const { measured, comparisons, servers = [] } = figures;
  const size = sizeHistory().at(-1)?.gzip ?? 0;
  return `# Performance

## A test file, cold and warm

What people wait for is the start. The file has 20 small tests, each of which logs in, creates a payment intent, confirms it and reads it. _Cold_ is the whole file in a fresh process; _warm_ is 20 further tests of the same file. Both are milliseconds of processor time, without what the runner takes for tests that do nothing.

${fileTable(figures)}

${coldParts}

## What one thing costs

Each side runs in fresh processes, once V8 has compiled it, and they take turns. The times are processor time of one core.

| Measured | Centavo | compared with | ratio |
| --- | ---: | --- | ---: |
${Object.values(comparisons).flat().map(comparisonRow).join("\n")}

A fork copies the lists of a world and shares what stands in them, so it grows with the world, slowly.

## Servers behind HAProxy

So many of \`centavo serve --state\` behind HAProxy, which sends each of 24 worlds to its server. 48 connections read payment intents. The servers, HAProxy and the program that sends the calls share ${measured.cores} cores, so the rate grows only until these are busy. [growing.md](guide/growing.md#how-fast-it-is) says what the table is good for.

| Servers | answers in a second | a server's time for an answer | HAProxy's |
| ---: | ---: | ---: | ---: |
${servers.map(serversRow).join("\n")}

${shardsSection(figures)}## Why it is not less

Centavo uses XState, zod, \`@noble/curves\`, \`Request\` and \`Map\` as they are. An older version replaced parts of them by code of its own, which was faster and hard to read. Both versions took turns in one process on a busy machine, and their processor time was compared. These figures stayed well above the older ones:

| What | × the older version | What it consists of | Tried, and left out |
| --- | ---: | --- | --- |
| Create, confirm and read a payment intent through \`sim.fetch\` | 1.7 to 2.3 | Three real requests and three steps of a machine, about 4 µs each. The rest is spread over the whole call. | Calls without events, journal entries, random ids, redacted bodies, timestamps or \`content-length\`, one at a time: none saves more than 5 µs. |
| A renewal whose webhooks nobody receives | 3.0 to 3.5 | Eight steps of machines, 4 to 5 µs each, and three events, 5 µs each. With its webhooks delivered, a renewal costs 1.6 times as much as before. | Texts of events written when somebody reads them: a world would hold functions, which no snapshot can contain. Remembered timestamps save 8 µs, and need a memory that all worlds of the process share. |
| A test with a seed of its own | 2.4 | One multiplication on P-256 for the key and one for the first token, 0.7 ms each. The header of a token names the key by its thumbprint, so the public key cannot wait. A test that shares its seed costs 1.2 to 1.6 times as much as before. | A larger table for the base point saves 0.4 ms for each seed, and takes 6 ms more in every process. |
| \`sim.fork()\` of a world with 10 000 payments | about 15 | 60 000 entries of maps, about 0.1 µs each. The journal's 150 000 entries take 0.7 ms. | Maps that both worlds share until one of them writes: the next call would take the time instead. |

## Size

All that \`centavo\` exports, bundled and minified with its dependencies, takes ${grouped(size / 1000, 1)} kB of gzip. The limit is ${grouped(coreLimit / 1000)} kB, and 2 % over the last size that was recorded with a reason. Interception, MSW, fixtures and vitest load from their own entries alone.

## How this is measured

\`npm run bench\` of the repository measures everything on this page, \`npm run bench -- flow fork\` some of it, and \`npm run docs\` writes the page. These are medians, measured on ${dayInWords(measured.on)} on a machine with ${measured.cores} cores and Node ${measured.node}. Times differ from machine to machine; the ratios say more.
`;
}

/** Measured by hand, in processes without a runner: medians of eleven. */
const coldParts = `Where the documented way spends its cold milliseconds, roughly:

| Part | ms |
| --- | ---: |
| Node's own \`fetch\`, \`Request\` and \`Response\`, which every mock of real requests loads | 40 |
| \`import "centavo"\` | 60 |
| \`import "centavo/node"\` and \`"centavo/testing"\` | 15 |
| The first simulator, and the first login, 17 of them a P-256 key and a signature | 30 |
| The rest of the first payment | 10 |
| 19 further tests, at 3.4 ms instead of the 1.6 to 2 of a warm one | 65 |
| Their keys and signatures: each test has its own seed, so its own key | 40 |

The tests for \`node:test\` shared one seed when the table was measured, so its row lacks the last part.

What would take less time, and why it stays:

- Node takes 0.6 ms to find and link each of 40 files. In 17 files the package starts about 15 ms sooner, but small entries such as \`centavo/client\` and \`centavo/webhooks\` would load the whole core or hold copies of it.
- Minified code starts no sooner.
- With V8's compile cache the import of \`centavo\` takes 15 ms less. The cache writes files, so it is yours to switch on: set \`NODE_COMPILE_CACHE\` to a folder.
- \`@noble/curves\` takes most of the time of a first token, though it signs without blinding, and no other size of its table is better. Node's own cryptography is faster, but signs the same token differently each time.
- The schemas of zod take 8 ms and the machines 4. To make each when it is first used would take a function at 150 places.`;

function fileTable({ files }: Figures): string {
  const runners = Object.entries(files);
  const head = runners.flatMap(([runner]) => [`${runner}, cold`, "× MSW 2.15", "warm"]);
  const rows = mocks.map(([mock, name]) => {
    const cells = runners.flatMap(([, costs]) => {
      const { cold, warm } = costs[mock] ?? unmeasured;
      return [grouped(cold), (cold / (costs["msw2"] ?? unmeasured).cold).toFixed(2), grouped(warm)];
    });
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  return [`| Mock | ${head.join(" | ")} |`, `| --- |${" ---: |".repeat(head.length)}`, ...rows].join("\n");
}

const unmeasured: FileCost = { cold: Number.NaN, warm: Number.NaN };

function comparisonRow({ what, unit, cost, beside, costBeside }: Comparison): string {
  const write = (value: number): string => `${grouped(value, value < 10 ? 2 : 0)} ${unit}`;
  return `| ${what[0]?.toUpperCase()}${what.slice(1)} | ${write(cost)} | ${beside}: ${write(costBeside)} | ${grouped(cost / costBeside, 2)}× |`;
}

function serversRow({ servers, rate, server, router }: ServersFigures): string {
  return `| ${servers} | ${grouped(rate)} | ${grouped(server)} µs | ${grouped(router)} µs |`;
}

/** Nothing until it is measured. */
function shardsSection({ shards = [] }: Figures): string {
  if (shards.length === 0) return "";
  return `## Sharded suites

Seconds that a suite of 12 files takes in its runner with one worker, each file in a world of its own on one \`centavo serve\`. The last two columns are the longest of shards that run one after the other, as if each had a machine of its own.

| Runner | in one piece | two shards at once | the longest of two, alone | of four, alone |
| --- | ---: | ---: | ---: | ---: |
${shards.map(shardsRow).join("\n")}

`;
}

function shardsRow({ runner, whole, together, halves, quarters }: ShardsFigures): string {
  return `| ${[runner, ...[whole, together, halves, quarters].map((seconds) => `${grouped(seconds, 1)} s`)].join(" | ")} |`;
}

/** Writes a number with a space between thousands. */
function grouped(value: number, digits = 0): string {
  return new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .format(value)
    .replaceAll(",", " ");
}

function dayInWords(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}
