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
  /** What a merchant who breaks it most likely believed. */
  readonly misunderstanding?: string;
  /** What a merchant does to keep it. */
  readonly remedy: string;
  /** From when on it holds: at every moment, when everything that was due has happened, or in the end, when all has healed. */
  readonly holds: "always" | "at rest" | "in the end";
  /** Returns why the facts do not suffice to judge it; undefined when they do. */
  readonly unjudged?: (evidence: Evidence) => string | undefined;
  /** Returns why it judges only a part, such as what the merchant would have to say; undefined when it judges everything. */
  readonly leavesOut?: (evidence: Evidence) => string | undefined;
  readonly breaches: (evidence: Evidence) => readonly Breach[];
}

/** A rule by which every exam judges. */
export type LawOfTheExam = Law & Required<Pick<Law, "misunderstanding">>;
