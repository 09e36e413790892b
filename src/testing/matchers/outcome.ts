/** What a matcher found. Every runner makes its own message and diff of it. */
export interface Outcome {
  readonly pass: boolean;
  /** What was examined, as in `The payment pi_…`. */
  readonly subject: string;
  /** What it should be or have, after `should` or `should not`. */
  readonly expectation: string;
  /** Whole sentences: what was found, and the way out if one is known. */
  readonly found: string;
  /** The values for the diff. They are equal when the matcher passes. */
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Returns the message of a failure, in sentences. */
export function messageOf({ subject, expectation, found }: Outcome, isNot: boolean): string {
  return `${subject} should ${isNot ? "not " : ""}${expectation}. ${found}`;
}

/** How many things a message lists, and a diff. */
const MOST_LISTED = 5;

/** Returns the first of many sentences or lines, and one that counts the others. */
export function firstOf(lines: readonly string[], inWords: (more: number) => string): string[] {
  const more = lines.length - MOST_LISTED;
  return more > 0 ? [...lines.slice(0, MOST_LISTED), inWords(more)] : [...lines];
}
