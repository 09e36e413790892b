import { OriginalDate } from "../kit/base/runtime/dates.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { A_JOB } from "./playing/observations.ts";
import type { Observations } from "./playing/observations.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** The width of the merchant's column, in characters. */
const WIDTH = 52;
/** How many rows before the first trouble are shown. */
const ROWS_BEFORE = 8;
/** How many rows from the first trouble on a long story shows before it skips to its end. */
const ROWS_OF_BEGINNING = 24;
const ROWS_OF_END = 12;
/** The answers to a job that only renews a token. */
const ANSWERS_OF_TOKENS: ReadonlySet<string> = new Set(["→ 401 UNAUTHORIZED", "→ 200"]);

interface Row {
  readonly at: number;
  readonly merchant?: string;
  readonly service?: string;
  /** Whether it is a call for a token. */
  readonly asksForToken?: boolean;
  /** Whether the last customer had come by then. */
  readonly isLate: boolean;
}
type Details = Readonly<Record<string, unknown>>;

/** How each kind of journal entry reads in the service's column. The kinds left out do not help a reader of the story. */
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
 * Returns what happened from the first trouble to the break, the merchant on the left, the service on the right.
 * Repeated runs of jobs and the middle of a long story are left out.
 * @param entries the service's journal
 * @param about the id of the customer whom the breach is about
 */
export function sideBySide(
  seen: Pick<Observations, "notes" | "troubleAfter" | "lastCustomer">,
  entries: readonly Pick<StoredEntry, "kind" | "details" | "at">[],
  about: string | undefined,
): string {
  const { rows, first } = rowsOf(seen, entries);
  const isAboutLast = about !== undefined && about === seen.lastCustomer?.id;
  const end = isAboutLast
    ? rows.length - 1
    : rows.findLastIndex(
        ({ isLate, merchant }) => !isLate || (about !== undefined && merchant?.startsWith(`books: ${about} `)),
      );
  const told = withoutRepeats(rows.slice(first, end + 1));
  const isLong = told.length > ROWS_OF_BEGINNING + ROWS_OF_END + 1;
  const [beginning, ending] = isLong ? [told.slice(0, ROWS_OF_BEGINNING), told.slice(-ROWS_OF_END)] : [told, []];
  return [
    `${"".padEnd(13)}${"merchant".padEnd(WIDTH)}  service`,
    ...beginning.map((row, index) => inColumns(row, beginning[index - 1])),
    ...(isLong ? [`… ${told.length - ROWS_OF_BEGINNING - ROWS_OF_END} rows …`] : []),
    ...ending.map((row, index) => inColumns(row, ending[index - 1])),
  ].join("\n");
}

/** Returns every row of a story, and the index of the first one to show. */
function rowsOf(
  { notes, troubleAfter, lastCustomer }: Pick<Observations, "notes" | "troubleAfter" | "lastCustomer">,
  entries: readonly Pick<StoredEntry, "kind" | "details" | "at">[],
): { readonly rows: readonly Row[]; readonly first: number } {
  const rows: Row[] = [];
  let first = 0;
  let next = 0;
  const add = (at: number, row: Pick<Row, "merchant" | "service" | "asksForToken">): void => {
    // The merchant's time may run ahead of the service's.
    const time = Math.max(at, rows.at(-1)?.at ?? 0);
    rows.push({ at: time, isLate: next > (lastCustomer?.notes ?? Infinity), ...row });
  };
  const addNotes = (until: number): void => {
    for (let note = notes[next]; note !== undefined && note.after <= until; note = notes[next]) {
      next += 1;
      // Redaction comes before ids are shortened: it would not recognise a shortened secret.
      add(note.at, { merchant: withoutSecrets(note.text) });
    }
  };
  for (const [index, { kind, details, at }] of entries.entries()) {
    addNotes(index);
    if (index === (troubleAfter ?? 0)) first = Math.max(0, rows.length - ROWS_BEFORE);
    const service = LINES[kind]?.(details);
    if (service !== undefined)
      add(at, { service, asksForToken: kind === "request" && details["route"] === "oauth.token" });
  }
  addNotes(Infinity);
  return { rows, first };
}

/** Replaces repeated runs of a job with their number. */
function withoutRepeats(rows: readonly Row[]): readonly Row[] {
  const told: Row[] = [];
  let before: { readonly does: string; times: number } | undefined;
  for (let index = 0; index < rows.length;) {
    const turn = turnOfJob(rows, index);
    const does = turn && doesOf(turn);
    if (turn === undefined || before === undefined || does !== before.does) {
      told.push(...(turn ?? rows.slice(index, index + 1)));
      before = does === undefined ? undefined : { does, times: 0 };
    } else {
      if (before.times > 0) told.pop();
      before.times += 1;
      const times = before.times === 1 ? "" : `, ${before.times} times`;
      told.push({ at: rows[index]?.at ?? 0, merchant: `the same again${times}`, isLate: false });
    }
    index += turn?.length ?? 1;
  }
  return told;
}

/** Returns the rows of the run of a job that begins here, if nothing else happens during it. */
function turnOfJob(rows: readonly Row[], from: number): readonly Row[] | undefined {
  if (rows[from]?.merchant?.endsWith(A_JOB) !== true) return undefined;
  const length = rows.slice(from + 1).findIndex(({ merchant }) => merchant !== undefined);
  const end = rows[from + 1 + length];
  return length !== -1 && end?.merchant?.startsWith("answers ") === true
    ? rows.slice(from, from + length + 2)
    : undefined;
}

function doesOf(turn: readonly Row[]): string {
  const others = turn.filter(({ asksForToken }) => asksForToken !== true);
  const texts = others.map(({ merchant, service }) => merchant ?? service ?? "");
  return [...new Set(texts)].filter((text) => !ANSWERS_OF_TOKENS.has(text)).join("\n");
}

function inColumns({ at, merchant = "", service = "" }: Row, before: Row | undefined): string {
  const moment = new OriginalDate(at).toISOString();
  const day =
    moment.slice(0, 10) === (before === undefined ? "" : new OriginalDate(before.at).toISOString().slice(0, 10));
  const time = before?.at === at ? "" : day ? moment.slice(11, 19) : moment.slice(5, 16).replace("T", " ");
  return printable(`${time.padEnd(13)}${cut(shortIds(merchant)).padEnd(WIDTH)}  ${shortIds(service)}`.trimEnd());
}

/** Shortens the service's ids, such as `pi_ccnu…`. */
function shortIds(text: string): string {
  return text.replaceAll(/\b([a-z]+_[A-Za-z0-9]{4})[A-Za-z0-9]{12,}/g, "$1…");
}

function cut(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`;
}

function moved({ resource, id, from, to }: Details): string | undefined {
  if (from === to) return undefined;
  return `${String(resource)} ${String(id)}: ${typeof from === "string" ? `${from} → ` : ""}${String(to)}`;
}
