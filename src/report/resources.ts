import type { StoredEntry } from "../engine/journal-entries.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Move, ReportedResource } from "./reported-run.ts";
import { toneOfStatus } from "./tones.ts";

const DEFAULT_CURRENCY = "PHP";

/** Returns the resources with a lifecycle that the journal knows, in the order in which they came, each with its path. */
export function resourcesIn(sim: Simulator, entries: readonly StoredEntry[]): ReportedResource[] {
  const statuses = new Map(
    sim.internals.service.lifecycles.map(({ lifecycle, statusOf }) => [lifecycle.name, statusOf] as const),
  );
  const amounts = amountsIn(sim);
  const paths = new Map<string, { machine: string; id: string; moves: Move[] }>();
  for (const { sequence, at, kind, details } of entries) {
    if (kind !== "step" && kind !== "timer") continue;
    const { resource: machine, id, input, from, to } = details;
    const path = paths.get(id) ?? { machine, id, moves: [] };
    path.moves.push({ sequence, at: toTimestamp(at), input, ...(from === undefined ? {} : { from }), to });
    paths.set(id, path);
  }
  return [...paths.values()].map(({ machine, id, moves }) => {
    const state = moves.at(-1)?.to ?? "";
    const status = statuses.get(machine)?.[state] ?? state;
    return Object.assign({ machine, id, state, status, tone: toneOfStatus(status), moves }, amounts.get(id));
  });
}

type Amount = Pick<ReportedResource, "amount" | "currency" | "isPayment" | "description">;

function amountsIn(sim: Simulator): ReadonlyMap<string, Amount> {
  const amounts = new Map<string, Amount>();
  const add = (id: string, { currency = DEFAULT_CURRENCY, description, ...others }: Amount): void =>
    void amounts.set(id, {
      ...others,
      currency,
      ...(description === undefined || description === "" ? {} : { description }),
    });
  for (const { id, amount, currency, description } of sim.intents.list())
    add(id, { amount, description, isPayment: true, ...(currency === undefined ? {} : { currency }) });
  for (const { id, amount, description } of sim.checkouts.list()) add(id, { amount, description });
  for (const { id, amount, currency } of sim.invoices.list()) add(id, { amount, currency });
  return amounts;
}
