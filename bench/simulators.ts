import { startChild } from "./child.ts";
import { showProgress } from "./progress.ts";
import { boundInWords, bytes, keeps, milliseconds } from "./table.ts";
import type { Bound, Figure } from "./table.ts";
import type { OpeningFigures } from "./open-simulators.ts";
import type { WorldFigures } from "./weigh-worlds.ts";

/** Bytes: what the process itself remembers of tests, up to its bounds. */
const LEFT: Bound = { atMost: 4000 };

/** Measures what a simulator of the built package costs a test, and a thousand tests that use one. */
export async function measureOpening(): Promise<Figure[]> {
  showProgress("create, close, a thousand tests");
  const child = startChild<null, OpeningFigures>("open-simulators.ts");
  const { first, later, close, tests, kept } = await child.ask(null);
  child.close();
  return [
    time("The first `createSimulator()` of a process", first, { atMost: 3 }),
    time("A later one", later, { atMost: 0.2 }),
    time("`sim.close()`", close, { atMost: 0.1 }),
    time(
      "A thousand tests in one process: create, intercept, connect an app, pay with 3-D Secure, deliver, close",
      tests,
      { atMost: 2000 },
    ),
    {
      what: "Heap that each of them leaves",
      ours: bytes(kept / 1000),
      bound: `${boundInWords(LEFT)} B`,
      kept: keeps(kept / 1000, LEFT),
    },
  ];
}

/** Measures the cost of creating, resetting and forking a simulator, and the heap of each part of a world. */
export async function measureSimulators(): Promise<Figure[]> {
  showProgress("create, reset, fork");
  const child = startChild<null, WorldFigures>("weigh-worlds.ts");
  const { create, resetEmpty, resetThousand, forkThousand, forkTenThousand, weights } = await child.ask(null);
  child.close();
  const { rows, journal, webhooks } = weights;
  return [
    time("`createSimulator()`, warm", create),
    time("`sim.reset()`", resetEmpty, { atMost: 0.1 }),
    time("`sim.reset()` with 1 000 intents", resetThousand, { atMost: 0.1 }),
    time("`sim.fork()` with 1 000 intents", forkThousand),
    time("`sim.fork()` with 10 000 intents", forkTenThousand),
    weight("Heap of a paid intent with two delivered webhooks: its rows", rows),
    weight("its journal", journal),
    weight("its events and attempts", webhooks),
  ];
}

function time(what: string, value: number, bound?: Bound): Figure {
  return {
    what,
    ours: milliseconds(value),
    ...(bound === undefined ? {} : { bound: `${boundInWords(bound)} ms` }),
    kept: bound === undefined || keeps(value, bound),
  };
}

function weight(what: string, value: number): Figure {
  return { what, ours: bytes(value), kept: true };
}
