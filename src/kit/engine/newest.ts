/** Forgets the oldest members of a collection, which were added first, until it has so many at most. */
export function keepNewest<Member>(
  collection: Pick<Map<Member, unknown>, "delete" | "keys" | "size">,
  most: number,
): void {
  for (const oldest of collection.keys()) {
    if (collection.size <= most) return;
    collection.delete(oldest);
  }
}
