import type { LearnedFlow } from "./chances.ts";

/** The threads of one search. They share what they learn and divide the stories. */
export interface Team {
  /** The number of this thread, from 0. */
  readonly index: number;
  readonly of: number;
  /** Tells the other threads what this one learned, and returns what all have learned, in any order. */
  readonly share: (learned: readonly LearnedFlow[]) => Promise<readonly LearnedFlow[]>;
}

/** A search in one thread. */
export const ALONE: Team = { index: 0, of: 1, share: (learned) => Promise.resolve(learned) };
