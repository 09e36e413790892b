import { laws } from "./laws/laws.ts";
import type { PlacedTrouble } from "./story.ts";

/** How many reasons are kept for each law. */
export const MOST_REASONS = 8;

/** Names why a story breaks a law: its kinds of trouble. Stories with the same kinds count as one reason. */
export function reasonOf(flow: string, troubles: readonly PlacedTrouble[]): string {
  if (troubles.length === 0) return `flow ${flow}`;
  return troubles
    .map(({ trouble, point }) => `${trouble.name} at ${point.kind}`)
    .toSorted()
    .join(" and ");
}

const places = new Map(laws.map(({ name }, place) => [name, place]));

/** Orders failures: the shortest story first, then the earliest. If one story breaks several laws, the merchant's own laws come last. */
export function shortestFirst(
  one: { readonly story: readonly string[]; readonly number: number; readonly law?: string },
  other: { readonly story: readonly string[]; readonly number: number; readonly law?: string },
): number {
  return one.story.length - other.story.length || one.number - other.number || placeOf(one.law) - placeOf(other.law);
}

function placeOf(law = ""): number {
  return places.get(law) ?? places.size;
}
