import type { JournalEntry } from "./engine/journal.ts";
import { toTimestamp } from "./engine/timestamp.ts";

type Details = JournalEntry["details"];

/** How each kind of entry reads: who did it, and what. */
const LINES: Readonly<Record<string, (details: Details) => [who: string, what: string]>> = {
  request: ({ method, path, caller, body }) => [caller === "nobody" ? "customer" : "merchant", `${text(method)} ${text(path)}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`],
  answer: ({ status, code }) => ["service", `answers ${text(status)}${code === undefined ? "" : ` ${text(code)}`}`],
  step: ({ resource, id, input, from, to }) => ["service", `${text(resource)} ${text(id)}: ${from === undefined ? "" : `${text(from)} → `}${text(to)} (${text(input)})`],
  timer: ({ resource, id, input, from, to }) => ["clock", `${text(resource)} ${text(id)}: ${text(from)} → ${text(to)} (${text(input)})`],
  fact: ({ type, id }) => ["service", `${text(type)} ${text(id)}`],
  webhook: ({ event, type, status }) => ["outbox", `${text(type)} ${text(event)} ${status === "pending" ? "is queued" : "has no receiver"}`],
  delivery: ({ type, url, attempt, status, failure, nextAt }) => [
    "webhook",
    `${text(type)} → ${text(url)}, attempt ${text(attempt)}: ${text(status ?? failure)}${typeof nextAt === "number" ? `, next at ${toTimestamp(nextAt)}` : ""}`,
  ],
  customer: ({ act, at, to }) => ["customer", `${text(act)} ${text(at ?? to)}`],
  token: ({ merchant, expiresAt }) => ["service", `issues a token to ${text(merchant)}, valid until ${toTimestamp(Number(expiresAt))}`],
};

/** The journal as a person reads it: virtual time, who, what. */
export function toTimeline(entries: readonly JournalEntry[]): string {
  return entries.map(toLine).join("\n");
}

function toLine({ at, kind, details }: JournalEntry): string {
  const [who, what] = LINES[kind]?.(details) ?? [kind, JSON.stringify(details)];
  return `${toTimestamp(at).replace("T", " ")}  ${who.padEnd(9)} ${what}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
