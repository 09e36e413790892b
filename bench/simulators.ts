import { startChild } from "./child.ts";
import { showProgress } from "./progress.ts";
import { boundInWords, bytes, keeps, milliseconds } from "./table.ts";
import type { Bound, Figure } from "./table.ts";
import type { WorldFigures } from "./weigh-worlds.ts";

/** Measures the cost of creating, resetting and forking a simulator, and the heap of each part of a world. */
export async function measureSimulators(): Promise<Figure[]> {
  showProgress("create, reset, fork");
  const child = startChild<null, WorldFigures>("weigh-worlds.ts");
  const { create, resetEmpty, resetThousand, forkThousand, forkTenThousand, weights } = await child.ask(null);
  child.close();
  const { rows, journal, webhooks } = weights;
  return [
    time("`createSimulator()`, warm", create, { atMost: 1 }),
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
