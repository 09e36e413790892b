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

export interface Finding {
  /** One sentence, without a full stop and beginning in lower case. */
  readonly sentence: string;
  /** What to do, as an imperative without a full stop. */
  readonly wayOut: string;
  readonly weight: Weight;
}

/** One way for a test to fail. The report and the page of causes both follow from this declaration. */
export interface Cause {
  /** Its name, which is also its anchor in docs/guide/causes.md. */
  readonly name: string;
  /** What the search looks at, in words. */
  readonly looksAt: string;
  /** The mistake and the way out, for the page of causes, in Markdown. */
  readonly explanation: string;
  /** Whether it is looked for only where no cause before it in its subject fits. */
  readonly isLastResort?: true;
  readonly find: (clues: Clues) => Finding | undefined;
}
