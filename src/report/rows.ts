import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { cut, withShortIds } from "../simulator/readable-timeline.ts";
import { toTimeline } from "../simulator/timeline.ts";
import { saidOf } from "./by-kind.ts";
import type { ByKind } from "./by-kind.ts";
import type { Lane, Row } from "./reported-run.ts";
import { toneOfEntry } from "./tones.ts";

/** The beginning of a timeline's line: the time, and who acted. */
const LINE = /^\S+ \S+ {2}(\S+) +(.*)$/s;

const LANE_OF: Readonly<Record<string, Lane>> = {
  merchant: "merchant",
  admin: "merchant",
  network: "merchant",
  customer: "customer",
  visitor: "customer",
};

/** The longest text of a call, in characters. Its details show the whole body. */
const LONGEST_CALL = 400;

/** What a row shows, without the contents of its entry and the resources that it concerns. */
export type BareRow = Omit<Row, "about" | "facts" | "parts">;

/** Makes the rows of entries, given in order. */
export class BareRows {
  #caller: Lane = "merchant";

  of(entry: StoredEntry): BareRow {
    const { sequence, at, kind } = entry;
    const [, who = kind, line = ""] = LINE.exec(toTimeline([entry])) ?? [];
    const own = LANE_OF[who] ?? "service";
    if (kind === "request") this.#caller = own;
    const [from, to] = saidOf(ARROWS, entry)?.(own, this.#caller) ?? [own, own];
    const result = saidOf(RESULTS, entry);
    return {
      sequence,
      at: toTimestamp(at),
      kind,
      who,
      text: kind === "request" ? cut(withShortIds(line), LONGEST_CALL) : withShortIds(line),
      label: withShortIds(saidOf(LABELS, entry) ?? line),
      from,
      to,
      tone: toneOfEntry(entry),
      ...(result === undefined ? {} : { result: String(result) }),
      ...(saidOf(MINOR, entry) === true ? { isMinor: true } : {}),
    };
  }
}

/** The sender and receiver. In other kinds of entry, only one participant acts. */
const ARROWS: ByKind<(own: Lane, caller: Lane) => readonly [from: Lane, to: Lane]> = {
  request: () => (own) => [own, "service"],
  answer: () => (_, caller) => ["service", caller],
  delivery: () => () => ["service", "receiver"],
  hostile: () => () => ["service", "receiver"],
  "late-answer": () => () => ["receiver", "service"],
  customer:
    ({ details: { at } }) =>
    () => ["customer", at === undefined ? "merchant" : "service"],
  visit: () => () => ["customer", "merchant"],
};

const moved = ({
  details: { resource, from, to },
}: Extract<StoredEntry, { readonly kind: "step" | "timer" }>): string =>
  `${resource}: ${from === undefined ? "" : `${from} → `}${to}`;

/** The text on the arrow. Other kinds use their line of the timeline. */
const LABELS: ByKind<string> = {
  request: ({ details: { method, path } }) => `${method} ${path}`,
  answer: ({ details: { status, code } }) => (code === undefined ? String(status) : `${status} ${code}`),
  step: moved,
  timer: moved,
  delivery: ({ details: { type, attempt } }) => `${type}, attempt ${attempt}`,
  webhook: ({ details: { type, status } }) => `${type} ${status}`,
};

const RESULTS: ByKind<number | string | undefined> = {
  answer: ({ details: { status } }) => status,
  customer: ({ details: { status } }) => status,
  delivery: ({ details: { status, failure } }) => status ?? failure,
  hostile: ({ details: { status, failure } }) => status ?? failure,
  visit: ({ volatile: { status } = {} }) => status ?? "failed",
};

/** Whether other entries say the same: a fact is announced, and a queued event is delivered. */
const MINOR: ByKind<boolean> = {
  fact: () => true,
  token: () => true,
  webhook: ({ details: { status } }) => status === "pending" || status === "under-way" || status === "in-line",
};
