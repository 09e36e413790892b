import { shownAddress } from "../kit/base/redaction/address.ts";
import type {
  DetailsOf,
  JournalEntry,
  JournalEntryKind,
  MomentField,
  StoredEntry,
  VolatileOf,
} from "../kit/engine/journal-entries.ts";
import type { Journal } from "../kit/engine/journal.ts";
import { once } from "../kit/base/runtime/once.ts";
import { LAST_MOMENT, toTimestamp } from "../kit/engine/timestamp.ts";
import { asLiteral } from "../kit/base/errors/literal.ts";
import { printable } from "../kit/base/errors/printable.ts";

/** Reads the journal. */
export interface JournalReader {
  /** Copies of all entries, oldest first. */
  readonly entries: readonly JournalEntry[];
  /** The number of entries, without copying them. */
  readonly length: number;
  /** Returns a timeline, one line per entry. */
  toString(): string;
  /** Returns a SHA-256 of all entries. It leaves out values that differ between equal runs, such as a signature's timestamp. */
  digest(): string;
}

export function journalReaderOf(journal: Journal): JournalReader {
  return {
    get entries() {
      return publicEntries(journal.entries);
    },
    get length() {
      return journal.length;
    },
    toString: () => toTimeline(journal.entries),
    digest: () => journal.digest(),
  };
}

/** Returns copies of entries as a test sees them. */
export function publicEntries(entries: readonly StoredEntry[]): JournalEntry[] {
  return structuredClone(entries as StoredEntry[]).map(toPublic);
}

const MOMENT_FIELDS: { readonly [Field in MomentField]: true } = {
  due: true,
  sentAt: true,
  nextAt: true,
  expiresAt: true,
  until: true,
  stamp: true,
};

/** Writes the times of a copied entry for people, as all views have them. */
function toPublic(entry: StoredEntry): JournalEntry {
  for (const part of [entry.details, entry.volatile ?? {}] as Record<string, unknown>[]) {
    for (const name in MOMENT_FIELDS) {
      const moment = part[name];
      // A restored world may have anything in a field that its version does not know.
      if (typeof moment === "number" && Math.abs(moment) <= LAST_MOMENT) part[name] = toTimestamp(moment);
    }
  }
  return { ...entry, at: toTimestamp(entry.at) } as JournalEntry;
}

type Line = readonly [who: string, what: string];

/** Renders an entry of one kind. */
type Tell<Kind extends JournalEntryKind> = (details: DetailsOf<Kind>, volatile: Partial<VolatileOf<Kind>>) => Line;

/** The line of each kind of entry: who did it, and what happened. */
const LINES: { readonly [Kind in JournalEntryKind]: Tell<Kind> } = {
  request: ({ method, path, query, body, idempotencyKey, caller }) => {
    const key = idempotencyKey === undefined ? "" : ` with Idempotency-Key ${idempotencyKey}`;
    return [callerOf(path, caller), `${method} ${path}${given(query)}${given(body)}${key}`];
  },
  answer: ({ status, code, replayed }, { fields }) => [
    "service",
    `answers ${status}${code === undefined ? "" : ` ${code}`}${typeof fields === "string" ? ` (${fields})` : ""}${replayed ? " as before, under the same Idempotency-Key" : ""}`,
  ],
  step: (details) => ["service", move(details)],
  timer: (details) => ["clock", move(details)],
  fact: ({ type, id }) => ["service", `${type} ${id}`],
  webhook: ({ event, type, status, url, due, fault }) => {
    const at = url === undefined ? "" : ` at ${shownAddress(url)}`;
    const later = due === undefined ? "" : ` until ${timeOf(due)}`;
    const by = fault === undefined ? "" : status === "dropped" ? ` by ${fault}` : `, made up by ${fault}`;
    return ["outbox", `${type} ${event} ${QUEUED[status] ?? status}${at}${later}${by}`];
  },
  delivery: (
    { event, type, url, attempt, sentAt, status, failure, clock, faults = [], nextAt, outcome },
    { answer },
  ) => {
    const since = sentAt === undefined ? "" : `, sent ${timeOf(sentAt)}`;
    const result =
      failure === undefined
        ? `answered ${status}`
        : `failed (${failure}${clock === undefined ? "" : ` of ${clock} time`})`;
    const struck = faults.map(({ id, kind }) => `${id} (${kind})`).join(", ");
    const under = struck === "" ? "" : ` under ${struck}`;
    const next = nextAt === undefined ? outcome : `next try ${timeOf(nextAt)}`;
    const why = failure === undefined ? "" : reasonIn(answer);
    return [
      "outbox",
      `${type} ${event} → ${shownAddress(url)}, attempt ${attempt}${since}: ${result}${under}, ${next}${why}`,
    ];
  },
  hostile: ({ name, method, url, status, failure }, { answer }) => {
    const result = failure === undefined ? `answered ${status}` : `failed (${failure})${reasonIn(answer)}`;
    return ["hostile", `${name}: ${method} ${shownAddress(url)}: ${result}`];
  },
  "late-answer": (details, volatile) => {
    const { event, type, url = "", attempt } = { ...details, ...volatile };
    const late = attempt === undefined ? "after the world was replaced" : `attempt ${attempt} after its timeout`;
    return ["outbox", `${type} ${event} → ${shownAddress(url)}: answered ${late}, and dropped`];
  },
  customer: ({ act, at, to, method, status }) => [
    "customer",
    `${act} ${at ?? to}${given(method)}${status === undefined ? "" : `: the page answers ${status}`}`,
  ],
  visit: (_details, { method, url, status, failure }) => [
    "visitor",
    `${method} ${url}: ${failure === undefined ? `answered ${status}` : failure}`,
  ],
  refused: (_details, { method, url, reason }) => ["network", `${method} ${url} is refused: ${reason}`],
  dropped: (_details, { method, url }) => ["network", `${method} ${url} is dropped, and answered 204`],
  token: ({ merchant, expiresAt }) => ["service", `issues a token to ${merchant}, valid until ${timeOf(expiresAt)}`],
  fault: (details) => ["fault", faultLine(details)],
  warning: (details, volatile) => ["note", details.message ?? volatile.message ?? ""],
  failure: ({ timer, message }) => ["failure", `${timer === undefined ? "" : `timer ${timer}: `}${message}`],
};

const QUEUED: Readonly<Record<string, string>> = {
  pending: "is queued",
  "no-receiver": "has no receiver",
  waiting: "waits until an app is connected",
  held: "is held back by the test",
  "in-line": "is queued behind a delivery in flight",
  "under-way": "is on its way",
  dropped: "is dropped",
};

/** Renders entries as a timeline: virtual time, who, what. */
export function toTimeline(entries: readonly StoredEntry[]): string {
  return entries.map(toLine).join("\n");
}

function toLine({ at, kind, details, volatile = {} }: StoredEntry): string {
  // A restored world may come from another version of Centavo, with other kinds.
  const tell = LINES[kind] as ((details: object, volatile: object) => Line) | undefined;
  const [who, what] = tell?.(details, volatile) ?? [kind, asLiteral(details)];
  return `${timeOf(at)}  ${who.padEnd(8)}  ${printable(what.replaceAll(/(?<!\s)\s*[\r\n]\s*/g, " "))}`;
}

function move({ resource, id, input, from, to }: DetailsOf<"step" | "timer">): string {
  return `${resource} ${id}: ${from === undefined ? "" : `${from} → `}${to} (${input})`;
}

function faultLine(details: DetailsOf<"fault">): string {
  switch (details.act) {
    case "add": {
      const { act: _, id, kind, ...fault } = details;
      return `${id} is planned: ${kind}${given(fault)}`;
    }
    case "remove":
      return `${details.id} is removed`;
    case "strike": {
      const { act: _, id, kind, hit, ...occasion } = details;
      return `${id} fires (${kind}, ${ordinal(hit)} time)${given(occasion)}`;
    }
    case "hold": {
      const { act: _, until, ...call } = details;
      return `a call is held until ${timeOf(until)}:${given(call)}`;
    }
    case "let-go": {
      const { act: _, ...call } = details;
      return `a held call continues:${given(call)}`;
    }
    case "release":
      return `${details.id} releases${given(details.events)}`;
  }
}

function ordinal(number: number): string {
  return `${number}${ENDINGS[ordinals().select(number)] ?? "th"}`;
}

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

const ordinals = once(() => new Intl.PluralRules("en", { type: "ordinal" }));

/** Returns who made a call: customers open pages; the merchant or the administrator calls every other path. */
function callerOf(path: string, caller: string | undefined): string {
  if (caller === "admin") return "admin";
  return /^\/(pay|authenticate)\//.test(path) ? "customer" : "merchant";
}

/** Returns the sentence on why no answer came, if that is told. */
function reasonIn(answer: unknown): string {
  const message = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : "";
  return message === "" ? "" : `. ${typeof message === "string" ? message : asLiteral(message)}`;
}

function given(value: unknown): string {
  return value === undefined ? "" : ` ${asLiteral(value)}`;
}

function timeOf(milliseconds: number): string {
  return toTimestamp(milliseconds).replace("T", " ");
}
