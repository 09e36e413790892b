import { MOST_REASONS, reasonOf, shortestFirst } from "./reason.ts";
import type { Pace } from "./pace.ts";
import { joinDigests, NO_STORIES } from "./stories-digest.ts";
import { storyOf } from "./token.ts";
import { mergePaces } from "./pace.ts";
import { mergeCoverage } from "./tried.ts";
import { Verdict } from "./verdict.ts";
import type { Failure, OtherStory, VerdictFacts } from "./verdict.ts";

/** Merges the verdicts of all shards into the verdict of the whole exam. All must be of the same exam, with the same seed. */
export function mergeVerdicts(parts: readonly [VerdictFacts, ...VerdictFacts[]], paces: readonly Pace[]): Verdict {
  const [{ seed, off, onlyWarn, missingActs }] = parts;
  const facts: VerdictFacts = {
    failures: mergeFailures(parts.flatMap(({ failures }) => failures)),
    warnings: mergeFailures(parts.flatMap(({ warnings }) => warnings)),
    stories: sumOf(parts, ({ stories }) => stories),
    // Each part knows of all flows, and only of its own stories.
    left: {
      flows: Math.max(...parts.map(({ left }) => left.flows)),
      stories: sumOf(parts, ({ left }) => left.stories),
    },
    endedEarly: [...new Set(parts.flatMap(({ endedEarly }) => endedEarly))],
    seed,
    unjudged: unjudgedByAll(parts.filter(({ stories }) => stories > 0)),
    neverReached: reachedByNone(parts.filter(({ stories }) => stories > 0)),
    leftOut: joinLeftOut(parts.map(({ leftOut }) => leftOut)),
    off,
    onlyWarn,
    missingActs,
    coverage: mergeCoverage(parts.map(({ coverage }) => coverage)),
    digest: parts.reduce((joined, { digest }) => joinDigests(joined, digest), NO_STORIES),
  };
  return new Verdict(facts, mergePaces(paces));
}

function sumOf(parts: readonly VerdictFacts[], count: (part: VerdictFacts) => number): number {
  return parts.reduce((sum, part) => sum + count(part), 0);
}

function mergeFailures(failures: readonly Failure[]): readonly Failure[] {
  const byLaw = Map.groupBy(failures, ({ law }) => law);
  return [...byLaw.values()].map(mergeFailure).toSorted(shortestFirst);
}

/** Merges the failures of one law. As in a search without shards, it keeps the earliest reasons and the earliest story of each. */
function mergeFailure(failures: readonly Failure[]): Failure {
  const reasons = new Map<string, Failure>();
  const told = failures.flatMap((failure) => {
    const { misunderstanding: _, ...ofLaw } = failure;
    return [failure, ...failure.others.map((other): Failure => ({ ...ofLaw, ...other }))];
  });
  for (const each of told.toSorted((one, other) => one.number - other.number)) {
    const reason = reasonOfToken(each.token);
    if (reasons.size < MOST_REASONS && !reasons.has(reason)) reasons.set(reason, each);
  }
  const [first, ...others] = [...reasons.values()].toSorted(shortestFirst) as [Failure, ...Failure[]];
  return {
    ...first,
    count: failures.reduce((sum, { count }) => sum + count, 0),
    others: others.map(storyOfFailure),
  };
}

function storyOfFailure(failure: Failure): OtherStory {
  const { story, what, misunderstanding, remedy, token, digest, timeline, number } = failure;
  const belief = misunderstanding === undefined ? {} : { misunderstanding };
  return { story, what, ...belief, remedy, token, digest, timeline, number };
}

function reasonOfToken(token: string): string {
  const { flow, troubles } = storyOf(token);
  return reasonOf(flow, troubles);
}

/** A law counts as judged if any shard could judge it. */
function unjudgedByAll(parts: readonly VerdictFacts[]): Readonly<Record<string, string>> {
  const [first] = parts;
  if (first === undefined) return {};
  return Object.fromEntries(
    Object.entries(first.unjudged).filter(([law]) => parts.every(({ unjudged }) => Object.hasOwn(unjudged, law))),
  );
}

/** A law counts as reached if the stories of any shard reached it. */
function reachedByNone(parts: readonly VerdictFacts[]): readonly string[] {
  const names = new Set(parts.flatMap(({ neverReached }) => neverReached));
  return [...names]
    .filter((law) =>
      parts.every(({ neverReached, unjudged }) => neverReached.includes(law) || Object.hasOwn(unjudged, law)),
    )
    .toSorted();
}

/** Merges why laws were judged only in part. It keeps one reason for each law, chosen without regard to the order of the stories. */
export function joinLeftOut(parts: readonly VerdictFacts["leftOut"][]): VerdictFacts["leftOut"] {
  const least = new Map<string, string>();
  for (const [law, why] of parts.flatMap((part) => Object.entries(part))) {
    const known = least.get(law);
    if (known === undefined || why < known) least.set(law, why);
  }
  return Object.fromEntries([...least].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
