import type { ReportedShake, ShakenTestInWords } from "./reported-shake.ts";

/** A test that fails where the service answers a question otherwise. */
export interface ReportedDependent extends ShakenTestInWords {
  /** The other answer: a value of the assumption. */
  readonly under: unknown;
  /** What the test says about its failure. */
  readonly what: string;
  readonly token: string;
  /** The command that gives this answer in this test alone. */
  readonly command: string;
}

/** An answer of the service that tests rely on. */
export interface ReportedReliance {
  /** The assumption, such as `http.error-status`. */
  readonly id: string;
  readonly question: string;
  /** Its value in the suite. */
  readonly value: unknown;
  /** What of the value the tests rely on, such as `402 for declines`, where that is not all of it. */
  readonly part?: string;
  /** The part of the service's document that says so; absent where the document is silent. */
  readonly document?: string;
  /** Who relies on what, in one sentence. */
  readonly sentence: string;
  /** Where the assumption is described. */
  readonly page: string;
  /** Whether the baseline accepts it. */
  readonly isAccepted: boolean;
  /** Each test stands once for each other answer under which it fails. */
  readonly tests: readonly ReportedDependent[];
}

/** Everything that `centavo shake --vary` tells. Words, JSON and the page show the same. */
export interface ReportedVariations extends Pick<
  ReportedShake,
  "suite" | "tests" | "runs" | "firstExit" | "left" | "leftOut" | "failedAlready"
> {
  /** What to ask the provider first comes first: what the document does not say, and what most tests rely on. */
  readonly reliances: readonly ReportedReliance[];
  /** The assumptions all of whose other values were tried, and on which no test relies. */
  readonly free: readonly string[];
  /** The assumptions whose values the suite sets itself, each with the number of its tests that do. They are known, so they are not varied. */
  readonly decided: readonly { readonly id: string; readonly tests: number }[];
  /** The assumptions that the tests rest on and that take no other value. */
  readonly fixed: readonly string[];
  readonly untried: readonly {
    /** Completes the sentence "It was not tried, because …". */
    readonly why: string;
    /** How many variations, each counted in each test. */
    readonly count: number;
    readonly tests: readonly ShakenTestInWords[];
  }[];
}

/** Says in a few words what came of a suite under other answers. */
export function titleOfVariations({ reliances, tests }: ReportedVariations): string {
  const of = `${tests} test${tests === 1 ? "" : "s"}`;
  if (reliances.length === 0) return `${of}, and no reliance on an open answer`;
  return `${of}, and ${reliances.length} answer${reliances.length === 1 ? "" : "s"} that tests rely on`;
}
