/** A test of a suite that is shaken. */
export interface ShakenTestInWords {
  /** Absent where the runner does not tell it. */
  readonly file?: string;
  readonly test: string;
}

/** One test in which a trouble did harm. */
export interface ReportedHarm extends ShakenTestInWords {
  /** What happened, in sentences. */
  readonly what: readonly string[];
  /** Whether the test itself failed. */
  readonly isNoticed: boolean;
  readonly token: string;
  /** The command that makes this trouble alone. */
  readonly command: string;
}

/** One or more troubles that did the same harm. */
export interface ReportedFinding {
  /** Money was taken, the merchant misbehaved, or a test failed that has to pass. */
  readonly kind: "money" | "conduct" | "test";
  /** What went wrong, in one sentence. */
  readonly sentence: string;
  /** The method and path of the call that it struck. */
  readonly at?: string;
  /** What did the same harm, each in one sentence. */
  readonly also: readonly string[];
  /** What it did, in a few words, such as `charged twice, ₱998.00 for order-1 (money taken, test green)`. */
  readonly brief: string;
  /** What customers lost, in centavos. */
  readonly amount: number;
  /** The law of the exam that the merchant breaks, and the page about it. */
  readonly law: string;
  readonly page: string;
  readonly misunderstanding: string;
  readonly remedy: string;
  /** Whether the baseline accepts it. */
  readonly isAccepted: boolean;
  readonly tests: readonly ReportedHarm[];
}

/** Something that the service said otherwise, and that no test noticed. */
export interface ReportedBlindSpot {
  /** What nobody would notice, in one sentence. */
  readonly sentence: string;
  /** What went wrong, in one sentence. */
  readonly trouble: string;
  /** The method and path of the call. */
  readonly at?: string;
  /** The lines of a test that close it. */
  readonly lines: readonly string[];
  /** Whether the baseline accepts it. */
  readonly isAccepted: boolean;
  /** The tests that stayed green. */
  readonly tests: readonly (ShakenTestInWords & { readonly token: string; readonly command: string })[];
}

/** What some troubles have in common, and the tests in which they were made. */
export interface ReportedGroup {
  /** How many troubles, each counted in each test. */
  readonly count: number;
  /** The troubles, each in one sentence. */
  readonly troubles: readonly string[];
  readonly tests: readonly ShakenTestInWords[];
}

/** Troubles that say nothing about the merchant. */
export interface ReportedReason extends ReportedGroup {
  /** Completes a sentence such as "It was not tried, because …". */
  readonly why: string;
}

/** Everything that a shake tells. Words, JSON and the page show the same. */
export interface ReportedShake {
  /** The command of the suite. */
  readonly suite: string;
  /** How many tests took part, and how many runs there were after the first. */
  readonly tests: number;
  readonly runs: number;
  /** The exit code of the first run, where it is not 0 although no test that took part failed. */
  readonly firstExit?: number;
  /** The worst first. */
  readonly findings: readonly ReportedFinding[];
  /** What no test noticed, the dearest first, and how many such places some test guards; absent unless it was asked for. */
  readonly blindSpots?: { readonly open: readonly ReportedBlindSpot[]; readonly closed: number };
  readonly borne: {
    readonly count: number;
    readonly tests: number;
    /** By kind, such as `lost-answers`, as `--only` takes it. */
    readonly kinds: readonly (Pick<ReportedGroup, "count" | "troubles"> & {
      readonly kind: string;
      readonly tests: number;
    })[];
  };
  /** What made a test fail that may fail then. */
  readonly noticed: ReportedGroup;
  readonly countsOnIt: readonly ReportedReason[];
  readonly untried: readonly ReportedReason[];
  /** How many troubles no run was left for. */
  readonly left: number;
  /** How many calls the tests make themselves, such as through the part `client`. Nothing goes wrong in them. */
  readonly ownCalls: number;
  /** The tests of which nobody can say what a trouble does in them, or only in part of them. */
  readonly leftOut: readonly {
    /** Completes the sentence "They are left out, because …", or "They are shaken only in part, because …". */
    readonly why: string;
    /** Whether they are shaken up to some moment. */
    readonly isInPart: boolean;
    readonly tests: readonly ShakenTestInWords[];
  }[];
  /** The tests that fail when nothing goes wrong, each with the first line of its error. */
  readonly failedAlready: readonly (ShakenTestInWords & { readonly message: string })[];
}

/** Says in a few words what came of a shake. */
export function titleOfShake({ findings, tests }: ReportedShake): string {
  const [count, of] = [findings.length, `${tests} test${tests === 1 ? "" : "s"}`];
  if (count === 0) return `The shake of ${of} has no finding`;
  return `The shake of ${of} has ${count} finding${count === 1 ? "" : "s"}`;
}
