/**
 * Returns the candidate that was most likely meant, for messages, or undefined when none is near. A candidate is near when at most a third
 * of it was written differently, or when one of the two contains the other. Case does not count.
 * @param below candidates at this edit distance or beyond are never near
 */
export function nearest(written: string, candidates: readonly string[], below = Infinity): string | undefined {
  if (written.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestDistance = below;
  for (const candidate of candidates) {
    const [left, right] = [written.toLowerCase(), candidate.toLowerCase()];
    const distance = editDistance(left, right);
    if (distance < bestDistance && isNear(left, right, distance)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** In characters. Names are shorter, and what is written may be a whole file. */
const LONGEST = 200;

/** A shorter part would be contained in too many names. */
const SHORTEST_PART = 4;

function isNear(left: string, right: string, distance: number): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return (
    distance <= Math.max(1, Math.floor(long.length / 3)) || (short.length >= SHORTEST_PART && long.includes(short))
  );
}

/** Counts the letters that were replaced, added, left out, or exchanged with the next one. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isExchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          (previous[column - 1] as number) + (isSame ? 0 : 1),
          (previous[column] as number) + 1,
          (current[column - 1] as number) + 1,
          isExchanged && row > 1 && column > 1 ? (beforeLast[column - 2] as number) + 1 : Infinity,
        ),
      );
    }
    beforeLast = previous;
    previous = current;
  }
  return previous[right.length] as number;
}
