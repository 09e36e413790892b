import type { Timer } from "../../kit/engine/timer.ts";
import { printable } from "../../kit/base/errors/printable.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { forReading } from "../../simulator/readable-timeline.ts";
import { toTimeline } from "../../simulator/timeline.ts";
import { findCauses } from "./causes.ts";
import type { FoundCause } from "./causes.ts";
import { replayCommand } from "./commands.ts";
import { gatherClues } from "./clues.ts";
import { nothingFound } from "./nothing-found.ts";
import type { NothingFound } from "./nothing-found.ts";
import { pageOf } from "./pages.ts";
import type { Clues, SessionClues } from "./clues.ts";
import { counted, quoted, timeOf, withQuotesCut } from "./wording.ts";

/** What a report knows besides the simulator. */
export interface ReportContext extends SessionClues {
  /** The test's seed in the form in which the reader can find it again; by default the simulator's own. */
  readonly seed?: string;
  /** The path of the recording, or why there is none. */
  readonly recording?: { readonly path: string } | { readonly missing: string } | undefined;
  /** The path of the HTML report, or why there is none. */
  readonly html?: { readonly path: string } | { readonly missing: string } | undefined;
}

/** The maximum number of lines in a report, and of characters in a line. */
const MOST_LINES = 30;
const WIDEST_LINE = 240;
const MOST_OTHERS = 3;
const MOST_PENDING = 4;
const MOST_FAULTS = 3;
const MOST_ENTRIES = 12;

/**
 * Explains a failed test in at most 30 lines: the likely cause, other causes, the end of the timeline, what is pending, faults that never
 * fired, the seed, the recording and the command that replays it. It never throws.
 */
export function reportOf(sim: Simulator, error: unknown, context: ReportContext = {}): string {
  return readable(sim, (clean) =>
    linesOf(gatherClues(sim, error, context), { ...context, seed: context.seed ?? sim.seed }, clean),
  );
}

/**
 * Returns only the causes of a failure with the ways out, for reports that already contain the rest. It never throws.
 * @returns undefined when no cause was found
 */
export function causesOf(sim: Simulator, error: unknown, session: SessionClues): string | undefined {
  const text = readable(sim, () => causeLines(findCauses(gatherClues(sim, error, session)).slice(0, 1 + MOST_OTHERS)));
  return text === "" ? undefined : text;
}

/** The causes of a failure, best first, or what is certain without one. */
export interface Explanation {
  readonly causes: readonly Pick<FoundCause, "name" | "sentence" | "wayOut">[];
  readonly nothingFound?: NothingFound;
}

/** Explains a failure in sentences without secrets. It never throws. */
export function explanationOf(sim: Simulator, error: unknown, session: SessionClues): Explanation {
  try {
    const clean = cleaner(sim);
    const told = (sentence: string): string => fitting(withQuotesCut(clean(sentence)));
    const clues = gatherClues(sim, error, session);
    const found = findCauses(clues).slice(0, 1 + MOST_OTHERS);
    const causes = found.map(({ name, sentence, wayOut }) => ({
      name,
      sentence: told(sentence),
      wayOut: told(wayOut),
    }));
    if (causes.length > 0) return { causes };
    const { sentence, lookAt, further } = nothingFound(clues);
    return {
      causes,
      nothingFound: {
        sentence: told(sentence),
        ...(lookAt === undefined ? {} : { lookAt: told(lookAt) }),
        ...(further === undefined ? {} : { further: told(further) }),
      },
    };
  } catch {
    // The test's own error matters more than its causes.
    return { causes: [] };
  }
}

/** Joins lines, without secrets and control characters, and cuts each to the width. If the report itself fails, it says so instead. */
function readable(sim: Simulator, write: (clean: Clean) => readonly string[]): string {
  try {
    const clean = cleaner(sim);
    return write(clean)
      .map((line) => fitting(withQuotesCut(clean(line))))
      .join("\n");
  } catch (failure) {
    return fitting(withQuotesCut(`Centavo could not look for the cause: ${quoted(printable(messageOf(failure)))}`));
  }
}

/** Removes secrets and terminal control characters from a text. */
export type Clean = (text: string) => string;

/** A test may choose secrets of any form. Shorter ones are not removed, because they would match everywhere. */
const SHORTEST_SECRET = 6;

export function cleaner(sim: Simulator): Clean {
  const { redaction } = sim.internals.parts.engine.journal;
  const { clientSecret, adminKey, webhookSecret } = sim.credentials;
  const secrets = [clientSecret, adminKey, webhookSecret].filter(({ length }) => length >= SHORTEST_SECRET);
  return (text) =>
    redaction.text(secrets.reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), printable(text)));
}

function linesOf(clues: Clues, context: ReportContext, clean: Clean): string[] {
  const shown = findCauses(clues).slice(0, 1 + MOST_OTHERS);
  const head = shown.length === 0 ? nothingLines(nothingFound(clues)) : causeLines(shown);
  const tail = [...pendingLines(clues), ...faultLines(clues, shown), ...wayBack(context)];
  const room = Math.min(MOST_ENTRIES, MOST_LINES - head.length - tail.length - 1);
  return [...head, ...timelineLines(clues, room, clean), ...tail];
}

function causeLines([first, ...others]: readonly FoundCause[]): string[] {
  if (first === undefined) return [];
  return [
    `Likely cause: ${first.sentence}.`,
    `  Way out: ${first.wayOut} (${pageOf(first.name)}).`,
    ...others.map(({ name, sentence }) => `  Also: ${sentence} (#${name}).`),
  ];
}

function nothingLines({ sentence, lookAt, further }: NothingFound): string[] {
  return [
    `No likely cause found: ${sentence}.`,
    ...(lookAt === undefined ? [] : [`  Look at: ${lookAt}.`]),
    ...(further === undefined ? [] : [`  And at: ${further}.`]),
  ];
}

function timelineLines({ entries }: Clues, room: number, clean: Clean): string[] {
  if (entries.length === 0) return ["The timeline is empty: no request has reached the simulator."];
  const last = entries.slice(-room);
  const of = last.length === entries.length ? "" : ` (the last ${last.length} of ${counted(entries.length, "entry")})`;
  return [`Timeline${of}:`, ...forReading(toTimeline(last).split("\n").map(clean)).map((line) => `  ${line}`)];
}

function pendingLines(clues: Clues): string[] {
  const { timers, sleeps, hangingCalls } = clues;
  const dated = [
    ...timers.map((timer) => ({ at: timer.at, what: whatIn(timer, clues) })),
    ...sleeps.map(({ at, call }) => ({ at, what: `${call} is over` })),
  ].toSorted((one, other) => one.at - other.at);
  const due = dated.slice(0, MOST_PENDING).map((each) => inWords(each, clues));
  const hanging = hangingCalls.slice(0, MOST_PENDING - due.length).map((call) => `${quoted(call)} hangs`);
  const lines = [...due, ...hanging];
  if (lines.length === 0) return ["Pending: nothing."];
  const more = dated.length + hangingCalls.length - lines.length;
  return [
    `Pending${more === 0 ? "" : ` (${more} more)`}:`,
    ...forReading(lines.map(withQuotesCut)).map((line) => `  ${line}`),
  ];
}

function inWords({ at, what }: { readonly at: number; readonly what: string }, { now }: Clues): string {
  // Jest would mistake a line that begins with "at" for the start of the stack.
  const when = at <= now ? "due now" : `due ${timeOf(at)}`;
  return `${when}  ${quoted(what)}`;
}

function whatIn({ owner, subject, name }: Timer, { eventOf }: Clues): string {
  if (owner === "held-call") return "a held call goes on";
  if (owner === "webhook") return `webhook ${eventOf(subject)?.type ?? ""} ${subject}`;
  return `${owner} ${subject}: ${name}`;
}

function faultLines({ unusedFaults }: Clues, shown: readonly FoundCause[]): string[] {
  const isTold = unusedFaults.length === 1 && shown.some(({ name }) => name === "unused-fault");
  if (unusedFaults.length === 0 || isTold) return [];
  const named = unusedFaults.slice(0, MOST_FAULTS).map(({ id, fault }) => `${quoted(id)} (${fault.kind})`);
  const more = unusedFaults.length - named.length;
  return [`Faults that never fired: ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`];
}

function wayBack({ seed = "", recording, html }: ReportContext): string[] {
  const lines = [`Seed: ${quoted(seed)}`];
  if (html !== undefined)
    lines.push("path" in html ? `Report: ${html.path}` : `Report: none, because ${quoted(html.missing)}`);
  if (recording === undefined) return lines;
  if ("missing" in recording) return [...lines, `Recording: none, because ${quoted(recording.missing)}`];
  return [...lines, `Recording: ${recording.path}`, `Replay: ${replayCommand(recording.path)}`];
}

/** Cuts a line to the width, but not the address in brackets at its end. */
function fitting(line: string): string {
  const single = line.replaceAll(/[\r\n]+/g, " ");
  if (single.length <= WIDEST_LINE) return single;
  const end = single.slice(single.lastIndexOf(" ("));
  const kept = end.includes("#") && end.endsWith(").") ? end : "";
  return `${single.slice(0, WIDEST_LINE - 1 - kept.length)}…${kept}`;
}
