import type { PlacedTrouble, Story } from "./story.ts";

/** Returns the places of the first round in the order of the search. */
export function placesOf(stories: Iterable<Story>, firstRound: ReadonlySet<PlacedTrouble>): ReadonlySet<number> {
  const ahead = new Set(firstRound);
  const places = new Set<number>();
  let place = 0;
  for (const { troubles } of stories) {
    if (ahead.size === 0) break;
    const [placed, ...others] = troubles;
    if (others.length === 0 && placed !== undefined && ahead.delete(placed)) places.add(place);
    place += 1;
  }
  return places;
}
