import { OriginalDate } from "../kit/base/runtime/dates.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { Evidence } from "./evidence.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { sideBySide } from "./side-by-side.ts";
import type { ReadOptions } from "./read-options.ts";
import { Customers } from "./playing/customers.ts";
import { StoryRun } from "./playing/story-run.ts";
import { noteForgeries, tellForgeriesApart } from "./playing/taken-forgeries.ts";
import { nameOfPoint } from "../troubles/point.ts";
import type { Story } from "./story.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long after the last act the books are read, in milliseconds: enough for a frequent job to repair what a nightly one would, too. */
const SOON = 11 * HOUR;
/** How long after the last act the last customer comes, in milliseconds. */
const LAST_CUSTOMER = 12 * HOUR;
/** Half of the time that jobs then get, in milliseconds, unless one runs less often: enough for a nightly job to run twice. */
const ANOTHER_TURN = 34 * HOUR;

/** After how many changes of memberships the end of a story gives jobs their time. */
const MOST_CHANGES = 5;

const LAST_ID = "last-1";

export interface Outcome {
  readonly story: Story;
  readonly evidence: Omit<Evidence, "unitsOfStock">;
  /** The hash of what happened in the service's world. */
  readonly digest: string;
  /** For each trouble of the story, whether it struck. */
  readonly struck: readonly boolean[];
  /** The addresses to which events were sent, without duplicates. */
  readonly receivers: readonly string[];
  /** Shows what happened from the first trouble to the break, with the merchant and the service side by side. */
  readonly timeline: (about: string | undefined) => string;
  readonly entries: () => readonly Pick<StoredEntry, "kind" | "details" | "at">[];
}

/** Plays one story until all faults have ended and everything due has run. */
export async function runStory(options: ReadOptions, story: Story): Promise<Outcome> {
  const run = new StoryRun(options, story);
  try {
    await run.open();
    await run.readBooks("opened");
    const customers = new Customers(run);
    for (const step of story.flow.steps) {
      if (run.course.neverRests) break;
      await customers.perform(step);
    }
    await waitForTheEndOfTroubles(run);
    run.seen.tellTime();
    await heal(run, customers);
    if (run.brokenOffBy !== undefined) throw run.brokenOffBy;
    return outcomeOf(run);
  } finally {
    await run.close();
  }
}

/** Reads the books right before the faults end for which the story goes on, because the jobs repair everything afterwards. */
async function waitForTheEndOfTroubles(run: StoryRun): Promise<void> {
  const { course, time, troubles } = run;
  if (course.neverRests || troubles.endsAt <= time.now) return;
  await course.passTo(troubles.endsAt - 1);
  await run.readBooks("rested");
  await course.passTo(troubles.endsAt);
}

async function heal(run: StoryRun, customers: Customers): Promise<void> {
  const { course, sim, time } = run;
  sim.faults.clear();
  run.seen.isHealed = true;
  const from = time.now;
  // Each job runs twice for the last customer, because the first run may set aside what only the second one does.
  const turn = Math.max(ANOTHER_TURN, run.jobs.longest);
  const stops: readonly (readonly [after: number, does: () => unknown])[] = [
    [0, () => run.jobs.stir()],
    [SOON, () => run.readBooks("rested")],
    [LAST_CUSTOMER, () => serveOneMore(run, customers)],
    [LAST_CUSTOMER + turn, () => run.jobs.stir()],
    [LAST_CUSTOMER + 2 * turn, () => course.takesTurns()],
  ];
  for (const [after, does] of stops) {
    if (course.neverRests) break;
    await course.passTo(from + after);
    await does();
  }
  // A membership may have been renewed just now, or have ended.
  for (let changes = 0; changes < MOST_CHANGES && !course.neverRests; changes += 1) {
    const learned = lastChange(run) + 2 * turn;
    if (learned <= time.now) break;
    await course.passTo(learned);
  }
  await run.readBooks("end");
  noteForgeries(run);
  await tellForgeriesApart(run);
}

/** Returns when a membership last changed, or a paid period ended, in milliseconds since 1970. */
function lastChange({ sim, time }: StoryRun): number {
  const changes = sim.subscriptions
    .list()
    .flatMap(({ updatedAt, currentPeriodEnd = updatedAt }) => [updatedAt, currentPeriodEnd])
    .map((moment) => OriginalDate.parse(moment));
  return Math.max(0, ...changes.filter((moment) => moment <= time.now));
}

/** Plays another customer, with a good card, who must not suffer from earlier troubles. */
async function serveOneMore({ seen, options, course, time }: StoryRun, customers: Customers): Promise<void> {
  const act = (["order", "checkout", "join"] as const).find((each) => options.acts[each] !== undefined);
  if (act === undefined) return;
  // The last job may have crashed the merchant's program, which is then down for a minute.
  await course.passTo(time.now + 2 * MINUTE);
  seen.lastCustomer = { id: LAST_ID, act, notes: seen.notes.length };
  await customers.perform({ kind: "act", act, id: LAST_ID, method: "pm_card_approved" });
}

/** Says which troubles of a story did not happen. */
export function whatDidNotHappen({ story, struck }: Outcome): readonly string[] {
  return story.troubles.flatMap(({ point, trouble }, index) =>
    struck[index] === true
      ? []
      : `The trouble ${trouble.name} did not happen, because the merchant does not come to its place, ${nameOfPoint(point)}.`,
  );
}

/** Returns what came of a story so far. */
export function outcomeOf(run: StoryRun): Outcome {
  const { story, sim, troubles } = run;
  return {
    story,
    evidence: gatherEvidence(run),
    digest: sim.journal.digest(),
    struck: story.troubles.map((placed) => troubles.struck.has(placed)),
    receivers: [...new Set(sim.internals.parts.outbox.events().flatMap(({ url }) => url ?? []))],
    timeline: (about) => sideBySide(run.seen, sim.internals.parts.engine.journal.entries, about),
    entries: () => sim.internals.parts.engine.journal.entries,
  };
}
