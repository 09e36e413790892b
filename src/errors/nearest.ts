/**
 * Returns the candidate with the smallest edit distance to the written word, for messages that suggest what was meant.
 * @param below candidates at this distance or beyond are too different to suggest
 */
export function nearest(written: string, candidates: readonly string[], below = Infinity): string | undefined {
  let best: string | undefined;
  let bestDistance = below;
  for (const candidate of candidates) {
    const distance = editDistance(written.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] as number) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] as number) + 1, (current[column - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[right.length] as number;
}
