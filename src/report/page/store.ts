import { computed, signal } from "@preact/signals";
import { nothingHappened } from "../reported-run.ts";
import type { ReportedRun, ReportedRuns, Row, ServicePart } from "../reported-run.ts";
import { namesOf } from "./words.ts";

/** The views of a run, in the order of their tabs. */
export const tabs = ["timeline", "sequence", "resources", "pending", "assumptions", "coverage"] as const;

export type Tab = (typeof tabs)[number];

export const runs = signal<ReportedRuns>({ version: "", service: [], runs: [] });
export const runIndex = signal(0);
export const tab = signal<Tab>("timeline");
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

export const run = computed<ReportedRun>(() => runs.value.runs[runIndex.value] ?? { ...nothingHappened, title: "" });

/** The texts that the search looks through, created on first use. */
const haystacks = computed(() => run.value.rows.map(haystackOf));

/** The rows that the search and the filters leave. */
export const visible = computed(() => {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const about = resource.value;
  const isSequence = tab.value === "sequence";
  const texts = words.length === 0 ? [] : haystacks.value;
  return run.value.rows.filter((row, index) => {
    if (about !== undefined && !row.about.includes(about)) return false;
    if (onlyProblems.value && row.tone !== "bad" && row.tone !== "fault") return false;
    // The timeline shows an answer with its request; the sequence gives it an arrow.
    if (!everyEntry.value && (row.isMinor === true || (!isSequence && row.kind === "answer"))) return false;
    return words.every((word) => texts[index]?.includes(word) === true);
  });
});

export const selectedRow = computed(() => run.value.rows.find(({ sequence }) => sequence === selected.value));

/** The headings and notes of the story, by the sequence number of the row before them. */
export const asidesAfter = computed(() => Map.groupBy(run.value.asides, ({ after }) => after));

function haystackOf({ at, who, text, kind, about, facts, parts }: Row): string {
  const own = about.flatMap((index) => namesOf(run.value.resources[index]));
  const carried = parts.flatMap(({ headers = [], body = "" }) => [...headers.flat(), body]);
  return [at, who, kind, text, ...own, ...facts.flat(), ...carried].join("\n").toLowerCase();
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
