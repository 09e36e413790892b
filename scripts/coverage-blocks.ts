/** `node scripts/coverage-blocks.ts` finds the shortest lines of a test that reach each part of the service, by running them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../src/client/client.ts";
import { happeningsIn } from "../src/report/coverage/happenings.ts";
import type { Part } from "../src/simulator/coverage-result.ts";
import { universe } from "../src/report/coverage/universe.ts";
import type { AssumptionOverrides } from "../src/index.ts";
import { fixtures } from "../src/fixtures/fixtures.ts";
import { createSimulator } from "../src/report/create-simulator.ts";
import { candidates, makers } from "./coverage-candidates.ts";
import { root } from "./suites.ts";

const known = new Set(
  Object.entries(universe).flatMap(([part, names]) => names.map((name) => keyOf(part as Part, name))),
);

type Test = (...given: readonly unknown[]) => Promise<unknown>;
const AsyncFunction = (async () => undefined).constructor as new (...source: readonly string[]) => Test;

/** Runs lines of a test in a new world, and returns what they reach, as keys. */
export async function reachOf(lines: string): Promise<readonly string[]> {
  const [, assumptions = "{}"] = /^\/\/ assumptions: (.*)/.exec(lines) ?? [];
  const sim = createSimulator({ recording: false, assumptions: JSON.parse(assumptions) as AssumptionOverrides });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const test = new AsyncFunction("sim", "client", "customer", "make", "app", lines);
  try {
    await test(sim, client, sim.customer, fixtures(sim), () => new Response());
    const { journal, identity } = sim.internals.parts.engine;
    const reached = journal.entries.flatMap((entry) =>
      happeningsIn(entry, identity).map(([part, name]) => keyOf(part, name)),
    );
    return [...new Set(reached)].filter((key) => known.has(key));
  } finally {
    await sim.close();
  }
}

function keyOf(part: Part, name: string): string {
  return `${part} ${name}`;
}

/** A block of lines, and the parts of the service for which no shorter one does. */
interface Block {
  readonly lines: string;
  readonly reach: readonly string[];
}

export async function coverageBlocks(): Promise<readonly Block[]> {
  const found: Block[] = [];
  for (const lines of candidates) {
    try {
      found.push({ lines, reach: await reachOf(lines) });
    } catch (error) {
      // What a resource cannot do in this state is no candidate. Lines that are wrong in themselves are a mistake of this script.
      if (error instanceof SyntaxError || error instanceof ReferenceError || error instanceof TypeError) throw error;
    }
  }
  const shortest = [...known].flatMap((key) => {
    const reaching = found.filter(({ reach }) => reach.includes(key));
    const costs = new Map(reaching.map((block) => [block, costOf(block, key)]));
    const [block] = reaching.toSorted((left, right) => (costs.get(left) ?? 0) - (costs.get(right) ?? 0));
    return block === undefined ? [] : [[block.lines, key] as const];
  });
  return [...Map.groupBy(shortest, ([lines]) => lines)].map(([lines, each]) => ({
    lines,
    reach: each.map(([, key]) => key),
  }));
}

/** Fewer lines are better, unless they are about another kind of resource; of as many, those that reach less besides. */
function costOf({ lines, reach }: Block, key: string): number {
  const [, resource = ""] = /^\w+ (\w+)[:.]/.exec(key) ?? [];
  const maker = makers[resource];
  const isOther = maker !== undefined && lines.includes("make.") && !lines.includes(`make.${maker}(`);
  return (isOther ? 15_000 : 0) + 10_000 * lines.split("\n").length + 200 * reach.length + lines.length;
}

/** The source of `src/report/coverage/blocks.ts`. */
export function sourceOf(blocks: readonly Block[]): string {
  const rows = blocks.map((block) => `  ${JSON.stringify(block)},`);
  return `/** Written by scripts/coverage-blocks.ts, which runs every block: the shortest lines of a test that reach each part of the service. */
export const blocks: readonly { readonly lines: string; readonly reach: readonly string[] }[] = [
${rows.join("\n")}
];
`;
}

if (process.argv[1] === import.meta.filename) {
  const blocks = await coverageBlocks();
  const reached = new Set(blocks.flatMap(({ reach }) => reach));
  console.log(
    "Reached by no lines:",
    [...known].filter((key) => !reached.has(key)),
  );
  writeFileSync(join(root, "src/report/coverage/blocks.ts"), sourceOf(blocks));
}
