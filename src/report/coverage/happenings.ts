import type { StoredEntry } from "../../kit/engine/journal-entries.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import type { WorldOfEntries } from "../../kit/engine/written-entries.ts";

/** A move of a resource; without `from`, that it was made. */
export interface Move {
  readonly resource: string;
  readonly input: string;
  readonly from?: string;
  readonly to: string;
}

/** One thing that happened in a world, as coverage names it. */
export type Happening = readonly [part: Part, name: string];

/** Returns the step of a resource that an entry tells of. */
export function moveOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): Move | undefined {
  return kind === "step" || kind === "timer" ? (details as unknown as Move) : undefined;
}

/** Returns the type of the event that an entry announces. */
export function eventOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): string | undefined {
  return kind === "webhook" ? (details as { readonly type?: string }).type : undefined;
}

/** Returns the type of the event that the merchant accepts in an entry: an event that reaches no app tests no shop. */
function acceptedEventOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): string | undefined {
  if (kind !== "delivery") return undefined;
  const { type, status = 0 } = details as { readonly type: string; readonly status?: number };
  return status >= 200 && status < 300 ? type : undefined;
}

/** Returns the code of the error that an entry answers. */
export function errorOf({ kind, details }: Pick<StoredEntry, "kind" | "details">): string | undefined {
  return kind === "answer" ? (details as { readonly code?: string }).code : undefined;
}

/** Names a state of a resource, or its timer's input. */
export function ofResource(resource: string, what: string): string {
  return `${resource}: ${what}`;
}

/** Names a move with the input that makes it. */
export function moveWithInput({ resource, from = "", input, to }: Move): string {
  return `${resource}: ${from} → ${to} (${input})`;
}

/** Names what a customer does on a page. */
export function customerAct(act: string): string {
  return `customer.${act}`;
}

/** How the journal shows what expires without a timer of a resource, by the assumption that says when. */
export const timeRulesBesideTimers = {
  "auth.token-lifetime": ({ kind, volatile = {} }) =>
    kind === "answer" && (volatile as { readonly problem?: string }).problem === "Token expired",
  "webhook.retries": (entry) =>
    acceptedEventOf(entry) !== undefined && (entry.details as { attempt: number }).attempt > 1,
  "webhook.timeout": ({ kind, details }) =>
    kind === "delivery" && (details as { readonly clock?: string }).clock === "virtual",
} as const satisfies Readonly<Record<string, (entry: StoredEntry) => boolean>>;

/** Names everything in an entry that coverage counts, known to the service or not. */
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

/** Returns the test method that a payment behaves like, also when it was paid with the card in full. */
function chargedMethodOf(row: unknown): string | undefined {
  const { data } = (row ?? {}) as {
    readonly data?: { readonly purpose?: unknown; readonly method?: { behaviour?: string } };
  };
  return data?.purpose === undefined ? undefined : data.method?.behaviour;
}
