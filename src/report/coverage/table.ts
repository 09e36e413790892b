import type { Coverage, Gap } from "../../simulator/coverage-result.ts";
import { parts } from "../../simulator/coverage-result.ts";
import type { Part } from "../../simulator/coverage-result.ts";

export const TITLES: Readonly<Record<Part, string>> = {
  states: "States",
  moves: "Moves",
  events: "Events",
  errors: "Errors",
  faults: "Faults",
  outcomes: "Outcomes",
  timeRules: "Time rules",
};

const LINE = 100;
/** How many gaps are listed with their lines, and how many names a row of the table has. */
const MOST_TOLD = 5;
const MOST_NAMES = 4;

const YOUR_APP = "Let your own app make the payment or the membership, in place of make.… or client.….";

export interface TableOptions {
  /** Whether to list all gaps instead of the first few. */
  readonly all?: boolean;
}

/** Writes coverage as a table, followed by what was never tested and the lines that would test it. */
export function tableOf(coverage: Coverage, { all = false }: TableOptions = {}): string {
  const rows = parts.map((part) => {
    const { seen, missing, percent } = coverage[part];
    return [
      TITLES[part],
      `${seen.length} of ${seen.length + missing.length}`,
      `${percent} %`,
      namesIn(missing),
    ] as const;
  });
  const heads = ["", "seen", "", "never seen"] as const;
  const widths = [0, 1, 2].map((column) => Math.max(...[heads, ...rows].map((row) => (row[column] ?? "").length)));
  const lines = [heads, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return [
    ...lines,
    ...forgottenInWords(coverage),
    ...gapsInWords(coverage.neverTested, all),
    ...notUsedInWords(coverage),
  ].join("\n");
}

function namesIn(names: readonly string[]): string {
  const some = names.slice(0, MOST_NAMES);
  while (some.length > 1 && some.join(", ").length > LINE) some.pop();
  const left = names.length - some.length;
  return left === 0 ? some.join(", ") : `${some.join(", ")} and ${left} more`;
}

function forgottenInWords({ forgotten }: Coverage): string[] {
  if (forgotten === 0) return [];
  return [
    "",
    `The journal had forgotten ${forgotten} entries before they could be counted. Call sim.coverage() once at the beginning: from then on nothing is missed.`,
  ];
}

function notUsedInWords({ resources, notUsed }: Coverage): string[] {
  if (notUsed.length === 0) return [];
  const used = resources.filter((name) => !notUsed.includes(name));
  return [
    "",
    `Not used: ${notUsed.join(", ")}. Leave ${notUsed.length === 1 ? "it" : "them"} out of the count with only: ${JSON.stringify(used).replaceAll(",", ", ")}, or --only ${used.join(",")}.`,
  ];
}

function gapsInWords(gaps: readonly Gap[], all: boolean): string[] {
  const told = all ? gaps : firstOf(gaps);
  if (told.length === 0) return [];
  const left = gaps.length - told.length;
  return [
    "",
    "You never tested:",
    ...told.map(({ what, lines }) =>
      lines === undefined ? `- ${what}` : `- ${what}\n${lines.replaceAll(/^/gm, "    ")}`,
    ),
    ...(left === 0 ? [] : [`and ${left} more: see neverTested, or centavo coverage --all after a suite.`]),
    ...(told.some(({ lines = "" }) => /make\.|client\./.test(lines)) ? ["", YOUR_APP] : []),
  ];
}

/** Returns the first gaps that lines of a test reach, without repeating the same lines. */
function firstOf(gaps: readonly Gap[]): readonly Gap[] {
  const byLines = new Map(gaps.toReversed().map((gap) => [gap.lines, gap]));
  return gaps.filter((gap) => gap.lines !== undefined && byLines.get(gap.lines) === gap).slice(0, MOST_TOLD);
}
