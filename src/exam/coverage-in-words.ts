import { pointKinds } from "../troubles/point.ts";
import type { PointKind } from "../troubles/point.ts";
import type { TriedInExam } from "./tried.ts";
import { troubles } from "./troubles/troubles.ts";
import { declaredErrors, unseenOf } from "./unseen.ts";
import type { SeenOfResource } from "./unseen.ts";

const PLACES = Object.entries(pointKinds) as [PointKind, string][];

/** A number of strikes; `never`: planned but never struck; `not yet`: no story has planned it. */
type Cell = number | "never" | "not yet";
type Row = readonly [place: string, cells: ReadonlyMap<string, Cell>];

/**
 * Summarises what was tried and seen.
 * @param missingActs the acts that the merchant did not give
 */
export function coverageInShort(coverage: TriedInExam, missingActs: readonly string[]): readonly string[] {
  const { flows, flowsNotPlayed } = coverage;
  const played = Object.keys(flows).length;
  return [
    // The names of flows hold commas.
    `Flows of customers: ${played} of ${played + flowsNotPlayed.length} played.${flowsNotPlayed.length === 0 ? "" : ` Not played: ${flowsNotPlayed.join("; ")}.`}`,
    ...inColumns([
      ["What went wrong", "places", "struck", "never struck", "not tried yet"],
      ...PLACES.flatMap(([kind, title]) => {
        const rows = rowsOf(coverage, kind);
        const cells = rows.flatMap(([, row]) => [...row.values()]);
        if (rows.length === 0) return [];
        const numbers = [
          rows.length,
          cells.filter((cell) => typeof cell === "number").length,
          cells.filter((cell) => cell === "never").length,
          cells.filter((cell) => cell === "not yet").length,
        ];
        return [[`  at ${title}`, ...numbers.map(String)]];
      }),
    ]),
    ...seenInShort(coverage, missingActs),
  ];
}

/** Says which parts of the service the stories met, and which they missed. */
function seenInShort(coverage: TriedInExam, missingActs: readonly string[]): readonly string[] {
  const { resources, notBegun, events, errors } = unseenOf(coverage);
  const declared = declaredErrors(coverage).length;
  const sent = Object.keys(coverage.events).length;
  return [
    ...resources.map(resourceInWords),
    ...[...Map.groupBy(Object.entries(notBegun), ([, act]) => act)].map(([act, each]) => {
      const names = each.map(([resource]) => resource).join(", ");
      if (act === undefined) return `No story met ${names}.`;
      return `No story met ${names}${missingActs.includes(act) ? `: give the act ${act}` : `, although the act ${act} is given`}.`;
    }),
    `Events: ${sent} ${sent === 1 ? "type was" : "types were"} sent${listed(", but never ", events)}.`,
    ...(declared === 0
      ? []
      : [
          `Errors: the service answered ${declared - errors.length} of the ${declared} that the called routes declare.`,
        ]),
  ];
}

function resourceInWords({ resource, states, moves, statesNotSeen, movesNotSeen }: SeenOfResource): string {
  if (statesNotSeen.length === 0 && movesNotSeen.length === 0)
    return `Met of ${resource}: all ${states} states and all ${moves} moves.`;
  const met = statesNotSeen.length === 0 ? `all ${states}` : `${states - statesNotSeen.length} of ${states}`;
  return `Met of ${resource}: ${met} states, but never ${[...statesNotSeen, ...movesNotSeen].join(", ")}.`;
}

/** Returns tables of what went wrong where: a row for each place, a column for each kind of trouble. */
export function coverageTable(coverage: TriedInExam): string {
  const { flows, flowsNotPlayed } = coverage;
  return [
    ...inColumns([
      ["Flows of customers", "played"],
      ...Object.entries(flows).map(([name, times]) => [`  ${name}`, String(times)]),
      ...flowsNotPlayed.map((name) => [`  ${name}`, "·"]),
    ]),
    ...PLACES.flatMap(([kind, title]) => tableOf(kind, title, rowsOf(coverage, kind))),
    "",
    "A number says how often the trouble struck. – means planned but never struck, · not tried yet, and a blank that it cannot happen there.",
    "",
    ...seenInFull(coverage),
  ].join("\n");
}

function tableOf(kind: PointKind, title: string, rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return [];
  const columns = troubles.filter(({ at, name }) => at === kind && rows.some(([, cells]) => cells.has(name)));
  return [
    "",
    `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    ...columns.map(({ name }, index) => `  ${String(index + 1).padStart(2)} ${name}`),
    ...inColumns([
      ["", ...columns.map((_, index) => String(index + 1))],
      ...rows.map(([place, cells]) => [
        `  ${place.slice(kind.length + 1) || kind}`,
        ...columns.map(({ name }) => written(cells.get(name))),
      ]),
    ]),
  ];
}

function seenInFull(coverage: TriedInExam): readonly string[] {
  const table = (title: string, counts: Readonly<Record<string, number>>, not: readonly string[]): string[] => [
    ...inColumns([
      [title, "times"],
      ...Object.entries(counts)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, times]) => [`  ${name}`, String(times)]),
      ...not.map((name) => [`  ${name}`, "never"]),
    ]),
  ];
  const { resources, events, errors } = unseenOf(coverage);
  const moves = resources.flatMap(({ resource, statesNotSeen, movesNotSeen }) =>
    [...statesNotSeen, ...movesNotSeen].map((each) => `${resource}: ${each}`),
  );
  return [
    ...table("States and moves of the service", coverage.moves, moves),
    "",
    ...table("Events that were sent", coverage.events, events),
    "",
    ...table("Errors that the service answered", coverage.errors, errors),
  ];
}

function written(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  return typeof cell === "number" ? String(cell) : cell === "never" ? "–" : "·";
}

/** Returns how often each trouble struck, for each place of one kind. */
function rowsOf({ troubles: struck, neverStruck, notTried }: TriedInExam, kind: PointKind): readonly Row[] {
  const places = new Set([struck, neverStruck, notTried].flatMap((each) => Object.keys(each)));
  return [...places]
    .filter((place) => place === kind || place.startsWith(`${kind} `))
    .toSorted()
    .map((place) => [
      place,
      new Map<string, Cell>([
        ...(notTried[place] ?? []).map((name) => [name, "not yet"] as const),
        ...(neverStruck[place] ?? []).map((name) => [name, "never"] as const),
        ...Object.entries(struck[place] ?? {}),
      ]),
    ]);
}

/** Aligns rows: the first column to the left, the others to the right. */
function inColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function listed(before: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${before}${names.join(", ")}`;
}
