import { gapRank } from "./gap-rank.ts";
import type { Part } from "./happenings.ts";
import { parts } from "./happenings.ts";
import { linesFor } from "./lines.ts";
import { isAbout, resources } from "./scope.ts";
import type { CoverageScope } from "./scope.ts";
import type { Seen } from "./seen.ts";
import { tableOf } from "./table.ts";
import { universe } from "./universe.ts";
import { sentenceOf } from "./words.ts";

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

/**
 * Compares what was seen with everything that the service has.
 * @param forgotten how many journal entries could not be counted
 */
export function coverageOfSeen(seen: Seen, { only }: CoverageScope = {}, forgotten = 0): Coverage {
  const counted = only === undefined ? resources : resources.filter((name) => only.includes(name));
  const measured = Object.fromEntries(parts.map((part) => [part, measure(part, seen, counted)])) as Record<
    Part,
    PartCoverage
  >;
  const made = counted.filter((name) => measured.states.seen.some((state) => state.startsWith(`${name}: `)));
  const used = only === undefined && made.length > 0 ? made : counted;
  const coverage: Coverage = {
    ...measured,
    resources: counted,
    notUsed: counted.filter((name) => !used.includes(name)),
    forgotten,
    get neverTested() {
      return parts
        .flatMap((part) => measured[part].missing.map((name) => [part, name] as const))
        .filter(([part, name]) => isAbout(used, part, name))
        .toSorted((one, other) => gapRank(...one) - gapRank(...other))
        .map(([part, name]) => gapOf(part, name));
    },
    toString: () => tableOf(coverage),
  };
  return Object.defineProperty(coverage, "toString", { enumerable: false });
}

function measure(part: Part, seen: Seen, counted: readonly string[]): PartCoverage {
  const names = universe[part].filter((name) => isAbout(counted, part, name));
  const met = names.filter((name) => seen.has(part, name));
  return {
    seen: met,
    missing: names.filter((name) => !seen.has(part, name)),
    percent: Math.floor((100 * met.length) / names.length),
  };
}

/** Says what was never tested when this was not. */
export function gapOf(part: Part, name: string): Gap {
  const lines = linesFor(part, name);
  return { part, name, what: sentenceOf(part, name), ...(lines === undefined ? {} : { lines }) };
}
