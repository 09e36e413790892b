import type { Journal, JournalEntry } from "../engine/journal.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { redactText } from "../redaction/redaction.ts";

/** How a test looks at what happened. */
export interface JournalReader {
  /** Copies of all entries, oldest first. */
  readonly entries: readonly JournalEntry[];
  /** How many entries there are, without copying them. */
  readonly length: number;
  /** A line for each entry. */
  toString(): string;
  /** A SHA-256 over what happened, without what is true of one run only. */
  digest(): string;
}

export function journalReaderOf(journal: Journal): JournalReader {
  return {
    get entries() {
      return structuredClone(journal.entries);
    },
    get length() {
      return journal.length;
    },
    toString: () => toTimeline(journal.entries),
    digest: () => journal.digest(),
  };
}

type Details = JournalEntry["details"];
type Line = readonly [who: string, what: string];

/** How each kind of entry reads: who did it, and what. */
const LINES: Readonly<Record<string, (details: Details, volatile: Details) => Line>> = {
  request: ({ method, path, query, body, idempotencyKey, caller }) => {
    const key = idempotencyKey === undefined ? "" : ` with Idempotency-Key ${text(idempotencyKey)}`;
    return [callerOf(text(path), text(caller)), `${text(method)} ${text(path)}${given(query)}${given(body)}${key}`];
  },
  answer: ({ status, code, replayed }) => [
    "service",
    `answers ${text(status)}${code === undefined ? "" : ` ${text(code)}`}${replayed === true ? " as before, under the same Idempotency-Key" : ""}`,
  ],
  step: (details) => ["service", move(details)],
  timer: (details) => ["clock", move(details)],
  fact: ({ type, id }) => ["service", `${text(type)} ${text(id)}`],
  webhook: ({ event, type, status, url, due, fault }) => {
    const at = url === undefined ? "" : ` at ${text(url)}`;
    const later = due === undefined ? "" : ` until ${timeOf(Number(due))}`;
    const by = fault === undefined ? "" : status === "dropped" ? ` by ${text(fault)}` : `, made up by ${text(fault)}`;
    return ["outbox", `${text(type)} ${text(event)} ${QUEUED[text(status)] ?? text(status)}${at}${later}${by}`];
  },
  delivery: ({ event, type, url, attempt, sentAt, status, failure, nextAt, outcome }, { answer }) => {
    const since = sentAt === undefined ? "" : `, sent ${timeOf(Number(sentAt))}`;
    const result = failure === undefined ? `answered ${text(status)}` : `failed (${text(failure)})`;
    const next = typeof nextAt === "number" ? `next try ${timeOf(nextAt)}` : text(outcome);
    const why = failure === undefined ? "" : `. ${messageOf(answer)}`;
    return [
      "outbox",
      `${text(type)} ${text(event)} → ${text(url)}, attempt ${text(attempt)}${since}: ${result}, ${next}${why}`,
    ];
  },
  hostile: ({ name, method, url, status, failure }, { answer }) => {
    const result =
      failure === undefined ? `answered ${text(status)}` : `failed (${text(failure)}). ${messageOf(answer)}`;
    return ["hostile", `${text(name)}: ${text(method)} ${text(url)}: ${result}`];
  },
  "late-answer": (details, volatile) => {
    const { event, type, url, attempt } = { ...details, ...volatile };
    const late =
      attempt === undefined ? "after the world was replaced" : `attempt ${text(attempt)} after it was given up`;
    return ["outbox", `${text(type)} ${text(event)} → ${text(url)}: answered ${late}, and dropped`];
  },
  customer: ({ act, at, to, method, status }) => [
    "customer",
    `${text(act)} ${text(at ?? to)}${given(method)}${status === undefined ? "" : `: the page answers ${text(status)}`}`,
  ],
  token: ({ merchant, expiresAt }) => [
    "service",
    `issues a token to ${text(merchant)}, valid until ${timeOf(Number(expiresAt))}`,
  ],
  fault: ({ act, id, kind, ...rest }) => ["fault", faultLine(text(act), text(id), text(kind), rest)],
  warning: ({ message }) => ["note", text(message)],
  failure: ({ timer, message }) => [
    "failure",
    `${timer === undefined ? "" : `timer ${text(timer)}: `}${text(message)}`,
  ],
};

const QUEUED: Readonly<Record<string, string>> = {
  pending: "is queued",
  "no-receiver": "has no receiver",
  waiting: "waits until somebody is connected",
  held: "is held back by the test",
  "in-line": "waits in line behind an answer that is under way",
  dropped: "is swallowed",
};

/** The journal as a person reads it: virtual time, who, what. */
export function toTimeline(entries: readonly JournalEntry[]): string {
  return entries.map(toLine).join("\n");
}

function toLine({ at, kind, details, volatile = {} }: JournalEntry): string {
  const [who, what] = LINES[kind]?.(details, volatile) ?? [kind, inWords(details)];
  return `${timeOf(at)}  ${who.padEnd(8)}  ${what.replaceAll(/\s*\n\s*/g, " ")}`;
}

function move({ resource, id, input, from, to }: Details): string {
  return `${text(resource)} ${text(id)}: ${from === undefined ? "" : `${text(from)} → `}${text(to)} (${text(input)})`;
}

function faultLine(act: string, id: string, kind: string, { hit, ...rest }: Details): string {
  if (act === "release") return `${id} lets go${given(rest["events"])}`;
  if (act === "strike") return `${id} strikes (${kind}, ${ordinal(Number(hit))} time)${given(rest)}`;
  if (act === "hold") {
    const { until, ...call } = rest;
    return `a call is held until ${timeOf(Number(until))}:${given(call)}`;
  }
  if (act === "let-go") return `what was held goes on:${given(rest)}`;
  return act === "add" ? `${id} is planned: ${kind}${given(rest)}` : `${id} is taken away`;
}

function ordinal(number: number): string {
  const ending = ORDINALS.select(number);
  return `${number}${{ one: "st", two: "nd", few: "rd", zero: "th", many: "th", other: "th" }[ending]}`;
}

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

/** The pages are the customer's; everything else is called by the merchant's code or the administrator. */
function callerOf(path: string, caller: string): string {
  if (caller === "admin") return "admin";
  return /^\/(pay|authenticate)\//.test(path) ? "customer" : "merchant";
}

function messageOf(answer: unknown): string {
  const message = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : "";
  return redactText(text(message));
}

function given(value: unknown): string {
  return value === undefined ? "" : ` ${inWords(value)}`;
}

/** A value as JavaScript writes it, which is easier to read than JSON. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inWords).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}: ${inWords(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function timeOf(milliseconds: number): string {
  return toTimestamp(milliseconds).replace("T", " ");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
