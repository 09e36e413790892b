import { MOST_CALLS_AN_HOUR } from "../playing/calls.ts";
import type { ObservedCall } from "../playing/observations.ts";
import { isFailure } from "./knowledge.ts";
import type { Belief, LawOfTheExam } from "./law.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How often a merchant may make the same call for a customer within a second. Retries and jobs may coincide. */
const MOST_CALLS = 25;
/** How many tokens a merchant may take for a customer and have refused within a minute. */
const MOST_REFUSED_TOKENS = 5;
/** How many tokens a merchant may take during the same work although it already has one. */
const MOST_NEEDLESS_TOKENS = 2;

const tokenForEachCall: Belief = {
  misunderstanding: "Each call needs a token of its own.",
  remedy: "Keep the token until it expires or is refused, and make every call with it.",
};

const tokenForEachRefusal: Belief = {
  misunderstanding: "Each call that needs a new token has to fetch it itself.",
  remedy:
    "When the token is refused, let one call fetch the next, and let all the others wait for the same request. Keep the promise of the token, not only the token.",
};

/** Laws against calls that do not pause. */
export const stormLaws: readonly LawOfTheExam[] = [
  {
    name: "no-storm-of-calls",
    sentence: "A merchant does not call the service over and over without a pause.",
    misunderstanding: "The next try will succeed, so it needs no pause.",
    remedy: "Wait between tries, longer each time, and stop after a few. Poll from a job, not in a loop.",
    otherBeliefs: [tokenForEachRefusal],
    holds: "at rest",
    reached: ({ seen }) => seen.calls.length > 0,
    breaches: ({ seen }) => {
      const busiest = Map.groupBy(seen.calls, ({ what, id }) => `${what} for ${id}`);
      for (const calls of busiest.values()) {
        const [{ what, id } = { what: "", id: "" }] = calls;
        const customers = id === undefined ? customersOf(seen.calls) : 1;
        const count = mostWithin(calls, SECOND);
        const belief = calls[0]?.route === "oauth.token" ? tokenForEachRefusal : {};
        if (count > MOST_CALLS * customers)
          return [{ what: `The merchant called ${what} ${count} times within a second.`, ...belief }];
        if (mostWithin(calls, HOUR) > MOST_CALLS_AN_HOUR)
          return [
            { what: `The merchant called ${what} more than ${MOST_CALLS_AN_HOUR} times within an hour.`, ...belief },
          ];
      }
      return seen.tooMuch === undefined ? [] : [{ what: seen.tooMuch }];
    },
  },
  {
    name: "no-storm-of-tokens",
    sentence: "A merchant does not request one token after another.",
    misunderstanding: "A call that is refused needs only another token.",
    remedy:
      "Fetch one new token when a token is refused. Stop when the fresh token is refused, too, and tell the operator.",
    otherBeliefs: [tokenForEachCall, tokenForEachRefusal],
    holds: "at rest",
    reached: ({ seen }) => seen.calls.some(({ route }) => route === "oauth.token"),
    breaches: ({ seen }) => {
      const { refused, unused } = tokenStorms(seen.calls);
      const most = MOST_REFUSED_TOKENS * customersOf(seen.calls);
      if (refused > most)
        return [{ what: `The merchant took ${refused} tokens within a minute, and was refused with each.` }];
      if (unused > most)
        return [
          {
            what: `The merchant took ${unused} tokens within a second, more than it made calls.`,
            ...tokenForEachRefusal,
          },
        ];
      const needless = needlessTokens(seen.calls);
      if (needless > MOST_NEEDLESS_TOKENS)
        return [
          {
            what: `The merchant took another token ${needless} times when it had one that was good.`,
            ...tokenForEachCall,
          },
        ];
      return [];
    },
  },
];

/** Counts the customers for whom a merchant called. Many at once are no storm. */
function customersOf(calls: readonly ObservedCall[]): number {
  return Math.max(1, new Set(calls.flatMap(({ id }) => id ?? [])).size);
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
