import { MOST_REASONS, reasonOf, shortestFirst } from "./reason.ts";
import { joinDigests, NO_STORIES } from "./stories-digest.ts";
import { storyOf } from "./token.ts";
import type { Counts, Coverage } from "./tried.ts";
import { Verdict } from "./verdict.ts";
import type { Failure, VerdictFacts } from "./verdict.ts";

/** Joins the verdicts of the shards of one exam to that of the whole. They have to be of the same exam, with the same seed. */
export function mergeVerdicts(parts: readonly [VerdictFacts, ...VerdictFacts[]]): Verdict {
  const [{ seed, off, missingActs }] = parts;
  return new Verdict({
    failures: mergeFailures(parts.flatMap(({ failures }) => failures)),
    warnings: mergeFailures(parts.flatMap(({ warnings }) => warnings)),
    stories: parts.reduce((sum, { stories }) => sum + stories, 0),
    seed,
    unjudged: unjudgedByAll(parts.filter(({ stories }) => stories > 0)),
    leftOut: Object.assign({}, ...parts.map(({ leftOut }) => leftOut).toReversed()) as VerdictFacts["leftOut"],
    off,
    missingActs,
    coverage: mergeCoverage(parts.map(({ coverage }) => coverage)),
    digest: parts.reduce((joined, { digest }) => joinDigests(joined, digest), NO_STORIES),
  });
}

function mergeFailures(failures: readonly Failure[]): readonly Failure[] {
  const byLaw = Map.groupBy(failures, ({ law }) => law);
  return [...byLaw.values()].map(mergeFailure).toSorted(shortestFirst);
}

/** Joins the failures of one law. As in a search without shards, the earliest reasons are told, and the earliest story of each. */
function mergeFailure(failures: readonly Failure[]): Failure {
  const reasons = new Map<string, Failure>();
  const told = failures.flatMap((failure) => [failure, ...failure.others.map((other) => ({ ...failure, ...other }))]);
  for (const each of told.toSorted((one, other) => one.number - other.number)) {
    const reason = reasonOfToken(each.token);
    if (reasons.size < MOST_REASONS && !reasons.has(reason)) reasons.set(reason, each);
  }
  const [first, ...others] = [...reasons.values()].toSorted(shortestFirst) as [Failure, ...Failure[]];
  return {
    ...first,
    count: failures.reduce((sum, { count }) => sum + count, 0),
    others: others.map(({ story, what, token, digest, timeline, number }) => ({
      story,
      what,
      token,
      digest,
      timeline,
      number,
    })),
  };
}

function reasonOfToken(token: string): string {
  const { flow, troubles } = storyOf(token);
  return reasonOf(flow, troubles);
}

/** A law that one shard could judge is judged. */
function unjudgedByAll(parts: readonly VerdictFacts[]): Readonly<Record<string, string>> {
  const [first] = parts;
  if (first === undefined) return {};
  return Object.fromEntries(
    Object.entries(first.unjudged).filter(([law]) => parts.every(({ unjudged }) => Object.hasOwn(unjudged, law))),
  );
}

function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const troubles = new Map<string, Counts>();
  for (const [place, counts] of parts.flatMap((part) => Object.entries(part.troubles)))
    troubles.set(place, addCounts([troubles.get(place) ?? {}, counts]));
  const planned = Map.groupBy(
    parts.flatMap(({ neverStruck }) =>
      Object.entries(neverStruck).flatMap(([place, names]) => names.map((name) => ({ place, name }))),
    ),
    ({ place }) => place,
  );
  const never = [...planned].flatMap(([place, each]) => {
    const names = new Set(
      each.map(({ name }) => name).filter((name) => !Object.hasOwn(troubles.get(place) ?? {}, name)),
    );
    return names.size === 0 ? [] : [[place, [...names]] as const];
  });
  return {
    troubles: Object.fromEntries(troubles),
    neverStruck: Object.fromEntries(never),
    moves: addCounts(parts.map(({ moves }) => moves)),
    events: addCounts(parts.map(({ events }) => events)),
    errors: addCounts(parts.map(({ errors }) => errors)),
    flows: addCounts(parts.map(({ flows }) => flows)),
  };
}

function addCounts(parts: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const [name, count] of parts.flatMap((part) => Object.entries(part)))
    sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}
