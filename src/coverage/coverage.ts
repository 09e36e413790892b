import type { Part } from "./happenings.ts";
import { parts } from "./happenings.ts";
import { linesFor } from "./lines.ts";
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
  /** What was never tested, in the order in which it is told. */
  readonly neverTested: readonly Gap[];
  /** How many journal entries were forgotten before they could be counted. */
  readonly forgotten: number;
  toString(): string;
}

/** Compares what was seen with everything that the service has. */
export function coverageOfSeen(seen: Seen, forgotten = 0): Coverage {
  const measured = Object.fromEntries(parts.map((part) => [part, measure(part, seen)])) as Record<Part, PartCoverage>;
  const coverage: Coverage = {
    ...measured,
    forgotten,
    get neverTested() {
      return TOLD_FIRST.flatMap((part) => measured[part].missing.map((name) => gapOf(part, name)));
    },
    toString: () => tableOf(coverage),
  };
  return Object.defineProperty(coverage, "toString", { enumerable: false });
}

/** What says most about a merchant is told first. */
const TOLD_FIRST: readonly Part[] = ["timeRules", "states", "events", "faults", "outcomes", "errors", "moves"];

function measure(part: Part, seen: Seen): PartCoverage {
  const names = universe[part];
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
