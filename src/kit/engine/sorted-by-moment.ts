/** Returns where something belongs in a list that is sorted by moment: behind all that has the same moment. */
export function placeAfter(sorted: readonly { readonly at: number }[], moment: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.at ?? Infinity) > moment) to = middle;
    else from = middle + 1;
  }
  return from;
}
