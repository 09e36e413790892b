import type { Evidence } from "../evidence.ts";

/** How a law counts: not at all, or as a warning that does not fail the exam. */
export type LawSetting = "off" | "warn";

/** A breach of a law in one story. */
export interface Breach {
  /** What is wrong, in one sentence with its figures. */
  readonly what: string;
  /** The customer's id that it is about. */
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
  /** When it holds: at every moment, whenever nothing is due any more, or in the end, after all faults are gone. */
  readonly holds: "always" | "at rest" | "in the end";
  /** Returns why the evidence is not enough to judge it; undefined when it is. */
  readonly unjudged?: (evidence: Evidence) => string | undefined;
  /** Returns what keeps it from judging some cases; undefined when it judges all of them. */
  readonly leavesOut?: (evidence: Evidence) => string | undefined;
  readonly breaches: (evidence: Evidence) => readonly Breach[];
}

/** A rule by which every exam judges. */
export type LawOfTheExam = Law & Required<Pick<Law, "misunderstanding">>;
