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

/** What is paid, for what, and by whom. */
type Terms = Pick<ReportedResource, "price" | "isPayment" | "description" | "name" | "customer">;

function termsIn(sim: Simulator): ReadonlyMap<string, Terms> {
  const terms = new Map<string, Terms>();
  for (const { id, plan, externalId, contact } of sim.subscriptions.list()) {
    const { amount, currency, interval, intervalCount, name } = plan;
    const every = intervalCount === 1 ? interval : `${intervalCount} ${interval}s`;
    terms.set(id, { price: { amount, currency, every }, description: name, ...owned(externalId, contact) });
  }
  for (const { id, amount, currency, subscriptionId } of sim.invoices.list())
    terms.set(id, { ...terms.get(subscriptionId), price: { amount, currency } });
  for (const { id, amount, description, externalId, contact } of sim.checkouts.list())
    terms.set(id, {
      price: { amount, currency: DEFAULT_CURRENCY },
      ...described(description),
      ...owned(externalId, contact),
    });
  for (const { id, amount, currency = DEFAULT_CURRENCY, description, externalId, contact } of sim.intents.list())
    terms.set(id, {
      price: { amount, currency },
      isPayment: true,
      ...described(description),
      ...owned(externalId, contact),
    });
  return terms;
}

function described(description: string | undefined): Pick<Terms, "description"> {
  return description === undefined || description === "" ? {} : { description };
}

function owned(
  externalId: string | undefined,
  contact: { readonly name?: string | undefined; readonly email?: string | undefined } = {},
): Pick<Terms, "name" | "customer"> {
  const customer = contact.name ?? contact.email;
  return {
    ...(externalId === undefined ? {} : { name: externalId }),
    ...(customer === undefined ? {} : { customer }),
  };
}
