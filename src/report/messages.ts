import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { Redaction } from "../kit/base/redaction/redaction.ts";
import { saidOf } from "./by-kind.ts";
import type { ByKind } from "./by-kind.ts";
import { partOf, partOfValue } from "./contents.ts";
import type { Cleaning } from "./contents.ts";
import type { HeardCall, HeardDelivery, Playback } from "./playback.ts";
import type { Part } from "./reported-run.ts";

/** The contents of journal entries, by sequence number. */
export type Messages = ReadonlyMap<number, readonly Part[]>;

/** Assigns what was recorded during a replay to the entries of the journal. */
export function messagesOf(
  entries: readonly StoredEntry[],
  heard: Pick<Playback, "calls" | "deliveries"> | undefined,
  cleaning: Cleaning,
): Messages {
  const calls = callsByEntry(entries, heard?.calls ?? [], cleaning.redaction);
  const deliveries = Map.groupBy(heard?.deliveries ?? [], ({ event, at }) => `${event} ${at}`);
  const messages = new Map<number, readonly Part[]>();
  let call: HeardCall | undefined;
  for (const entry of entries) {
    const { sequence, kind } = entry;
    if (kind === "request") call = calls.get(sequence);
    const parts = partsOf(entry, call, deliveries, cleaning);
    if (parts.length > 0) messages.set(sequence, parts);
  }
  return messages;
}

function partsOf(
  entry: StoredEntry,
  call: HeardCall | undefined,
  deliveries: ReadonlyMap<string, HeardDelivery[]>,
  cleaning: Cleaning,
): readonly Part[] {
  const answered = ({ volatile }: { readonly volatile?: { readonly answer?: unknown } }): Part[] =>
    volatile?.answer === undefined ? [] : [partOfValue("Answer", volatile.answer, cleaning)];
  const table: ByKind<readonly Part[]> = {
    request: ({ details }) => [...requestOf(details, call, cleaning), ...answerOf(call, cleaning)],
    answer: () => answerOf(call, cleaning),
    delivery: (delivery) => {
      const { event, sentAt = entry.at } = delivery.details;
      const sent = deliveries.get(`${event} ${sentAt}`)?.shift();
      return [...(sent === undefined ? [] : [partOf("Request", sent, cleaning)]), ...answered(delivery)];
    },
    hostile: answered,
    "late-answer": answered,
    customer: answered,
  };
  return saidOf(table, entry) ?? [];
}

function requestOf(
  details: Extract<StoredEntry, { readonly kind: "request" }>["details"],
  call: HeardCall | undefined,
  cleaning: Cleaning,
): Part[] {
  if (call === undefined)
    return details.body === undefined ? [] : [partOfValue("Request, as the service read it", details.body, cleaning)];
  const { headers, body = "", unreadable } = call.request;
  const target = cleaning.clean(cleaning.redaction.text(call.request.target));
  const part = { ...partOf("Request", { headers: Object.entries(headers), body }, cleaning), target };
  return [
    unreadable === undefined ? part : { ...part, body: `(a body that the service could not read: ${unreadable})` },
  ];
}

function answerOf(call: HeardCall | undefined, cleaning: Cleaning): Part[] {
  return call?.answer === undefined ? [] : [partOf("Answer", call.answer, cleaning)];
}

/**
 * Finds the entry of each call: the first later entry with its method and path that belongs to no earlier call. The entry of a held call
 * comes later, and a call for a document has none.
 */
function callsByEntry(
  entries: readonly StoredEntry[],
  calls: readonly HeardCall[],
  redaction: Redaction,
): ReadonlyMap<number, HeardCall> {
  const waiting = new Map<string, HeardCall[]>();
  const found = new Map<number, HeardCall>();
  let next = 0;
  for (const { kind, details, sequence } of entries) {
    for (let call = calls[next]; call !== undefined && call.after < sequence; call = calls[next]) {
      const name = `${call.request.method} ${redaction.text(pathOf(call.request.target))}`;
      waiting.set(name, [...(waiting.get(name) ?? []), call]);
      next += 1;
    }
    if (kind !== "request") continue;
    const call = waiting.get(`${details.method} ${details.path}`)?.shift();
    if (call !== undefined) found.set(sequence, call);
  }
  return found;
}

function pathOf(target: string): string {
  const [path = ""] = target.split(/[?#]/);
  return path.startsWith("/") ? path : (URL.parse(target)?.pathname ?? path);
}
