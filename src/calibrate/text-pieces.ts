import type { Sample } from "./likeness.ts";

/** What is shorter stands in many texts by chance. */
const SHORTEST = 3;
/** How much of a text has to come from the world, so that the rest is its frame. */
const ENOUGH = 0.3;
/** Longer texts are not looked at. */
const LONGEST = 2000;
/** What a text in pieces counts against a single placeholder. */
const IN_PIECES = 0.9;

/** Returns texts with placeholders in them that may stand for a part, such as `{code}: {message}`, with their scores. */
export function piecesOfText(samples: readonly Sample[]): readonly { readonly text: string; readonly score: number }[] {
  const counts = new Map<string, number>();
  let texts = 0;
  for (const sample of samples) {
    const { part } = sample;
    if (typeof part !== "string" || part.length > LONGEST) continue;
    texts += 1;
    const pieces = piecesIn(part, sample);
    if (pieces !== undefined) counts.set(pieces, (counts.get(pieces) ?? 0) + 1);
  }
  const found = [...counts].map(([text, count]) => ({ text, count, holes: text.split("{").length }));
  // A value that other documents call otherwise leaves its name in the text.
  const best = found.toSorted((left, right) => right.holes - left.holes || right.count - left.count).slice(0, 2);
  return best.map(({ text, count }) => ({ text, score: (IN_PIECES * count) / texts }));
}

function piecesIn(part: string, { fills: { values }, sides: { names } }: Sample): string | undefined {
  const parts = Object.entries(values).flatMap(([name, value]): (readonly [name: string, text: string])[] => {
    if (typeof value !== "string") return [];
    const text = names.recordedOf(value) ?? value;
    return text.length < SHORTEST ? [] : [[name, text]];
  });
  let text = "";
  let covered = 0;
  let holes = 0;
  for (let at = 0; at < part.length;) {
    let best: readonly [name: string, text: string] | undefined;
    for (const each of parts) if (part.startsWith(each[1], at) && each[1].length > (best?.[1].length ?? 0)) best = each;
    if (best === undefined) {
      const character = part.charAt(at);
      text += character === "{" || character === "}" ? character + character : character;
      at += 1;
      continue;
    }
    text += `{${best[0]}}`;
    covered += best[1].length;
    holes += 1;
    at += best[1].length;
  }
  return holes === 0 || covered < part.length * ENOUGH ? undefined : text;
}
