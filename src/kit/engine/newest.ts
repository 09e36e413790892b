/** Removes the oldest members of a collection, which were added first, until at most `most` are left. */
export function keepNewest<Member>(
  collection: Pick<Map<Member, unknown>, "delete" | "keys" | "size">,
  most: number,
): void {
  for (const oldest of collection.keys()) {
    if (collection.size <= most) return;
    collection.delete(oldest);
  }
}
