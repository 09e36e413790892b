import { unknownName } from "../base/errors/known-names.ts";

/** A name, or a pattern of names, in which `*` stands for any text. */
export type Pattern<Name extends string> = Name | `${string}*${string}`;

/** Returns a message about a pattern that matches no known name, with the nearest name; undefined when it matches. */
export function matchesNothing(field: string, pattern: unknown, known: readonly string[]): string | undefined {
  return unknownName(field, pattern, known, (one) => typeof pattern === "string" && matches(pattern, one));
}

export function matches(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  // Takes each part at its first occurrence, while a regular expression would backtrack.
  let from = first.length;
  for (const part of rest) {
    const index = text.indexOf(part, from);
    if (index === -1) return false;
    from = index + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/** Whether some text matches both patterns. */
export function overlap(left: string, right: string): boolean {
  // Row by row: which prefixes of the right pattern can match the same text as the left prefix so far.
  let before = Array.from({ length: right.length + 1 }, (_, end) => /^\**$/.test(right.slice(0, end)));
  for (const sign of left) {
    const now: boolean[] = [sign === "*" && before[0] === true];
    for (let end = 1; end <= right.length; end += 1) {
      const other = right[end - 1];
      const isAnyOnEither = (sign === "*" || other === "*") && (before[end] === true || now[end - 1] === true);
      now.push(isAnyOnEither || (sign === other && before[end - 1] === true));
    }
    before = now;
  }
  return before[right.length] === true;
}
