import { gapRank } from "./gap-rank.ts";
import { parts } from "../../simulator/coverage-result.ts";
import type { Coverage, CoverageScope, Gap, Part, PartCoverage } from "../../simulator/coverage-result.ts";
import { linesFor } from "./lines.ts";
import { isAbout, resources } from "./scope.ts";
import type { Seen } from "./seen.ts";
import { tableOf } from "./table.ts";
import { universe } from "./universe.ts";
import { sentenceOf } from "./words.ts";

/**
 * Compares what was seen with the whole service.
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

export function gapOf(part: Part, name: string): Gap {
  const lines = linesFor(part, name);
  return { part, name, what: sentenceOf(part, name), ...(lines === undefined ? {} : { lines }) };
}
