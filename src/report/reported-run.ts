import type { ReportedShake } from "./reported-shake.ts";
import type { ReportedVariations } from "./reported-variations.ts";
import type { Gap, Part as CoveredPart } from "../simulator/coverage-result.ts";

/** Who takes part in a run: the lanes of the sequence diagram, from left to right. */
export const lanes = ["customer", "merchant", "service", "receiver"] as const;

export type Lane = (typeof lanes)[number];

/** What something means for the money: it arrived, it did not, or it still may; `fault` marks what a test broke on purpose. */
export type Tone = "good" | "bad" | "pending" | "fault" | "plain";

/** The default currency. */
export const DEFAULT_CURRENCY = "PHP";

/** Headers or a body, without secrets. */
export interface Part {
  readonly title: string;
  /** Where a request went: its path, with its query. */
  readonly target?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** How many characters of the body were left out. */
  readonly cut?: number;
}

/** One entry of the journal. */
export interface Row {
  readonly sequence: number;
  /** The virtual time, as ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly who: string;
  readonly text: string;
  /** The text on its arrow. */
  readonly label: string;
  readonly from: Lane;
  /** The same lane when only one participant acts. */
  readonly to: Lane;
  readonly tone: Tone;
  /** The outcome, in a word or number, such as the status of the answer. */
  readonly result?: string;
  /** Whether other rows already say this. */
  readonly isMinor?: true;
  /** The resources that it concerns, as indexes. */
  readonly about: readonly number[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly parts: readonly Part[];
}

/** A heading of the story, or a note of its shop. */
export interface Aside {
  /** The sequence number of the row before it; 0 at the beginning. */
  readonly after: number;
  readonly kind: "step" | "note";
  readonly text: string;
}

export interface Move {
  readonly sequence: number;
  readonly at: string;
  readonly input: string;
  readonly from?: string;
  readonly to: string;
}

/** A resource with a lifecycle, and its path through it. */
export interface ReportedResource {
  readonly machine: string;
  readonly id: string;
  /** Its final state, and the word that merchants read for it. */
  readonly state: string;
  readonly status: string;
  readonly tone: Tone;
  readonly moves: readonly Move[];
  /** The amount is in the smallest unit of the currency. `every` is the interval of a subscription, such as `2 weeks`. */
  readonly price?: { readonly amount: number; readonly currency: string; readonly every?: string };
  /** Whether the price belongs to a payment. Other resources only repeat it. */
  readonly isPayment?: true;
  /** What is paid for; the plan of a subscription and its invoices. */
  readonly description?: string;
  /** What the merchant calls it, such as `order-1`. */
  readonly name?: string;
  readonly customer?: string;
}

export interface ReportedCause {
  readonly name: string;
  readonly sentence: string;
  readonly wayOut: string;
}

/** The money of one order or membership of a story. Amounts are in the smallest unit of the currency. */
export interface ReportedMoney {
  readonly id: string;
  readonly currency: string;
  /** The price that the customer accepted, or the sum of the invoices that are not void; undefined when neither is known. */
  readonly expected?: number;
  /** The sum of all its payments, whatever became of them, and their number. */
  readonly asked: number;
  readonly payments: number;
  /** The sum of the payments that succeeded. */
  readonly paid: number;
  /** What the merchant's books say; undefined when they have no such order. */
  readonly refunded?: number;
  /** Whether it belongs to the customer who comes after all troubles have ended. */
  readonly isLast?: true;
}

/** A broken law of an exam, and the story that shows it. */
export interface ReportedExam {
  readonly law: string;
  readonly sentence: string;
  readonly what: string;
  readonly story: readonly string[];
  readonly misunderstanding?: string;
  readonly remedy: string;
  /** The merchant and the service side by side. */
  readonly timeline: string;
  /** Other stories that break it. */
  readonly others: readonly string[];
  /** Absent when the story was not replayed. */
  readonly money?: readonly ReportedMoney[];
}

/** What a run, or a suite, saw of the service. */
export interface ReportedCoverage {
  readonly parts: Readonly<
    Record<
      CoveredPart,
      { readonly seen: readonly string[]; readonly neverTested: readonly string[]; readonly percent: number }
    >
  >;
  /** The kinds of resource that were never created. `neverTested` leaves out what concerns them alone. */
  readonly notUsed: readonly string[];
  /** What the diagram of each machine marks as visited: states, and moves with their inputs. */
  readonly visited: Readonly<Record<string, readonly string[]>>;
  /** How many journal entries were forgotten before they could be counted. */
  readonly forgotten: number;
}

/** Everything that the report shows of one run. For a suite, that is only its coverage. */
export interface ReportedRun {
  readonly title: string;
  /** Undefined when unknown. */
  readonly outcome?: "passed" | "failed";
  /** What the test threw. */
  readonly error?: string;
  readonly causes: readonly ReportedCause[];
  /** What is certain when no cause was found, and what to look at. */
  readonly nothingFound?: { readonly sentence: string; readonly lookAt?: string; readonly further?: string };
  readonly exam?: ReportedExam;
  readonly seed?: string;
  readonly digest?: string;
  /** The virtual time at which it ended, as ISO 8601. */
  readonly now?: string;
  /** The command that replays it. */
  readonly replay?: string;
  /** What the reader should know about missing parts. */
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
  readonly asides: readonly Aside[];
  readonly resources: readonly ReportedResource[];
  readonly pending: readonly {
    readonly at: string | undefined;
    readonly what: string;
    /** The resources that it concerns, as indexes. */
    readonly about: readonly number[];
  }[];
  readonly faults: readonly { readonly id: string; readonly what: string; readonly hits: number }[];
  readonly assumptions: readonly {
    readonly id: string;
    readonly question: string;
    readonly answer: string;
    /** Its value in this run; absent when it is fixed. */
    readonly value: string | undefined;
    readonly isChanged: boolean;
  }[];
  readonly coverage?: ReportedCoverage;
}

/** The report of a run in which nothing happened. */
export const nothingHappened = {
  causes: [],
  notes: [],
  rows: [],
  asides: [],
  resources: [],
  pending: [],
  faults: [],
  assumptions: [],
} as const satisfies Partial<ReportedRun>;

/** A part of the service, with everything in it. */
export interface ServicePart {
  readonly part: CoveredPart;
  readonly title: string;
  readonly all: readonly Gap[];
}

interface WithRuns {
  /** For each finding the index of its run in the document, or a sentence that says why it has none. */
  readonly runOfFinding: readonly (number | string)[];
}

/** A shake, and where the runs of its findings are. */
export interface ShakeWithRuns extends ReportedShake, WithRuns {}

/** A suite under other answers, and where the runs of its reliances are. */
export interface VariationsWithRuns extends ReportedVariations, WithRuns {}

export interface ReportedRuns {
  readonly version: string;
  /** What coverage is compared with; empty if no run has coverage. */
  readonly service: readonly ServicePart[];
  readonly runs: readonly ReportedRun[];
  /** Where the runs are those of a shake's findings. */
  readonly shake?: ShakeWithRuns;
  /** Where the runs are those of a suite under other answers. */
  readonly variations?: VariationsWithRuns;
}
