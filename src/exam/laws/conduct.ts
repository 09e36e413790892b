import { paidBy, priceOf } from "../evidence.ts";
import type { Evidence, SentEvent } from "../evidence.ts";
import type { Books } from "../options.ts";
import { MOST_CALLS_AN_HOUR } from "../playing/calls.ts";
import type { BooksReading, LateAnswer, ObservedCall } from "../playing/observations.ts";
import { isFailure } from "./knowledge.ts";
import type { Breach, LawOfTheExam } from "./law.ts";
import { isMaking } from "../routes.ts";
import { saysPaid } from "./status-words.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How often a merchant may make the same call within a second. Several customers, retries and jobs may coincide. */
const MOST_CALLS = 25;
/** How many tokens a merchant may take and have refused within a minute. */
const MOST_REFUSED_TOKENS = 5;
/** How many tokens a merchant may take during the same work although it already has one. */
const MOST_NEEDLESS_TOKENS = 2;

/** How many failed runs in a row mean that a job fails for ever. */
const FAILED_RUNS = 3;

/** Laws about how a merchant behaves, whatever it sells. */
export const conductLaws: readonly LawOfTheExam[] = [
  {
    name: "takes-every-event",
    sentence: "The merchant accepts every genuine event in the end.",
    misunderstanding: "The service sends only the types, fields and objects that are known today.",
    remedy:
      "Answer every event that has a valid signature with 2xx, even if you do not know its type, fields or object, and answer before you do slow work.",
    holds: "at rest",
    reached: ({ events }) => events.some(({ last }) => last !== undefined),
    breaches: (evidence) =>
      evidence.events
        .filter((event) => isRefused(evidence, event))
        .map(({ type, owner, last }) => ({
          id: owner,
          what: `The event ${type} ${last?.inWords ?? "got no answer"} at each try, until the service gave up.`,
        })),
  },
  {
    name: "answers-in-time",
    sentence: "An event is answered before the service gives up waiting.",
    misunderstanding: "The service waits for a handler until its work is done.",
    remedy: "Store the event, answer with 2xx, and do slow work afterwards. A handler must not wait for a later event.",
    holds: "always",
    reached: ({ events }) => events.some(({ last }) => last !== undefined),
    breaches: ({ seen }) =>
      seen.lateAnswers
        .filter((late) => !seen.calls.some((call) => isInTheWay(call, late)))
        .slice(0, 1)
        .map(({ type }) => ({
          what: `The event ${type} was not answered before the service gave up, and no call to the service was slow.`,
        })),
  },
  {
    name: "no-storm-of-calls",
    sentence: "A merchant does not call the service over and over without a pause.",
    misunderstanding: "The next try will succeed, so it needs no pause.",
    remedy: "Wait between tries, longer each time, and stop after a few. Poll from a job, not in a loop.",
    holds: "at rest",
    reached: ({ seen }) => seen.calls.length > 0,
    breaches: ({ seen }) => {
      const busiest = Map.groupBy(seen.calls, ({ what }) => what);
      for (const [what, calls] of busiest) {
        const count = mostWithin(calls, SECOND);
        if (count > MOST_CALLS) return [{ what: `The merchant called ${what} ${count} times within a second.` }];
        if (mostWithin(calls, HOUR) > MOST_CALLS_AN_HOUR)
          return [{ what: `The merchant called ${what} more than ${MOST_CALLS_AN_HOUR} times within an hour.` }];
      }
      return seen.tooMuch === undefined ? [] : [{ what: seen.tooMuch }];
    },
  },
  {
    name: "no-storm-of-tokens",
    sentence: "A merchant does not request one token after another.",
    misunderstanding: "A new token always helps and costs nothing.",
    remedy:
      "Keep the token, let concurrent calls share one request for the next one, and stop when a fresh token is refused, too.",
    holds: "at rest",
    reached: ({ seen }) => seen.calls.some(({ route }) => route === "oauth.token"),
    breaches: ({ seen }) => {
      const { refused, unused } = tokenStorms(seen.calls);
      if (refused > MOST_REFUSED_TOKENS)
        return [{ what: `The merchant took ${refused} tokens within a minute, and was refused with each.` }];
      if (unused > MOST_REFUSED_TOKENS)
        return [{ what: `The merchant took ${unused} tokens within a second, more than it made calls.` }];
      const needless = needlessTokens(seen.calls);
      if (needless > MOST_NEEDLESS_TOKENS)
        return [{ what: `The merchant took another token ${needless} times when it had one that was good.` }];
      return [];
    },
  },
  {
    name: "jobs-go-on",
    sentence: "A job goes on after a failure.",
    misunderstanding: "What fails once will succeed at the next run.",
    remedy:
      "Catch the error of one event, order or member, set that one aside, and go on with the next. One that you cannot handle must not stop the others for ever.",
    holds: "in the end",
    unjudged: ({ hasJobs }) => (hasJobs ? undefined : "the merchant has no jobs"),
    reached: ({ seen }) => seen.runsOfJobs.length > 0,
    breaches: ({ seen }) =>
      [...Map.groupBy(seen.runsOfJobs, ({ job }) => job).values()].flatMap((runs): Breach[] => {
        const last = runs.slice(-FAILED_RUNS);
        const [{ failure } = {}] = last.slice(-1);
        if (last.length < FAILED_RUNS || !last.every((run) => run.isHealed && run.failure !== undefined)) return [];
        return [
          {
            what: `A job failed in its last ${FAILED_RUNS} runs, although nothing else went wrong any more: ${failure}.`,
          },
        ];
      }),
  },
  {
    name: "no-crash",
    sentence: "No uncaught error ends the merchant's program.",
    misunderstanding: "A promise that is not awaited cannot fail.",
    remedy:
      "Await every promise, or catch its error. An unhandled rejection ends a Node process and everything that it was doing.",
    holds: "always",
    reached: ({ seen }) => seen.acts.length > 0,
    breaches: ({ seen }) =>
      seen.crashes.map((message) => ({
        what: `The merchant's program threw an error that nothing caught: ${message}`,
      })),
  },
  {
    name: "forged-changes-nothing",
    sentence: "Forged events and edited return URLs have no effect.",
    misunderstanding: "Only the service knows the URL of the webhook, and customers do not edit URLs.",
    remedy:
      "Verify the signature of each event over its raw body with your own secret, and trust nothing in the query of the return URL: read the status from the service.",
    holds: "always",
    reached: ({ seen }) => seen.readings.some(({ moment }) => moment === "forged"),
    breaches: (evidence) =>
      evidence.seen.readings.flatMap((after, index, readings): Breach[] => {
        const before = readings.slice(0, index).findLast(({ moment }) => moment === "unforged");
        return after.moment === "forged" && before !== undefined ? effectsOf(evidence, before, after) : [];
      }),
  },
  {
    name: "secrets-stay",
    sentence: "No secret leaves the merchant.",
    misunderstanding: "Customers see only what a page shows.",
    remedy:
      "Send customers only the clientKey of their own payment. Keep credentials, webhook secrets and tokens on the server.",
    holds: "always",
    reached: ({ seen }) => seen.acts.length > 0,
    breaches: ({ seen }) =>
      [...new Set(seen.leaks)].map((what) => ({ what: `A customer can read a secret: ${what}.` })),
  },
  {
    name: "nothing-waits-for-ever",
    sentence: "Every request to the merchant gets an answer.",
    misunderstanding: "Every call is answered.",
    remedy:
      "Give every call a timeout, and do not let the handler of an event wait for what comes only after its answer. Release locks when work fails.",
    holds: "always",
    unjudged: ({ seen }) => (seen.neverRests && seen.endless.length === 0 ? "the merchant never rested" : undefined),
    reached: ({ seen }) => seen.acts.length > 0,
    breaches: ({ unanswered, seen }) => [
      ...seen.endless.map((what) => ({ what })),
      ...(seen.neverRests ? [] : unanswered)
        .filter(({ kind }) => kind === "act" || kind === "event")
        .map(({ kind, what, id }) => ({
          id,
          what: `${kind === "event" ? "The delivery of an event" : "A customer's request"}, ${what}, was never answered.`,
        })),
    ],
  },
];

/** Whether a merchant refused every delivery of an event without a reason. */
function isRefused({ seen }: Evidence, { status, last, type, owner, about, madeUp }: SentEvent): boolean {
  if (status !== "exhausted" || last === undefined || last.struck) return false;
  const { answered, inWords } = last;
  // A program that is down refuses nothing.
  if (inWords.includes("program does not run") || inWords.includes("program ended")) return false;
  if (answered === undefined || answered >= 500) return !askedInVain(seen.calls, last);
  // A merchant need not know an object that another system created, or whose creation it never heard of.
  if (about !== undefined && owner === undefined) return false;
  if (madeUp) return type.endsWith(".reviewed");
  return !seen.calls.some(
    ({ route, id, status: made }) => isMaking(route) && id === owner && (made === undefined || made >= 400),
  );
}

/** Whether every call that the merchant made during a delivery failed. It may then refuse the event, because it cannot work. */
function askedInVain(calls: readonly ObservedCall[], { at, endedAt }: NonNullable<SentEvent["last"]>): boolean {
  const asked = calls.filter((call) => call.at >= at && call.at <= endedAt);
  return asked.length > 0 && asked.every(({ status }) => status === undefined || status >= 500);
}

/** Returns the largest number of calls within a span of time. The calls must be sorted by time. */
function mostWithin(calls: readonly ObservedCall[], span: number): number {
  let first = 0;
  let most = 0;
  for (const [index, { at }] of calls.entries()) {
    while ((calls[first]?.at ?? at) <= at - span) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Whether a call delayed the answer to an event: it failed, or was answered late. */
function isInTheWay({ at, answeredAt = Infinity, status }: ObservedCall, { from, to }: LateAnswer): boolean {
  const isMeanwhile = at <= to && answeredAt >= from;
  return isMeanwhile && (isFailure(status) || answeredAt - at > SECOND);
}

/** Counts the tokens that were taken and refused within a minute, and those taken within a second without being used. */
function tokenStorms(calls: readonly ObservedCall[]): { readonly refused: number; readonly unused: number } {
  const isToken = ({ route }: ObservedCall): boolean => route === "oauth.token";
  const refused = calls.filter(
    (call, index) => call.status === 401 && !isToken(call) && calls.slice(0, index).some(isTokenBefore(call)),
  );
  const tokens = calls.filter((call) => isToken(call) && call.status === 200);
  const unused = tokens.map(({ at }) => {
    const isNear = (call: ObservedCall): boolean => call.at >= at && call.at < at + SECOND;
    const near = calls.filter(isNear);
    const taken = near.filter((call) => isToken(call) && call.status === 200).length;
    return taken > near.filter((call) => !isToken(call)).length ? taken : 0;
  });
  return { refused: Math.min(mostWithin(refused, MINUTE), mostWithin(tokens, MINUTE)), unused: Math.max(0, ...unused) };
}

/** Counts the tokens that were taken for work that already had a fresh token, with which every call was answered. */
function needlessTokens(calls: readonly ObservedCall[]): number {
  const places = new Map(calls.map((call, place) => [call, place]));
  let needless = 0;
  for (const [cause, own] of Map.groupBy(calls, (call) => call.cause)) {
    if (cause === undefined) continue;
    let held: ObservedCall | undefined;
    let answeredAfter = 0;
    for (const call of own) {
      const { route, at, status } = call;
      if (isFailure(status)) held = undefined;
      else if (route === "oauth.token" && status === 200) {
        // A merchant whose call gets no answer may suspect its token.
        const isAnswered = answeredAfter <= (places.get(call) ?? 0);
        if (held !== undefined && isAnswered && at - held.at < MINUTE) needless += 1;
        held = call;
      }
      answeredAfter = Math.max(answeredAfter, call.answeredAfter ?? Infinity);
    }
  }
  return needless;
}

/** Finds a token that was taken within the minute before a call. */
function isTokenBefore({ at }: ObservedCall): (call: ObservedCall) => boolean {
  return (call) => call.route === "oauth.token" && call.at > at - MINUTE;
}

/** Returns what a forgery changed for each customer who has not paid. */
function effectsOf(evidence: Evidence, before: BooksReading, after: BooksReading): Breach[] {
  const { seen } = evidence;
  const orders = (after.books.orders ?? []).flatMap((order): Breach[] => {
    const { id, fulfilments, status } = order;
    const old = orderIn(before.books, id);
    if (paidBy(evidence, id, after.at) >= priceOf(evidence, order)) return [];
    if (fulfilments > (old?.fulfilments ?? 0))
      return [{ id, what: `${id} was fulfilled because of a forgery, and was not paid.` }];
    if (saysPaid(status) === true && saysPaid(old?.status ?? "pending") !== true)
      return [{ id, what: `${id} became ${status} because of a forgery, and was not paid.` }];
    return [];
  });
  const memberships = (after.books.memberships ?? []).flatMap(({ id, hasAccess }): Breach[] => {
    const had = before.books.memberships?.find((each) => each.id === id)?.hasAccess ?? false;
    const isActive = after.subscriptions.some((each) => each.status === "active" && seen.owners.get(each.id) === id);
    return hasAccess && !had && !isActive
      ? [{ id, what: `${id} got access because of a forgery, and has not paid.` }]
      : [];
  });
  return [...orders, ...memberships];
}

function orderIn({ orders = [] }: Books, id: string) {
  return orders.find((each) => each.id === id);
}
