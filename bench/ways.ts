import { startChild } from "./child.ts";
import { median } from "./measure.ts";
import { showProgress } from "./progress.ts";
import type { Bound, Figure } from "./table.ts";
import type { WayName } from "./way.ts";

interface Pair {
  readonly what: string;
  readonly ours: WayName;
  readonly theirs: WayName;
  /** How many flows each side runs in a round. */
  readonly flows: readonly [number, number];
  /** Whether the ratio says how much faster ours is, or how much more it costs. */
  readonly ratio: "faster" | "the cost";
  readonly bound?: Bound;
}

const flow = "Create, confirm and read an intent";
const pairs: readonly Pair[] = [
  {
    what: `${flow} through \`intercept(sim)\`, compared with three static handlers in \`setupServer\``,
    ours: "intercept",
    theirs: "setupServer-static",
    flows: [400, 120],
    ratio: "faster",
    bound: { of: "ratio", atLeast: 14 },
  },
  {
    what: `${flow} through \`handlers(sim)\` in \`setupServer\`, compared with three static handlers there`,
    ours: "setupServer",
    theirs: "setupServer-static",
    flows: [120, 120],
    ratio: "the cost",
    bound: { of: "ratio", atMost: 1.3 },
  },
  {
    what: `${flow} through \`sim.fetch\`, compared with three plain functions with static answers`,
    ours: "direct",
    theirs: "direct-static",
    flows: [1000, 2000],
    ratio: "the cost",
    bound: { of: "ratio", atMost: 2.5 },
  },
  {
    what: `${flow} through \`serve(sim)\`, compared with static answers from the same server`,
    ours: "server",
    theirs: "server-static",
    flows: [150, 150],
    ratio: "the cost",
  },
];

const ROUNDS = 11;
/** Until V8 has compiled nearly all of both sides: the first calls take several times as long. */
const WARM_UP_ROUNDS = 16;

/** Measures each way into the service and its comparison, in turn. */
export async function compareWays(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const pair of pairs) figures.push(await compare(pair));
  return figures;
}

/**
 * Each side runs in its own process, because the interception of one would affect the other. They take turns, so that a machine that
 * slows down during the run slows both.
 */
async function compare({ what, ours, theirs, flows, ratio, bound }: Pair): Promise<Figure> {
  const mine = startChild<number, number>("way.ts", [ours]);
  const other = startChild<number, number>("way.ts", [theirs]);
  const rounds: { readonly ours: number; readonly theirs: number }[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    showProgress(`${ours} beside ${theirs}: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const figures = { ours: await mine.ask(flows[0]), theirs: await other.ask(flows[1]) };
    if (round > 0) rounds.push(figures);
  }
  mine.close();
  other.close();
  const value = median(
    rounds.map((round) => (ratio === "faster" ? round.theirs / round.ours : round.ours / round.theirs)),
  );
  return {
    what,
    unit: "µs",
    value: median(rounds.map((round) => round.ours)),
    beside: median(rounds.map((round) => round.theirs)),
    ratio: { value, means: ratio },
    ...(bound === undefined ? {} : { bound }),
  };
}
