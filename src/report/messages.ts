import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { Redaction } from "../kit/base/redaction/redaction.ts";
import { saidOf } from "./by-kind.ts";
import type { ByKind } from "./by-kind.ts";
import { partOf, partOfValue } from "./contents.ts";
import type { Cleaning } from "./contents.ts";
import type { HeardCall, HeardDelivery, Playback } from "./playback.ts";
import type { Part } from "./reported-run.ts";

/** Finds what each entry of the journal carried, given in order. */
export class Messages {
  readonly #cleaning: Cleaning;
  readonly #calls: ReadonlyMap<number, HeardCall>;
  readonly #deliveries: ReadonlyMap<string, HeardDelivery[]>;
  #call: HeardCall | undefined;

  /**
   * @param entries all of the journal
   * @param heard what was recorded during a replay; without it, the journal's own words have to do
   */
  constructor(
    entries: readonly StoredEntry[],
    heard: Pick<Playback, "calls" | "deliveries"> | undefined,
    cleaning: Cleaning,
  ) {
    this.#cleaning = cleaning;
    this.#calls = heard === undefined ? new Map() : callsByEntry(entries, heard.calls, cleaning.redaction);
    this.#deliveries = Map.groupBy(heard?.deliveries ?? [], ({ event, at }) => `${event} ${at}`);
  }

  of(entry: StoredEntry): readonly Part[] {
    if (entry.kind === "request") this.#call = this.#calls.get(entry.sequence);
    return partsOf(entry, this.#call, this.#deliveries, this.#cleaning);
  }
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
