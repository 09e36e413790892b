/** The result of a matcher, from which every runner makes its own message and diff. */
export interface Outcome {
  readonly pass: boolean;
  /** What was examined, such as `The payment pi_…`. */
  readonly subject: string;
  /** What it should be or have, as the words after `should` or `should not`. */
  readonly expectation: string;
  /** Whole sentences: what was found, and the way out, if known. */
  readonly found: string;
  /** The values for the diff. They are equal when the matcher passes. */
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Returns the failure message, in sentences. */
export function messageOf({ subject, expectation, found }: Outcome, isNot: boolean): string {
  return `${subject} should ${isNot ? "not " : ""}${expectation}. ${found}`;
}

/** How many things a message or diff lists. */
const MOST_LISTED = 5;

/** Returns the first of many sentences or lines, and a line that counts the rest. */
export function firstOf(lines: readonly string[], inWords: (more: number) => string): string[] {
  const more = lines.length - MOST_LISTED;
  return more > 0 ? [...lines.slice(0, MOST_LISTED), inWords(more)] : [...lines];
}
