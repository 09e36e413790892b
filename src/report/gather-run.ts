import { shownAddress } from "../kit/base/redaction/address.ts";
import { cleaner, explanationOf } from "./causes/cause-report.ts";
import type { Explanation } from "./causes/cause-report.ts";
import type { SessionClues } from "./causes/clues.ts";
import { coverageOf } from "./coverage/of-simulator.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { asLiteral } from "../simulator/timeline.ts";
import { messagesOf } from "./messages.ts";
import { playAgain } from "./playback.ts";
import type { Playback } from "./playback.ts";
import { reportedCoverage } from "./reported-coverage.ts";
import type { Aside, ReportedExam, ReportedRun, Row } from "./reported-run.ts";
import { resourcesIn } from "./resources.ts";
import { rowsOf } from "./rows.ts";
import { shownError } from "./shown-error.ts";
import type { BareRow } from "./rows.ts";

/** What a report knows besides the simulator. */
export interface RunContext {
  readonly title?: string;
  readonly outcome?: "passed" | "failed";
  /** What the test threw, if it failed. */
  readonly error?: unknown;
  readonly session?: SessionClues;
  /** Why it failed, if that was found before the simulator was closed. */
  readonly explanation?: Explanation;
  readonly exam?: ReportedExam;
  readonly asides?: readonly Aside[];
  /** The seed in the form in which the reader can find it again; by default the simulator's own. */
  readonly seed?: string;
  /** The command that replays the run. */
  readonly replay?: string;
  /** What was recorded while the run was replayed; false if there is no time to replay it. */
  readonly heard?: Playback | false;
}

/** The longest text outside bodies, in characters. */
const LONGEST_TEXT = 4000;
/** How much of an entry is searched for ids, in characters. */
const MOST_SEARCHED = 4000;

/** Gathers what the report shows of a run. It only reads the simulator. */
export async function gatherRun(sim: Simulator, context: RunContext = {}): Promise<ReportedRun> {
  const { title = "A simulated run", error, session = {}, outcome, exam, asides = [], replay } = context;
  const { explanation = outcome === "passed" ? { causes: [] } : explanationOf(sim, error, session) } = context;
  const { seed = sim.seed } = context;
  const { engine } = sim.internals.parts;
  const { entries, redaction } = engine.journal;
  const { now } = engine;
  const resources = resourcesIn(sim, entries);
  const { heard, problem } = await heardOf(sim, context.heard);
  const clean = cleaner(sim);
  const messages = messagesOf(entries, heard, { redaction, clean });
  const placesIn = placesOf(sim, resources);
  const pending = sim.clock.pending().map(({ at, what }) => ({ at, what, about: placesIn(what) }));
  const aboutOf = finderOf(sim, placesIn);
  const bare = rowsOf(entries);
  const answered = answersOf(bare);
  const rows = bare.map((row, index) => {
    const entry = entries[index] as StoredEntry;
    const answer = answered.get(row.sequence);
    const parts = messages.get(row.sequence) ?? [];
    return Object.assign(row, answer, { about: aboutOf(entry), facts: factsOf(entry), parts });
  });
  const run: ReportedRun = {
    title,
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error: shownError(error) }),
    ...explanation,
    ...(exam === undefined ? {} : { exam }),
    seed,
    digest: sim.journal.digest(),
    now: toTimestamp(now),
    ...(replay === undefined ? {} : { replay }),
    notes: notesOf(sim, problem),
    rows,
    asides,
    resources,
    pending,
    faults: faultsIn(entries),
    assumptions: sim.assumptions.used().map(({ id, question, answer, value, changed }) => ({
      id,
      question,
      answer,
      value: value === undefined ? undefined : asLiteral(value),
      isChanged: changed,
    })),
    coverage: reportedCoverage(coverageOf(sim)),
  };
  return tidied(run, clean);
}

async function heardOf(
  sim: Simulator,
  given: Playback | false | undefined,
): Promise<{ heard?: Playback; problem?: string }> {
  if (given === false) return { problem: "there was no time left to play the run again" };
  try {
    const heard = given ?? (await playAgain(sim.recording(), (options) => sim.another(options)));
    return heard.problem === undefined ? { heard } : { heard, problem: heard.problem };
  } catch (error) {
    // A report without messages is better than no report.
    return { problem: messageOf(error) };
  }
}

function notesOf(sim: Simulator, problem: string | undefined): string[] {
  const { count } = sim.internals.parts.engine.journal.forgotten;
  return [
    ...(count === 0 ? [] : [`The journal is bounded: ${count} earlier entries are forgotten.`]),
    ...(problem === undefined ? [] : [`Headers and bodies are not complete: ${problem}`]),
  ];
}

/** The outcome of each call, by the sequence number of its request, because the arrow of the answer shows it. */
function answersOf(rows: readonly BareRow[]): ReadonlyMap<number, Pick<Row, "result" | "tone">> {
  const answers = new Map<number, Pick<Row, "result" | "tone">>();
  let open: number | undefined;
  for (const { kind, sequence, label, tone } of rows) {
    if (kind === "request") open = sequence;
    if (kind !== "answer" || open === undefined) continue;
    answers.set(open, { result: label, tone });
    open = undefined;
  }
  return answers;
}

type PlacesIn = (text: string) => number[];

/** Returns a function that finds the resources that a text names by their ids or by the beginnings of their session tokens. */
function placesOf(sim: Simulator, resources: ReportedRun["resources"]): PlacesIn {
  const places = new Map(resources.map(({ id }, index) => [id, index] as const));
  for (const { id, sessionToken } of [...sim.intents.list(), ...sim.checkouts.list()]) {
    const place = places.get(id);
    // The journal shortens a token to this part.
    if (place !== undefined) places.set(sessionToken.slice(0, sessionToken.indexOf("-")), place);
  }
  return (text) => {
    const words = text.slice(0, MOST_SEARCHED).match(/\w{6,}/g) ?? [];
    return [...new Set(words.flatMap((word) => places.get(word) ?? []))];
  };
}

/** Returns a function that finds the resources that an entry names, in its details or in its event's body. */
function finderOf(sim: Simulator, placesIn: PlacesIn): (entry: StoredEntry) => number[] {
  const { outbox } = sim.internals.parts;
  const ofEvents = new Map(outbox.events().map((event) => [event.id, placesIn(event.body)] as const));
  let ofCall: number[] = [];
  return ({ kind, details }) => {
    const own = placesIn(JSON.stringify(details));
    const event = ofEvents.get(String(details["event"])) ?? [];
    // An answer names no resource. Neither does a request that creates one, because it has no id yet.
    if (kind === "request") ofCall = own;
    if (kind === "step") ofCall.push(...own.filter((place) => !ofCall.includes(place)));
    if (kind === "answer") {
      const about = ofCall;
      // Later moves belong to no call.
      ofCall = [];
      return about;
    }
    return kind === "request" ? ofCall : [...new Set([...own, ...event])];
  };
}

function factsOf({ details, volatile }: StoredEntry): (readonly [string, string])[] {
  const { answer: _, ...rest } = volatile ?? {};
  return Object.entries({ ...details, ...rest })
    .filter(([name]) => name !== "body")
    .map(
      ([name, value]) =>
        [
          name,
          name === "url" ? shownAddress(String(value)) : typeof value === "string" ? value : inWords(value),
        ] as const,
    );
}

function faultsIn(entries: readonly StoredEntry[]): ReportedRun["faults"] {
  const planned = new Map<string, { id: string; what: string; hits: number }>();
  for (const { kind, details } of entries) {
    if (kind !== "fault") continue;
    if (details.act === "add") {
      const { act: _, id, kind: name, ...fields } = details;
      planned.set(id, { id, what: `${name} ${asLiteral(fields)}`, hits: 0 });
    }
    const struck = details.act === "strike" ? planned.get(details.id) : undefined;
    if (struck !== undefined) struck.hits += 1;
  }
  return [...planned.values()];
}

/** Removes secrets from every text of a run, because its readers may not be allowed to see everything that the test saw. */
function tidied<Value>(value: Value, clean: (text: string) => string): Value {
  const tidy = (inner: unknown, name: string): unknown => {
    // A digest may happen to contain the digits of a card number.
    if (name === "digest") return inner;
    if (typeof inner === "string")
      return shortened(clean(inner.toWellFormed()), name === "body" || name === "timeline");
    if (Array.isArray(inner)) return inner.map((member) => tidy(member, name));
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, member]) => [key, tidy(member, key)]));
  };
  return tidy(value, "") as Value;
}

function shortened(text: string, isWhole: boolean): string {
  return isWhole || text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
