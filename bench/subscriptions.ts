import { LARGE_HEAP, startChild } from "./child.ts";
import type { Child } from "./child.ts";
import type { GrowingQuestion } from "./live-on.ts";
import { median, slope } from "./measure.ts";
import { showProgress } from "./progress.ts";
import type { RenewalCost, RenewalQuestion } from "./renew.ts";
import { bytes, grouped } from "./table.ts";
import type { Bound, Curves, Figure, Point } from "./table.ts";

type Renewals = Child<RenewalQuestion, RenewalCost>;

const ROUNDS = 5;
const FEW = 1000;
const MANY = 100_000;
const KEPT = 10_000;
const KEPT_HISTORY = 100_000;
const DECADE = 120;
const MONTHS_TO_FILL = 2;
const MONTHS_OF_GROWTH = 5;
const GIBIBYTE = 2 ** 30;
/** How many subscriptions, and how many months of them: enough cycles to be measured, in worlds that take not too long to make. */
const SIZES: readonly (readonly [subscriptions: number, months: number])[] = [
  [100, 60],
  [1000, 12],
  [10_000, 3],
  [100_000, 1],
  [1_000_000, 1],
];
const MOST_GROWTH = 2;
const AGAINST_FLOOR: Bound = { of: "ratio", atMost: 2, goal: 1.5 };
const AGAINST_FEW: Bound = { of: "ratio", atMost: 1.5, goal: 1.2 };
const OF_A_DECADE: Bound = { of: "value", atMost: 4 };

/** Measures the cost of a renewal, compared with its minimum work, and with a hundred times as many subscriptions. */
export async function measureSubscriptions(): Promise<Figure[]> {
  return [
    ...(await besideFloor("every webhook delivered in the process", true)),
    ...(await besideFloor("without receivers", false)),
    ...(await besideFew()),
    await decade(),
  ];
}

/** Measures a renewal in worlds of growing size, beside its machine steps alone. Both bound the journal, so that only the size differs. */
export async function measureCycles(): Promise<Curves> {
  const ours: Point[] = [];
  const floor: Point[] = [];
  for (const [subscriptions, months] of SIZES) {
    showProgress(`cycles of ${grouped(subscriptions)} subscriptions`);
    const question = { subscriptions, months, delivered: false, keep: KEPT };
    ours.push([subscriptions, (await warmedUp(question)).time]);
    floor.push([subscriptions, (await warmedUp({ ...question, floor: true })).time]);
  }
  return {
    of: "Each subscription, in a world of",
    curves: [
      {
        what: "Time: a monthly cycle without receivers",
        unit: "µs",
        points: ours,
        beside: { what: "machine steps by XState alone", points: floor },
        bound: { timesTheFirst: MOST_GROWTH },
      },
    ],
  };
}

/**
 * Each side runs in its own process, and they take turns. Every round starts new processes, because the compiler's choices last as long as
 * a process and can make one side half as slow again.
 */
async function besideFloor(circumstances: string, delivered: boolean): Promise<Figure[]> {
  const question = { subscriptions: FEW, months: 12, delivered } as const;
  const rounds: { readonly ours: number; readonly floor: number; readonly heap: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    showProgress(`subscriptions, ${circumstances}: round ${round} of ${ROUNDS}`);
    const ours = await warmedUp(question);
    const floor = await warmedUp({ ...question, floor: true });
    rounds.push({ ours: ours.time, floor: floor.time, heap: ours.heap });
  }
  const bare = delivered ? "machine steps by XState, signatures and handler calls" : "machine steps by XState";
  return [
    {
      what: `Monthly cycle of ${grouped(FEW)} subscriptions over a year, ${circumstances}, compared with only its ${bare}`,
      unit: "µs",
      value: median(rounds.map(({ ours }) => ours)),
      beside: median(rounds.map(({ floor }) => floor)),
      ratio: { value: median(rounds.map(({ ours, floor }) => ours / floor)), means: "the cost" },
      bound: AGAINST_FLOOR,
    },
    {
      what: `Heap of a finished cycle, ${circumstances}, the whole journal kept`,
      unit: "B",
      value: median(rounds.map(({ heap }) => heap)),
    },
  ];
}

/** Returns the second answer of a new process, of which the first is about a small world. */
async function warmedUp(question: RenewalQuestion): Promise<RenewalCost> {
  const renewals: Renewals = startChild("renew.ts", [], LARGE_HEAP);
  await renewals.ask({ ...question, subscriptions: Math.min(FEW, question.subscriptions), months: 12 });
  const cost = await renewals.ask(question);
  renewals.close();
  return cost;
}

/** Compares a small world with a large one. Both bound the journal, so that only the size differs. The large one runs for only a month, because each cycle takes so long. */
async function besideFew(): Promise<Figure[]> {
  const few: Renewals = startChild("renew.ts");
  const many: Renewals = startChild("renew.ts");
  const world = { delivered: false, keep: KEPT };
  showProgress(`${grouped(MANY)} subscriptions`);
  const large = await many.ask({ ...world, subscriptions: MANY, months: 1 });
  many.close();
  const small: RenewalCost[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    showProgress(`${grouped(FEW)} subscriptions beside ${grouped(MANY)}: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const cost = await few.ask({ ...world, subscriptions: FEW, months: 12 });
    if (round > 0) small.push(cost);
  }
  few.close();
  const time = median(small.map((cost) => cost.time));
  return [
    {
      what: `Monthly cycle of ${grouped(MANY)} subscriptions without receivers, compared with that of ${grouped(FEW)}, journal bounded`,
      unit: "µs",
      value: large.time,
      beside: time,
      ratio: { value: large.time / time, means: "the cost" },
      bound: AGAINST_FEW,
    },
    {
      what: `Heap of a finished cycle, without receivers, \`journal: { keep: ${option(KEPT)} }\``,
      unit: "B",
      value: large.heap,
    },
  ];
}

/** Measures the live heap of the months after the bounds are full: its maximum, and its rise extrapolated to a decade. */
async function decade(): Promise<Figure> {
  const child = startChild<GrowingQuestion, readonly number[]>("live-on.ts");
  showProgress(`${grouped(MANY)} subscriptions, journal and history bounded`);
  const world = { subscriptions: MANY, delivered: false, keep: KEPT, history: KEPT_HISTORY };
  const heaps = await child.ask({ ...world, months: MONTHS_TO_FILL + MONTHS_OF_GROWTH });
  child.close();
  const after = heaps.slice(MONTHS_TO_FILL - 1);
  const standing = Math.max(...after);
  const growth = slope(after);
  const end = (standing + Math.max(0, growth) * (DECADE - heaps.length)) / GIBIBYTE;
  const bounds = `\`journal: { keep: ${option(KEPT)} }, history: { keep: ${option(KEPT_HISTORY)} }\``;
  return {
    what: `Live heap of ${grouped(MANY)} subscriptions after a decade, without receivers, ${bounds}: extrapolated from months ${MONTHS_TO_FILL} to ${heaps.length}, at most ${grouped(standing / GIBIBYTE, 2)} GiB, ${bytes(growth / MANY)} more each cycle`,
    unit: "GiB",
    value: end,
    bound: OF_A_DECADE,
  };
}

/** Formats a number as in source code. */
function option(value: number): string {
  return grouped(value).replaceAll(" ", "_");
}
