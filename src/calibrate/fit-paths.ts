import { distanceOf, gistOf } from "./gist.ts";
import { plainName } from "./differences.ts";
import { isStandIn } from "./names.ts";
import { isEndOf, pathPlaces, patternOf, patternText, routesUnder, variablesIn, withPath } from "./paths.ts";
import type { PathPlace, Pattern } from "./paths.ts";
import { MISSING } from "./play.ts";
import type { Compared, Played } from "./play.ts";
import type { Search } from "./search.ts";
import { textsIn } from "./texts.ts";
import type { Values } from "./values.ts";

/** Recorded calls of one path that the world does not take for what they are. */
interface Misplaced {
  readonly method: string;
  readonly pattern: Pattern;
  /** Their places in the recording. */
  readonly calls: ReadonlySet<number>;
  /** Whether an operation of the world stands there, which may have refused them for another reason. */
  readonly isPlaced: boolean;
}

/** An answer that is as similar is that of the same operation. */
const SIMILAR = 0.7;
/** What the words of a path count. */
const WORDS = 0.3;
/** What may be an id, although no document has it. */
const LONG = 10;
const LONGEST = 20;

/** Gives operations the paths at which the recordings call them. Returns whether any has changed. */
export async function fitPaths(search: Search): Promise<boolean> {
  const known = textsOf(search);
  const seen = new Set<string>();
  let hasChanged = false;
  for (;;) {
    const next = misplacedIn(search, known).find((each) => !seen.has(keyOf(each)));
    if (next === undefined || !search.isOpen) return hasChanged;
    seen.add(keyOf(next));
    const found = await placeOf(search, next);
    if (found === undefined) continue;
    search.accept(found.values, found.played);
    hasChanged = true;
  }
}

/** Tries each operation at a path, and returns the values under which the calls are answered as they were. */
async function placeOf(
  search: Search,
  misplaced: Misplaced,
): Promise<{ readonly values: Values; readonly played: Played } | undefined> {
  const { method, pattern, calls, isPlaced } = misplaced;
  const places = pathPlaces
    .filter((place) => place.method === method && variablesIn(patternOf(place.declared)) === variablesIn(pattern))
    .map((place) => ({ place, words: likenessOfWords(place, pattern) }))
    .toSorted((left, right) => right.words - left.words);
  let best: { readonly values: Values; readonly played: Played } | undefined;
  let least = misfitOf(search.played, calls);
  for (const { place, words } of places) {
    if (!search.hasBudget) break;
    const values = withPath(search.values, place, pattern);
    if (!place.row.schema.safeParse(values[place.row.id]).success) continue;
    const played = await search.try(values);
    const misfit = misfitOf(played, calls) - WORDS * words;
    const fits = isFitting(played, calls);
    if (misfit >= least || (isPlaced && !fits)) continue;
    least = misfit;
    best = { values, played };
    if (fits) break;
  }
  return best;
}

/** Returns the calls that the real service took for something else than the world does, by their paths, in the order of time. */
function misplacedIn({ played, values }: Search, known: ReadonlySet<string>): readonly Misplaced[] {
  const routes = routesUnder(values);
  const found = new Map<string, Misplaced & { readonly calls: Set<number> }>();
  for (const [index, { step, sent }] of played.compared.entries()) {
    const { kind, request, answer } = step.exchange;
    if (kind !== "call" || answer === undefined || sent === undefined) continue;
    const path = step.path.replace(/\?.*/s, "");
    const pattern = patternOf(path, (segment) => isId(segment, known));
    const segments = path.slice(1).split("/");
    const isPlaced = routes.some(
      (route) =>
        route.method === request.method &&
        route.segments.length === segments.length &&
        isEndOf(route.segments, segments),
    );
    const isRefused = answer.status < 400 && sent.status >= 400;
    if (!isRefused && (isPlaced || answer.status === 404 || answer.status === 405)) continue;
    const misplaced = { method: request.method, pattern, calls: new Set<number>(), isPlaced };
    const group = found.get(keyOf(misplaced)) ?? misplaced;
    group.calls.add(index);
    found.set(keyOf(misplaced), group);
  }
  return [...found.values()];
}

function keyOf({ method, pattern }: Pick<Misplaced, "method" | "pattern">): string {
  return `${method} ${patternText(pattern)}`;
}

/** Returns the texts that the real service sent: what stands in a path as well is an id. */
function textsOf({ steps }: Search): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ document }) => textsIn(document).filter((text) => /\d/.test(text) || isStandIn(text))),
  );
}

function isId(segment: string, known: ReadonlySet<string>): boolean {
  if (known.has(segment) || isStandIn(segment) || segment.length >= LONGEST) return true;
  return segment.length >= LONG && /\d/.test(segment);
}

/** How far what was played is from what was recorded, whatever its shape: whether calls succeeded, where payments stand, what came. */
function misfitOf({ compared, surplus }: Played, calls: ReadonlySet<number>): number {
  if (compared.length === 0) return Number.POSITIVE_INFINITY;
  return compared.reduce(
    (sum, each, index) => sum + distanceBetween(each) + (calls.has(index) ? 1 - similarityOf(each) : 0),
    surplus.length,
  );
}

function distanceBetween({ step, sent }: Compared): number {
  if (sent === undefined) return MISSING;
  const { kind, answer } = step.exchange;
  return distanceOf(gistOf(sent.document, sent.status), gistOf(step.document, kind === "call" ? answer?.status : 200));
}

function isFitting({ compared }: Played, calls: ReadonlySet<number>): boolean {
  return compared.every(
    (each, index) => !calls.has(index) || (distanceBetween(each) === 0 && similarityOf(each) >= SIMILAR),
  );
}

/** Returns the share of names and values that two answers have in common, from 0 to 1, wherever they stand. */
function similarityOf({ step, sent }: Compared): number {
  const [own, recorded] = [new Set(partsOf(sent?.document)), new Set(partsOf(step.document))];
  const shared = [...own].filter((part) => recorded.has(part)).length;
  return shared / Math.max(1, own.size + recorded.size - shared);
}

function partsOf(document: unknown): readonly string[] {
  if (typeof document !== "object" || document === null)
    return document === undefined ? [] : [JSON.stringify(document)];
  return Object.entries(document).flatMap(([name, part]) => [`name:${plainName(name)}`].concat(partsOf(part)));
}

/** Returns how many words of a path are those of an operation, from 0 to 1. */
function likenessOfWords({ operation, declared }: PathPlace, pattern: Pattern): number {
  const own = new Set(wordsIn(`${operation} ${declared}`));
  const words = wordsIn(patternText(pattern));
  return words.filter((word) => own.has(word)).length / Math.max(1, words.length);
}

/** The words of a path in the singular. */
function wordsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/s$/, ""));
}
