import type { Evidence } from "../evidence.ts";

/** How a law counts: not at all, or as a warning that does not fail the exam. */
export type LawSetting = "off" | "warn";

/** What leads a merchant to break a law, and what to do instead. */
export interface Belief {
  /** The belief that most likely leads there. */
  readonly misunderstanding: string;
  /** How to keep the law. */
  readonly remedy: string;
}

/** A breach of a law in one story. It names a belief of its own where what happened shows another than the law names. */
export interface Breach extends Partial<Belief> {
  /** What is wrong, in one sentence with its figures. */
  readonly what: string;
  /** The id of the customer whom it is about. */
  readonly id?: string | undefined;
}

/** A rule that every merchant must keep. */
export interface Law {
  readonly name: string;
  /** The rule, in one sentence. */
  readonly sentence: string;
  /** The belief that most likely leads a merchant to break it. */
  readonly misunderstanding?: string;
  /** How to keep it. */
  readonly remedy: string;
  /** When it holds: at every moment, whenever nothing more is due, or at the end, after all faults have ended. */
  readonly holds: "always" | "at rest" | "in the end";
  /** Returns why the evidence is not enough to judge it; undefined when it is. */
  readonly unjudged?: (evidence: Evidence) => string | undefined;
  /** Returns why some cases cannot be judged; undefined when all can. */
  readonly leavesOut?: (evidence: Evidence) => string | undefined;
  /**
   * Returns whether a story had anything that the law judges, such as a refund. The verdict names a law that no story reached. Without this
   * function, every story that can be judged counts.
   */
  readonly reached?: (evidence: Evidence) => boolean;
  readonly breaches: (evidence: Evidence) => readonly Breach[];
}

/** A law that every exam judges by. */
export interface LawOfTheExam extends Law {
  readonly misunderstanding: string;
  readonly reached: (evidence: Evidence) => boolean;
  /** Other beliefs that lead merchants to break it. A breach names the one that fits. */
  readonly otherBeliefs?: readonly Belief[];
}
