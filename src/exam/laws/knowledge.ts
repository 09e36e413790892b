import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { Evidence, JobInEvidence } from "../evidence.ts";
import type { BooksReading } from "../playing/observations.ts";

const HOUR = 3_600_000;
/** How often each of the merchant's jobs may run before the merchant must have acted. */
const TURNS = 2;

/**
 * Whether the merchant has had everything it needs to act: it was told long enough ago, its jobs have run, and no call
 * has failed since. At the end of a story, it always has.
 * @param toldAt when the merchant was told, in milliseconds since 1970
 * @param whichRepair which jobs must have run; by default, all
 * @param mayFail which calls may have failed; by default, none
 */
export function hasHadTime(
  { seen, jobs }: Pick<Evidence, "seen" | "jobs">,
  reading: BooksReading,
  toldAt: number,
  whichRepair: (job: JobInEvidence) => boolean = () => true,
  mayFail: (what: string) => boolean = () => false,
): boolean {
  if (reading.moment === "end") return true;
  if (reading.moment !== "rested" || reading.at - toldAt < HOUR) return false;
  const since = seen.calls.filter(({ at }) => at >= toldAt && at <= reading.at);
  // Without a token, the merchant could not even make the calls that would fail.
  const noToken = since.findLast(({ route, status }) => route === "oauth.token" && isFailure(status))?.at ?? toldAt;
  const runs = seen.runsOfJobs.slice(0, reading.runsOfJobs).filter(({ from }) => from > noToken);
  // Two programs run a job at the same moment.
  const turnsOf = ({ run }: JobInEvidence): ReadonlySet<number> =>
    new Set(runs.flatMap(({ job, from }) => (job === run ? [from] : [])));
  if (!jobs.filter(whichRepair).every((job) => turnsOf(job).size >= TURNS)) return false;
  const latest = new Map(since.map(({ what, status }) => [what, status]));
  return ![...latest].some(([what, status]) => isFailure(status) && !mayFail(what));
}

/** Whether a missing or failed answer kept the merchant from going on. The merchant is not to blame for that. */
export function isFailure(status: number | undefined): boolean {
  return status === undefined || status >= 500 || status === 401 || status === 409 || status === 429;
}

/** Whether, at a reading, the merchant knew the state of a member's subscriptions for certain, and had time to act on it. */
export function knowsSubscriptions(evidence: Evidence, reading: BooksReading, owner: string): boolean {
  if (reading.moment === "end") return true;
  const { events, seen } = evidence;
  const own = reading.subscriptions.filter(({ id }) => seen.owners.get(id) === owner);
  // Events announced at the moment of the reading belong to the next act.
  const told = events.filter(
    (event) =>
      event.owner === owner &&
      event.type.startsWith("subscription.") &&
      !event.madeUp &&
      event.announcedAt < reading.at,
  );
  if (told.length === 0 || told.some(({ takenAt = Infinity }) => takenAt > reading.at)) return false;
  // While a member is past due, the service retries each day, and each failed retry repeats what the merchant already knows.
  const isPastDue =
    own.every(({ status }) => status === "past_due") && told.some(({ type }) => type === "subscription.past_due");
  const changes = isPastDue ? [] : own.map(({ updatedAt }) => OriginalDate.parse(updatedAt));
  const news = isPastDue ? told.filter(({ type }) => type !== "subscription.invoice.payment_failed") : told;
  return hasHadTime(evidence, reading, Math.max(...changes, ...news.map(({ takenAt = Infinity }) => takenAt)));
}
