import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { saidOf } from "./by-kind.ts";
import type { ByKind } from "./by-kind.ts";
import type { Tone } from "./reported-run.ts";

const STATUSES = {
  good: ["succeeded", "completed", "active", "paid", "delivered"],
  bad: [
    "failed",
    "canceled",
    "cancelled",
    "expired",
    "incomplete_cancelled",
    "past_due",
    "unpaid",
    "void",
    "exhausted",
    "gone",
  ],
  fault: ["dropped"],
  pending: [
    "requires_payment_method",
    "requires_confirmation",
    "requires_action",
    "processing",
    "pending",
    "incomplete",
    "open",
    "charging",
  ],
} as const satisfies Partial<Record<Tone, readonly string[]>>;

const TONES: ReadonlyMap<string, Tone> = new Map(
  Object.entries(STATUSES).flatMap(([tone, statuses]) => statuses.map((status) => [status, tone as Tone] as const)),
);

export function toneOfStatus(status: string): Tone {
  return TONES.get(status) ?? "plain";
}

/** Only a move to a final state says something new about the money. */
const ofMove = ({ details: { from, to } }: Extract<StoredEntry, { readonly kind: "step" | "timer" }>): Tone => {
  const tone = toneOfStatus(to);
  return from === to || tone === "pending" ? "plain" : tone;
};

const ENTRIES: ByKind<Tone> = {
  step: ofMove,
  timer: ofMove,
  answer: ({ details: { status } }) => (status >= 400 ? "bad" : "plain"),
  delivery: ({ details: { outcome, status = 500 } }) => (outcome === "delivered" || status < 300 ? "good" : "bad"),
  webhook: ({ details: { status } }) => (status === "dropped" ? "fault" : "plain"),
  fault: () => "fault",
  customer: ({ details: { status = 200 } }) => (status >= 400 ? "bad" : "plain"),
  visit: ({ volatile: { status = 500 } = {} }) => (status >= 400 ? "bad" : "plain"),
  failure: () => "bad",
  refused: () => "bad",
  "late-answer": () => "bad",
  warning: () => "pending",
};

export function toneOfEntry(entry: StoredEntry): Tone {
  return saidOf(ENTRIES, entry) ?? "plain";
}
