/** What a suite can go through, by part of the service. */
export const parts = ["states", "moves", "events", "errors", "faults", "outcomes", "timeRules"] as const;

/** A part of the service that coverage counts. */
export type Part = (typeof parts)[number];

/** What of the service is counted. */
export interface CoverageScope {
  /** The kinds of resource that are counted: `payment_intent`, `checkout`, `subscription`, `invoice`; all by default. What is about none of them in particular, such as most faults, always is. */
  readonly only?: readonly string[];
}

/** What of one part of the service was seen. Names are those of the service, such as `subscription: active → past_due (payment_failed)`. */
export interface PartCoverage {
  readonly seen: readonly string[];
  readonly missing: readonly string[];
  /** How much was seen, in whole percent, rounded down: 100 means everything. */
  readonly percent: number;
}

/** Something that was never tested. */
export interface Gap {
  readonly part: Part;
  readonly name: string;
  /** What was never tested, in words: `a renewal that fails`. */
  readonly what: string;
  /** Lines of a test that reach it, with `sim`, `client`, `customer`, `make` and `app`, where there are any. */
  readonly lines?: string;
}

/** Which parts of the service a world or a suite went through, and which it never saw. As a string, a table. */
export interface Coverage extends Readonly<Record<Part, PartCoverage>> {
  /** The kinds of resource that are counted: all, or those that `only` names. */
  readonly resources: readonly string[];
  /** Those of them that were never made, although others were, and that `only` does not name. What is about them alone is not in `neverTested`. */
  readonly notUsed: readonly string[];
  /** What was never tested, what hurts most in production first. */
  readonly neverTested: readonly Gap[];
  /** How many journal entries were forgotten before they could be counted. */
  readonly forgotten: number;
  toString(): string;
}
