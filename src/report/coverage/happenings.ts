import type { StoredEntry } from "../../kit/engine/journal-entries.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import type { WorldOfEntries } from "../../kit/engine/written-entries.ts";

/** A move of a resource, or its creation if `from` is missing. */
export interface Move {
  readonly resource: string;
  readonly input: string;
  readonly from?: string;
  readonly to: string;
}

/** Something that happened in a world, named as coverage names it. */
export type Happening = readonly [part: Part, name: string];

/** Returns the step of a resource that an entry describes. */
export function moveOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): Move | undefined {
  return kind === "step" || kind === "timer" ? (details as unknown as Move) : undefined;
}

/** Returns the type of the event that an entry announces. */
export function eventOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): string | undefined {
  return kind === "webhook" ? (details as { readonly type?: string }).type : undefined;
}

/** Returns the type of the event that the merchant accepted. An event that reached no app tested no shop. */
function acceptedEventOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): string | undefined {
  if (kind !== "delivery") return undefined;
  const { type, status = 0 } = details as { readonly type: string; readonly status?: number };
  return status >= 200 && status < 300 ? type : undefined;
}

/** Returns the code of the error that an entry answers. */
export function errorOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): string | undefined {
  return kind === "answer" ? (details as { readonly code?: string }).code : undefined;
}

/** Names a state of a resource, or an input of its timer. */
export function ofResource(resource: string, what: string): string {
  return `${resource}: ${what}`;
}

export function moveWithInput({ resource, from = "", input, to }: Move): string {
  return `${resource}: ${from} → ${to} (${input})`;
}

export function customerAct(act: string): string {
  return `customer.${act}`;
}

/** The rules of time that no resource's timer shows: how the journal shows each, by its assumption. */
export const timeRulesBesideTimers = {
  "auth.token-lifetime": ({ kind, volatile = {} }) =>
    kind === "answer" && (volatile as { readonly problem?: string }).problem === "Token expired",
  "webhook.retries": (entry) =>
    acceptedEventOf(entry) !== undefined && (entry.details as { attempt: number }).attempt > 1,
  "webhook.timeout": ({ kind, details }) =>
    kind === "delivery" && (details as { readonly clock?: string }).clock === "virtual",
} as const satisfies Readonly<Record<string, (entry: StoredEntry) => boolean>>;

/** Names everything in an entry that coverage counts, whether or not the service knows it. */
export function happeningsIn(entry: StoredEntry, { tables }: WorldOfEntries): readonly Happening[] {
  const { kind, details } = entry;
  const event = acceptedEventOf(entry);
  const error = errorOf(entry);
  const move = moveOf(entry);
  const found: Happening[] = Object.entries(timeRulesBesideTimers)
    .filter(([, isShown]) => isShown(entry))
    .map(([name]) => ["timeRules", name]);
  if (event !== undefined) found.push(["events", event]);
  if (error !== undefined) found.push(["errors", error]);
  if (kind === "fault" && details.act === "strike") found.push(["faults", details.kind]);
  if (kind === "customer") found.push(["outcomes", customerAct(details.act)]);
  if (move === undefined) return found;
  const { resource, from, input, to } = move;
  found.push(["states", ofResource(resource, to)]);
  if (from !== undefined) found.push(["moves", moveWithInput(move)]);
  if (kind === "timer") found.push(["timeRules", ofResource(resource, input)]);
  const row = tables.get(resource)?.get((details as { readonly id: string }).id);
  const behaviour = chargedMethodOf(row);
  return behaviour === undefined ? found : [...found, ["outcomes", behaviour]];
}

/** Returns the test method that decided a payment, even if the payment was made with the full card. */
function chargedMethodOf(row: unknown): string | undefined {
  const { data } = (row ?? {}) as {
    readonly data?: { readonly purpose?: unknown; readonly method?: { behaviour?: string } };
  };
  return data?.purpose === undefined ? undefined : data.method?.behaviour;
}
