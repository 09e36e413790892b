import type { Clues } from "./clues.ts";

/**
 * How well a cause fits, best first. It ranks the causes that were found; among equals the order of the table decides.
 *
 * - `explains`: the test's own error says so, or this mistake alone leads to it.
 * - `certain`: the mistake was made, but something else may have failed the test.
 * - `likely`: the traces fit the mistake, and could mean something else.
 */
export const weights = ["explains", "certain", "likely"] as const;

export type Weight = (typeof weights)[number];

/** A cause that was found. */
export interface Finding {
  /** One sentence without a full stop, which begins in lower case. */
  readonly sentence: string;
  /** What to do, as an imperative without a full stop. */
  readonly wayOut: string;
  readonly weight: Weight;
}

/** One way in which a test fails. It is declared once; the report and the page of causes follow from it. */
export interface Cause {
  /** Its name, which is its anchor in docs/guide/causes.md, too. */
  readonly name: string;
  /** What it looks at, in words. */
  readonly looksAt: string;
  /** The mistake and the way out, for the page of causes, in Markdown. */
  readonly explanation: string;
  readonly find: (clues: Clues) => Finding | undefined;
}
