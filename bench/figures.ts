import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  cellsOf,
  curveBoundInWords,
  grouped,
  isBreakdowns,
  isCurves,
  isFigures,
  keepsBound,
  markdownTable,
  onFasterMachine,
  staysBelowBound,
  writeIn,
} from "./table.ts";
import type { Breakdown, Curves, Figure, Measured } from "./table.ts";

/** When and where a part of the bench was run, and what it measured. */
export interface Run {
  /** The day, such as `2026-11-22`. */
  readonly on: string;
  readonly node: string;
  readonly cores: number;
  /** How many times as long as on the machine of the goals the yardstick's work took meanwhile. */
  readonly slowness: number;
  /** The numbers of this machine, as they were measured. */
  readonly measured: Measured;
}

/** The last run of each part. */
export type Figures = Readonly<Record<string, Run>>;

export const figuresFile = join(import.meta.dirname, "figures.json");

export function readFigures(file = figuresFile): Figures {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Figures) : {};
}

/**
 * Writes runs over the last ones of the same parts.
 * @param order the names of all parts; the page has them in this order, and no others
 */
export function saveFigures(runs: Figures, order: readonly string[], file = figuresFile): void {
  const all = { ...readFigures(file), ...runs };
  const figures = Object.fromEntries(order.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

/**
 * Microseconds that the work of the yardstick takes on the machine of the goals. Nobody measured it there. But static answers of a server, which were
 * measured there, take 1.14 times as long on a machine on which this work takes 160 µs.
 */
const YARDSTICK = 140;

/** Returns how many times as long as on the machine of the goals the yardstick's work took. */
export function slownessOf(yardstick: number): number {
  return Number((yardstick / YARDSTICK).toFixed(2));
}

/** Returns what a run would have measured on the machine of the goals. */
export function onMachineOfGoals({ measured, slowness }: Run): Measured {
  return onFasterMachine(measured, slowness);
}

/** Returns how many bounds are broken. */
export function brokenIn(measured: readonly Measured[]): number {
  return measured
    .flatMap((each) =>
      isCurves(each) ? each.curves.map(staysBelowBound) : isFigures(each) ? each.map(keepsBound) : [],
    )
    .filter((isKept) => !isKept).length;
}

/** What was measured, as tables in Markdown. */
export interface Tables {
  /** All figures in one, if there are any. */
  readonly figures: string[];
  readonly breakdowns: string[];
  /** One for each group of curves. */
  readonly curves: string[];
}

export function tablesOf(measured: readonly Measured[]): Tables {
  const figures = measured.filter(isFigures).flat();
  return {
    figures: figures.length === 0 ? [] : [figureTable(figures)],
    breakdowns: measured.filter(isBreakdowns).flatMap((each) => each.breakdowns.map(breakdownTable)),
    curves: measured.filter(isCurves).map(curveTable),
  };
}

function breakdownTable({ what, unit, stages }: Breakdown): string {
  const write = writeIn[unit];
  const whole = stages.reduce((sum, [, value]) => sum + value, 0);
  const rows = stages.map(([stage, value]) => [stage, write(value), `${grouped((value / whole) * 100)} %`]);
  return markdownTable([what, "time", "share"], [...rows, ["the whole", write(whole), "100 %"]]);
}

function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const [ours, beside, ratio, bound] = cellsOf(figure);
    return [figure.what, ours, beside, ratio, boundCell(bound, keepsBound(figure))];
  });
  return markdownTable(["Measured", "Centavo", "compared with", "ratio", "bound"], rows);
}

function curveTable({ of, curves }: Curves): string {
  const sizes = [...new Set(curves.flatMap(({ points }) => points.map(([size]) => size)))].toSorted(
    (left, right) => left - right,
  );
  const rows = curves.flatMap((curve, index) => {
    const { what, unit, points, beside } = curve;
    const cells = (values: typeof points): string[] =>
      sizes.map((size) => {
        const value = values.find(([at]) => at === size)?.[1];
        return value === undefined ? "" : writeIn[unit](value);
      });
    const own = [what, ...cells(points), boundCell(curveBoundInWords(curve), staysBelowBound(curve))];
    // Curves that are compared with the same have it once, below the last of them.
    const isAsBelow = JSON.stringify(beside) === JSON.stringify(curves[index + 1]?.beside);
    return beside === undefined || isAsBelow
      ? [own]
      : [own, [`compared with: ${beside.what}`, ...cells(beside.points), ""]];
  });
  return markdownTable([of, ...sizes.map((size) => grouped(size)), "bound"], rows);
}

function boundCell(bound: string, isKept: boolean): string {
  return isKept ? bound : `**broken:** ${bound}`;
}
