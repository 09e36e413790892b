import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./build.ts";
import { startChild } from "./child.ts";
import type { Child } from "./child.ts";
import { median } from "./measure.ts";
import { showProgress } from "./progress.ts";
import type { Breakdowns } from "./table.ts";

/** What can be taken out of a call one after the other, as `run-without-stages.ts` does it, in words. */
const TAKEN_OUT = [
  "journal and recording",
  "the machines' steps, rows, timers, facts and events",
  "writing the answer",
  "reading the body and checking it against its schema",
  "credentials, and the call that a handler gets",
  "routing",
  "reading headers, the order of calls, and turns of promises",
];
const FLOOR =
  "what any fake of `fetch` does: the caller's text and headers, a `Response` for each answer, and reading it";

type Measuring = Child<number, number>;

const ROUNDS = 15;
const WARM_UP_ROUNDS = 5;
const FLOWS = 400;

/**
 * Measures what a flow costs without stages of the service: each stage is taken out together with those before it, in a process of its own,
 * and costs what that saves. What is left is the floor. The processes take turns. Unlike the shares of a profile, these figures do not add up
 * to the flow by themselves, so it is also measured on its own, in the built package.
 */
export async function measureFloor(): Promise<Breakdowns> {
  const file = await bundled();
  const start = (...args: readonly string[]) => startChild<number, number>(file, args);
  const without = [0, ...TAKEN_OUT.map((_, index) => index + 1)].map((count) => start(String(count)));
  const [complete, floor] = [without[0], without.at(-1)] as [Measuring, Measuring];
  const turn = start("0", "turn");
  const interception = start("0", "interception");
  const built = startChild<number, number>("way.ts", ["direct"]);
  const all = [...without, turn, interception, built];
  const rounds = await inTurn(all);
  for (const child of all) child.close();
  const cost = (child: Measuring, less?: Measuring): number =>
    median(rounds.map((round) => (round.get(child) ?? 0) - ((less && round.get(less)) ?? 0)));

  const stages = TAKEN_OUT.map((what, index): [string, number] => [
    what,
    cost(without[index] as Measuring, without[index + 1]),
  ]);
  const told = [[FLOOR, cost(floor)] as const, ...stages.toReversed()];
  const sum = told.reduce((total, [, each]) => total + each, 0);
  const flow = "Create, confirm and read an intent through";
  return {
    breakdowns: [
      {
        what: `${flow} \`sim.fetch\`, one stage taken out after the other`,
        unit: "µs",
        stages: [...told, ["not told apart from the flow measured on its own", cost(built) - sum]],
      },
      {
        what: `${flow} \`intercept(sim)\`, beside \`sim.fetch\``,
        unit: "µs",
        stages: [
          ["the flow through `sim.fetch`", cost(complete)],
          ["a turn of the event loop before each call", cost(turn, complete)],
          ["the service at an address, the order of calls, redirects", cost(interception, turn)],
        ],
      },
    ],
  };
}

/** Lets the children measure in turn, so that a machine that slows down slows all of them. */
async function inTurn(children: readonly Measuring[]): Promise<Map<Measuring, number>[]> {
  const rounds: Map<Measuring, number>[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    showProgress(`stages of a flow: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const costs = new Map<Measuring, number>();
    for (const child of children) costs.set(child, await child.ask(FLOWS));
    if (round > 0) rounds.push(costs);
  }
  return rounds;
}

/** Bundles the child from the source, and returns the path of its file from here. */
async function bundled(): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, "run-without-stages.ts")],
    outfile: join(root, ".cache/bench/run-without-stages.js"),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return "../.cache/bench/run-without-stages.js";
}
