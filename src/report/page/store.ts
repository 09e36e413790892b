import { computed, signal } from "@preact/signals";
import { nothingHappened } from "../reported-run.ts";
import type { ReportedRun, ReportedRuns, Row, ServicePart } from "../reported-run.ts";
import { namesOf } from "./words.ts";

/** The views of a run, in the order of their tabs. */
export const tabs = ["timeline", "sequence", "resources", "pending", "assumptions", "coverage"] as const;

export type Tab = (typeof tabs)[number];

export const runs = signal<ReportedRuns>({ version: "", service: [], runs: [] });
export const runIndex = signal(0);
/** The finding of a shake whose run is shown, counted from 0; undefined while all findings are. */
export const openFinding = signal<number | undefined>(undefined);
/** The finding whose run was shown last. */
export const lastFinding = signal<number | undefined>(undefined);
export const tab = signal<string>("timeline");
export const query = signal("");
/** The index of the resource that filters the rows, and whose path is shown. */
export const resource = signal<number | undefined>(undefined);
export const onlyProblems = signal(false);
export const everyEntry = signal(false);
/** The sequence number of the row whose details are shown. */
export const selected = signal<number | undefined>(undefined);
/** The part of the service whose coverage is shown in detail. */
export const coveredPart = signal<ServicePart["part"]>("states");
export const isPrinted = signal(false);
/** Whether the run grows while it is read. */
export const isLive = signal(false);
/** Whether the newest row stays in view while the run grows. */
export const isFollowing = signal(true);
/** How often rows that were already there have been replaced. */
export const changes = signal(0);

export const run = computed<ReportedRun>(() => runs.value.runs[runIndex.value] ?? { ...nothingHappened, title: "" });

const names = computed(() => run.value.resources.map((each) => namesOf(each).join("\n").toLowerCase()));

const NO_NAMES: readonly string[] = [];

/** What a row has to be to stay. It is another object whenever rows that were already looked at have to be looked at again. */
export const filter = computed(() => {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    words,
    about: resource.value,
    onlyProblems: onlyProblems.value,
    everyEntry: everyEntry.value,
    // The timeline shows an answer with its request; the sequence gives it an arrow.
    withAnswers: tab.value === "sequence",
    names: words.length === 0 ? NO_NAMES : names.value,
    changes: changes.value,
  };
});

type Filter = typeof filter.value;

let last: { readonly filter?: Filter; readonly rows: readonly Row[]; readonly left: readonly Row[] } = {
  rows: [],
  left: [],
};

/** The rows that the search and the filters leave. Of a run that grows, only the new rows are looked at. */
export const visible = computed<readonly Row[]>(() => {
  const { rows } = run.value;
  const wanted = filter.value;
  const known = last.rows.length;
  const isLonger =
    last.filter === wanted && known > 0 && rows[0] === last.rows[0] && rows[known - 1] === last.rows[known - 1];
  const added = rows.slice(isLonger ? known : 0).filter((row) => passes(row, wanted));
  const left = isLonger ? (added.length === 0 ? last.left : [...last.left, ...added]) : added;
  last = { filter: wanted, rows, left };
  return left;
});

function passes(row: Row, { words, about, onlyProblems: problems, everyEntry: every, ...wanted }: Filter): boolean {
  if (about !== undefined && !row.about.includes(about)) return false;
  if (problems && row.tone !== "bad" && row.tone !== "fault") return false;
  if (!every && (row.isMinor === true || (!wanted.withAnswers && row.kind === "answer"))) return false;
  return words.every(
    (word) => haystackOf(row).includes(word) || row.about.some((index) => wanted.names[index]?.includes(word) === true),
  );
}

export const selectedRow = computed(() => run.value.rows.find(({ sequence }) => sequence === selected.value));

/** The headings and notes of the story, by the sequence number of the row before them. */
export const asidesAfter = computed(() => Map.groupBy(run.value.asides, ({ after }) => after));

/** The texts that the search looks through, each made when a search first comes to its row. */
const haystacks = new WeakMap<Row, string>();

function haystackOf(row: Row): string {
  const known = haystacks.get(row);
  if (known !== undefined) return known;
  const { at, who, text, kind, facts, parts } = row;
  const carried = parts.flatMap(({ headers = [], body = "" }) => headers.flat().concat(body));
  const haystack = [at, who, kind, text, ...facts.flat(), ...carried].join("\n").toLowerCase();
  haystacks.set(row, haystack);
  return haystack;
}

/** Shows another run from its beginning. */
export function openRun(index: number): void {
  runIndex.value = index;
  resource.value = undefined;
  selected.value = undefined;
  query.value = "";
}

/** Selects the last entry that went wrong, which most likely made the run fail. */
export function selectLastProblem(): void {
  selected.value = visible.value.findLast(({ tone }) => tone === "bad")?.sequence;
}

/** Moves the selection by a number of visible rows. */
export function moveSelection(by: number): void {
  const rows = visible.value;
  const place = rows.findIndex(({ sequence }) => sequence === selected.value);
  // Without a selection, one step back selects the last row.
  const next = place === -1 && Number.isFinite(by) ? (by > 0 ? 0 : rows.length - 1) : place + by;
  const row = rows[Math.min(rows.length - 1, Math.max(0, next))];
  if (row !== undefined) selected.value = row.sequence;
}
