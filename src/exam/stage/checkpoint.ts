import type { Simulator } from "../../simulator/simulator.ts";
import { copyOf } from "../../merchant/process/copies.ts";
import type { KeptStore } from "../../merchant/process/storage.ts";
import type { Customers } from "./customers.ts";
import type { Observations } from "./observations.ts";
import type { Stage } from "./stage.ts";

/** A story between two of its steps: all that is needed to go on from there, with a program that starts again. */
export interface Checkpoint {
  /** How many steps of the flow have been performed. */
  readonly performed: number;
  /** The service's world, in which nothing goes on. */
  readonly sim: Simulator;
  readonly store: KeptStore;
  readonly seen: Observations;
  readonly ids: ReadonlySet<string>;
  readonly callsMade: ReadonlyMap<string, readonly number[]>;
  readonly delivered: ReadonlySet<string>;
  readonly lastRuns: readonly number[];
  readonly secrets: ReadonlyMap<string, string>;
  /** Returns what the customers' browsers remember. */
  readonly notes: () => Customers["notes"];
}

/** Keeps a story as it is now. Returns undefined when the merchant is not at rest, or something cannot be kept. */
export async function checkpointOf(
  stage: Stage,
  customers: Customers,
  performed: number,
): Promise<Checkpoint | undefined> {
  const { options, sim, seen, ids, calls, deliveries, jobs, watch } = stage;
  if (!stage.isAtRest) return undefined;
  const store = await options.storage.keep();
  if (store === undefined) return undefined;
  const notes = copyOf(customers.notes);
  return {
    performed,
    sim: sim.fork(),
    store,
    seen: seen.copy(),
    ids: new Set(ids),
    callsMade: calls.made,
    delivered: new Set(deliveries.delivered),
    lastRuns: jobs.lastRuns,
    secrets: new Map(watch.secrets.names),
    notes: () => copyOf(notes),
  };
}
