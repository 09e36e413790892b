import { laws } from "./laws/laws.ts";
import type { PlacedTrouble } from "./story.ts";

/** How many reasons of one law are told. */
export const MOST_REASONS = 8;

/** Stories with the same kinds of trouble break a law for the same reason. */
export function reasonOf(flow: string, troubles: readonly PlacedTrouble[]): string {
  if (troubles.length === 0) return `flow ${flow}`;
  return troubles
    .map(({ trouble, point }) => `${trouble.name} at ${point.kind}`)
    .toSorted()
    .join(" and ");
}

const places = new Map(laws.map(({ name }, place) => [name, place]));

/** Compares what is told of two stories: the shorter comes first, then the earlier. One story may break several laws, and a merchant's own come last. */
export function shortestFirst(
  one: { readonly story: readonly string[]; readonly number: number; readonly law?: string },
  other: { readonly story: readonly string[]; readonly number: number; readonly law?: string },
): number {
  return one.story.length - other.story.length || one.number - other.number || placeOf(one.law) - placeOf(other.law);
}

function placeOf(law = ""): number {
  return places.get(law) ?? places.size;
}
