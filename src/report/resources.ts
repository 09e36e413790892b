import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { DEFAULT_CURRENCY } from "./reported-run.ts";
import type { Move, ReportedResource } from "./reported-run.ts";
import { toneOfStatus } from "./tones.ts";

/** Returns the resources in the journal that have a lifecycle, oldest first, each with its path. */
export function resourcesIn(sim: Simulator, entries: readonly StoredEntry[]): ReportedResource[] {
  const statuses = new Map(
    sim.internals.service.lifecycles.map(({ lifecycle, statusOf }) => [lifecycle.name, statusOf] as const),
  );
  const terms = termsIn(sim);
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
    return Object.assign({ machine, id, state, status, tone: toneOfStatus(status), moves }, terms.get(id));
  });
}

/** What was paid, and for what. */
type Terms = Pick<ReportedResource, "price" | "isPayment" | "description">;

function termsIn(sim: Simulator): ReadonlyMap<string, Terms> {
  const described = (description: string | undefined): Terms =>
    description === undefined || description === "" ? {} : { description };
  const priced = (amount: number, currency = DEFAULT_CURRENCY): Terms => ({ price: { amount, currency } });
  return new Map<string, Terms>([
    ...sim.intents
      .list()
      .map(({ id, amount, currency, description }): [string, Terms] => [
        id,
        { ...priced(amount, currency), isPayment: true, ...described(description) },
      ]),
    ...sim.checkouts
      .list()
      .map(({ id, amount, description }): [string, Terms] => [id, { ...priced(amount), ...described(description) }]),
    ...sim.invoices.list().map(({ id, amount, currency }): [string, Terms] => [id, priced(amount, currency)]),
  ]);
}
