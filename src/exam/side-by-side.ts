import type { StoredEntry } from "../engine/journal-entries.ts";
import { printable } from "../errors/printable.ts";
import type { MerchantNote } from "./stage/observations.ts";

/** How wide the merchant's side is, in characters. */
const WIDTH = 52;
/** How many rows are shown, and how many of them come before the first trouble. */
const MOST_ROWS = 36;
const ROWS_BEFORE = 8;

type Row = { readonly at: number; readonly merchant?: string; readonly service?: string };
type Details = Readonly<Record<string, unknown>>;

/** What each kind of the service's entries says here; what is left out says nothing that a reader of a story needs. */
const LINES: Readonly<Record<string, (details: Details) => string | undefined>> = {
  request: ({ method, path, idempotencyKey }) =>
    `← ${String(method)} ${String(path)}${typeof idempotencyKey === "string" ? ` (key ${idempotencyKey})` : ""}`,
  answer: ({ status, code, replayed }) =>
    `→ ${String(status)}${typeof code === "string" ? ` ${code}` : ""}${replayed === true ? ", as before" : ""}`,
  step: moved,
  timer: moved,
  webhook: ({ type, status }) => (status === "pending" ? undefined : `${String(type)} is ${String(status)}`),
  delivery: ({ type, attempt, status, failure }) =>
    `⇒ ${String(type)}, attempt ${String(attempt)}: ${typeof failure === "string" ? failure : String(status)}`,
  fault: ({ act, kind }) => (act === "strike" ? `! ${String(kind)}` : undefined),
  customer: ({ act }) => `the customer: ${String(act)}`,
};

/**
 * Returns what happened around the first trouble, the merchant on the left, the service on the right.
 * @param notes what the merchant did, each after so many entries of the journal
 * @param entries the service's journal
 * @param troubleAfter after how many entries the first trouble happened
 */
export function sideBySide(
  notes: readonly MerchantNote[],
  entries: readonly Pick<StoredEntry, "kind" | "details" | "at">[],
  troubleAfter: number,
): string {
  const rows: Row[] = [];
  let first = 0;
  let next = 0;
  const addNotes = (until: number): void => {
    for (let note = notes[next]; note !== undefined && note.after <= until; note = notes[next]) {
      rows.push({ at: note.at, merchant: note.text });
      next += 1;
    }
  };
  for (const [index, { kind, details, at }] of entries.entries()) {
    addNotes(index);
    if (index === troubleAfter) first = Math.max(0, rows.length - ROWS_BEFORE);
    const service = LINES[kind]?.(details);
    if (service !== undefined) rows.push({ at, service });
  }
  addNotes(Infinity);
  const shown = rows.slice(first, first + MOST_ROWS);
  return [
    `${"".padEnd(13)}${"merchant".padEnd(WIDTH)}  service`,
    ...shown.map((row, index) => inColumns(row, shown[index - 1])),
    ...(rows.length > first + shown.length ? [`… and ${rows.length - first - shown.length} more`] : []),
  ].join("\n");
}

function inColumns({ at, merchant = "", service = "" }: Row, before: Row | undefined): string {
  const moment = new Date(at).toISOString();
  const day = moment.slice(0, 10) === (before === undefined ? "" : new Date(before.at).toISOString().slice(0, 10));
  const time = before?.at === at ? "" : day ? moment.slice(11, 19) : moment.slice(5, 16).replace("T", " ");
  return printable(`${time.padEnd(13)}${cut(merchant).padEnd(WIDTH)}  ${service}`.trimEnd());
}

function cut(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`;
}

function moved({ resource, from, to }: Details): string | undefined {
  if (from === to) return undefined;
  return `${String(resource)}: ${typeof from === "string" ? `${from} → ` : ""}${String(to)}`;
}
