import { startChild } from "./child.ts";
import { median, slope } from "./measure.ts";
import { showProgress } from "./progress.ts";
import type { Bound, Figure } from "./table.ts";
import type { OpeningFigures } from "./open-simulators.ts";
import type { TestFigures, TestQuestion } from "./run-tests.ts";
import type { WorldFigures } from "./weigh-worlds.ts";

/** Bytes: what the process itself remembers of tests, up to its bounds. */
const LEFT: Bound = { of: "value", atMost: 4000 };
/** Times the cost of the same tests with MSW's stock handlers. */
const BESIDE_STOCK: Bound = { of: "ratio", atMost: 0.6 };
/** Milliseconds of a thousand tests. */
const THOUSAND: Bound = { of: "value", atMost: 4000, goal: 2000 };
/** Milliseconds that somebody waits for the first test of a process, which compiles most of what it runs. */
const FIRST: Bound = { of: "value", atMost: 100 };
/** Milliseconds that somebody waits for the first thousand. */
const FIRST_THOUSAND: Bound = { of: "value", atMost: 2000 };
const PROCESSES = 7;
const TESTS = 200;
const TEST_ROUNDS = 5;

/** Measures what a simulator of the built package costs a test. */
export async function measureOpening(): Promise<Figure[]> {
  const rounds: { readonly lazy: OpeningFigures; readonly compiled: OpeningFigures }[] = [];
  for (let round = 1; round <= PROCESSES; round += 1) {
    showProgress(`create, close: process ${round} of ${PROCESSES}`);
    rounds.push({ lazy: await opened([]), compiled: await opened(["--no-lazy"]) });
  }
  const of = (figure: keyof OpeningFigures): number => median(rounds.map(({ lazy }) => lazy[figure]));
  return [
    {
      what: "The first `createSimulator()` of a process (real time), compared with one in a process that has compiled every function before (`node --no-lazy`)",
      unit: "ms",
      value: of("first"),
      beside: median(rounds.map(({ compiled }) => compiled.first)),
      bound: { of: "value", atMost: 20, goal: 3 },
    },
    time("A later one", of("later"), { of: "value", atMost: 0.5, goal: 0.2 }),
    time("`sim.close()`", of("close"), { of: "value", atMost: 0.1 }),
  ];
}

async function opened(flags: readonly string[]): Promise<OpeningFigures> {
  const child = startChild<null, OpeningFigures>("open-simulators.ts", [], flags);
  const figures = await child.ask(null);
  child.close();
  return figures;
}

/** Measures a thousand tests with a simulator each, and the same with MSW's stock handlers, in turn. */
export async function measureTests(): Promise<Figure[]> {
  return [...(await measureWarmTests()), ...(await measureFirstTests())];
}

/** Measures the first tests of a process, in real time, as somebody waits for them once Centavo is imported. */
async function measureFirstTests(): Promise<Figure[]> {
  const times: { readonly first: number; readonly thousand: number }[] = [];
  for (let round = 1; round <= PROCESSES; round += 1) {
    showProgress(`first tests: process ${round} of ${PROCESSES}`);
    const child = startChild<TestQuestion, TestFigures>("run-tests.ts", ["intercept"]);
    const first = (await child.ask({ tests: 1 })).real;
    times.push({ first, thousand: first + (await child.ask({ tests: 999 })).real });
    child.close();
  }
  return [
    time(
      "The first test of a process (real time, without its imports)",
      median(times.map(({ first }) => first)),
      FIRST,
    ),
    time(
      "The first thousand tests of a process (the same)",
      median(times.map(({ thousand }) => thousand)),
      FIRST_THOUSAND,
    ),
  ];
}

async function measureWarmTests(): Promise<Figure[]> {
  const simulated = startChild<TestQuestion, TestFigures>("run-tests.ts", ["intercept"]);
  const stock = startChild<TestQuestion, TestFigures>("run-tests.ts", ["setupServer"]);
  const rounds: { readonly ours: TestFigures; readonly theirs: TestFigures }[] = [];
  for (let round = 0; round <= TEST_ROUNDS; round += 1) {
    showProgress(`tests: round ${Math.max(round, 1)} of ${TEST_ROUNDS}`);
    const pair = { ours: await simulated.ask({ tests: TESTS }), theirs: await stock.ask({ tests: TESTS }) };
    // The first round warms up.
    if (round > 0) rounds.push(pair);
  }
  stock.close();
  const heaps: number[] = [];
  for (let round = 0; round <= TEST_ROUNDS; round += 1)
    heaps.push((await simulated.ask({ tests: TESTS, weighs: true })).heap);
  simulated.close();
  // A microsecond for each test is a millisecond for a thousand.
  const ours = median(rounds.map((round) => round.ours.each));
  const left = slope(heaps.slice(1)) / TESTS;
  const ratio = median(rounds.map((round) => round.ours.each / round.theirs.each));
  return [
    {
      what: "A thousand tests in one process: create, intercept, connect an app, pay with 3-D Secure, deliver, close; compared with the same calls to static handlers in `setupServer`, which listens and closes in each test",
      unit: "ms",
      value: ours,
      beside: median(rounds.map((round) => round.theirs.each)),
      ratio: { value: ratio, means: "the cost" },
      bound: BESIDE_STOCK,
    },
    { what: "The same tests, in absolute terms", unit: "ms", value: ours, bound: THOUSAND },
    {
      what: "Heap that each of them leaves",
      unit: "B",
      value: left,
      bound: LEFT,
    },
  ];
}

/** Measures the cost of creating and resetting a simulator, and the heap of each part of a world. */
export async function measureSimulators(): Promise<Figure[]> {
  showProgress("create, reset");
  const child = startChild<null, WorldFigures>("weigh-worlds.ts");
  const { create, resetEmpty, resetThousand, weights } = await child.ask(null);
  child.close();
  const { rows, journal, webhooks } = weights;
  return [
    time("`createSimulator()`, warm", create),
    time("`sim.reset()`", resetEmpty, { of: "value", atMost: 0.1 }),
    time("`sim.reset()` with 1 000 intents", resetThousand, { of: "value", atMost: 0.1 }),
    weight("Heap of a paid intent with two delivered webhooks: its rows", rows),
    weight("its journal", journal),
    weight("its events and attempts", webhooks),
  ];
}

function time(what: string, value: number, bound?: Bound): Figure {
  return { what, unit: "ms", value, ...(bound === undefined ? {} : { bound }) };
}

function weight(what: string, value: number): Figure {
  return { what, unit: "B", value };
}
