/** One figure of the bench, with its comparison and its bound. */
export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  readonly value: number;
  /** The same of what it is compared with. */
  readonly beside?: number;
  /** How many times faster than that it is, or how many times its cost. */
  readonly ratio?: { readonly value: number; readonly means: "faster" | "the cost" };
  readonly bound?: Bound;
  /** Whether it is a time of waiting, such as that for a picture, which a faster processor would hardly shorten. */
  readonly isWait?: true;
}

/** The limits of a figure, and which of its numbers they are about. A rate is how many fit into a second. */
export interface Bound {
  readonly of: "value" | "ratio" | "rate";
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The number to aim for. */
  readonly goal?: number;
}

/** A size of the world, and what something costs in a world of this size. */
export type Point = readonly [size: number, value: number];

/** What one thing costs in worlds of growing size. */
export interface Curve {
  readonly what: string;
  readonly unit: Unit;
  readonly points: readonly Point[];
  /** What it is compared with. */
  readonly beside?: { readonly what: string; readonly points: readonly Point[] };
  /** The most that it may be, up to the largest size that the promise is about: in its unit, or as a multiple of its first point. */
  readonly bound?:
    | { readonly atMost: number; readonly goal?: number }
    | { readonly timesTheFirst: number; readonly upTo?: number };
}

/** The curves of one table. */
export interface Curves {
  /** What the sizes count, such as `Each intent, in a world of`. */
  readonly of: string;
  readonly curves: readonly Curve[];
}

/** Where the time of something goes: its stages, whose sum is the whole. */
export interface Breakdown {
  readonly what: string;
  readonly unit: Unit;
  readonly stages: readonly (readonly [stage: string, value: number])[];
}

/** The breakdowns of a part of the bench. */
export interface Breakdowns {
  readonly breakdowns: readonly Breakdown[];
}

/** What a part of the bench measures: a list of figures, curves over the size of the world, or where time goes. */
export type Measured = readonly Figure[] | Curves | Breakdowns;

export function isFigures(measured: Measured): measured is readonly Figure[] {
  return Array.isArray(measured);
}

export function isBreakdowns(measured: Measured): measured is Breakdowns {
  return "breakdowns" in measured;
}

export function isCurves(measured: Measured): measured is Curves {
  return "curves" in measured;
}

/** Returns what would have been measured on a machine so many times faster. */
export function onFasterMachine(measured: Measured, faster: number): Measured {
  const scaled = (points: readonly Point[]): Point[] => points.map(([size, value]) => [size, value / faster]);
  if (isCurves(measured))
    return {
      ...measured,
      curves: measured.curves.map((curve) =>
        isTime(curve.unit)
          ? {
              ...curve,
              points: scaled(curve.points),
              ...(curve.beside && { beside: { ...curve.beside, points: scaled(curve.beside.points) } }),
            }
          : curve,
      ),
    };
  if (isBreakdowns(measured))
    return {
      breakdowns: measured.breakdowns.map((each) =>
        isTime(each.unit) ? { ...each, stages: each.stages.map(([stage, value]) => [stage, value / faster]) } : each,
      ),
    };
  return measured.map((figure) =>
    isTime(figure.unit) && figure.isWait !== true
      ? {
          ...figure,
          value: figure.value / faster,
          ...(figure.beside !== undefined && { beside: figure.beside / faster }),
        }
      : figure,
  );
}

function isTime(unit: Unit): unit is keyof typeof aSecond {
  return unit in aSecond;
}

/** Returns whether a figure keeps its bound. */
export function keepsBound(figure: Figure): boolean {
  const { bound } = figure;
  if (bound === undefined) return true;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = bound;
  const bounded = { value: figure.value, ratio: figure.ratio?.value, rate: rateOf(figure) }[bound.of];
  return bounded !== undefined && bounded >= atLeast && bounded <= atMost;
}

/** Returns whether each point of a curve keeps its bound. */
export function staysBelowBound(curve: Curve): boolean {
  const most = mostOf(curve);
  return most === undefined || boundPointsOf(curve).every(([, value]) => value <= most);
}

/** Returns the largest size that a curve's bound is about. */
export function boundUpTo({ bound }: Curve): number {
  return bound !== undefined && "timesTheFirst" in bound ? (bound.upTo ?? Infinity) : Infinity;
}

function boundPointsOf(curve: Curve): readonly Point[] {
  return curve.points.filter(([size]) => size <= boundUpTo(curve));
}

/** Returns the most that a curve may be. */
export function mostOf({ points, bound }: Curve): number | undefined {
  if (bound === undefined) return undefined;
  return "atMost" in bound ? bound.atMost : bound.timesTheFirst * (points[0]?.[1] ?? 0);
}

/** Returns the cells of a figure's row, without its name: its number, what it is compared with, their ratio and the bound. */
export function cellsOf(figure: Figure): readonly [ours: string, beside: string, ratio: string, bound: string] {
  const { unit, value, beside, ratio, bound } = figure;
  const write = writeIn[unit];
  const rate = bound?.of === "rate" ? `, ${grouped(rateOf(figure) ?? 0)} a second` : "";
  return [
    write(value) + rate,
    beside === undefined ? "" : write(beside),
    ratio === undefined ? "" : `${times(ratio.value)} ${ratio.means}`,
    bound === undefined ? "" : boundInWords(bound, unit),
  ];
}

function boundInWords({ of, atLeast, atMost, goal }: Bound, unit: Unit): string {
  const write = { value: writeIn[unit], ratio: times, rate: (rate: number) => `${grouped(rate)} a second` }[of];
  return [
    ...(atLeast === undefined ? [] : [`at least ${write(atLeast)}`]),
    ...(atMost === undefined ? [] : [`at most ${write(atMost)}`]),
    ...(goal === undefined ? [] : [`goal ${write(goal)}`]),
  ].join(", ");
}

/** Returns a curve's bound in words, as a table has it. */
export function curveBoundInWords(curve: Curve): string {
  const { unit, points, bound } = curve;
  if (bound === undefined) return "";
  if ("timesTheFirst" in bound) {
    const growth = Math.max(...boundPointsOf(curve).map(([, value]) => value)) / (points[0]?.[1] ?? 0);
    const upTo = bound.upTo === undefined ? "" : ` up to ${grouped(bound.upTo)}`;
    return `at most ${bound.timesTheFirst}× the first${upTo}; ${times(growth)}`;
  }
  return boundInWords({ of: "value", ...bound }, unit);
}

function rateOf({ unit, value }: Figure): number | undefined {
  return isTime(unit) ? aSecond[unit] / value : undefined;
}

/** Formats a table in Markdown. All columns but the first are right-aligned. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function microseconds(value: number): string {
  return `${grouped(value, value < 10 ? 1 : 0)} µs`;
}

export function milliseconds(value: number): string {
  return `${grouped(value, value < 1 ? 3 : value < 100 ? 1 : 0)} ms`;
}

export function bytes(value: number): string {
  return `${grouped(value, 0)} B`;
}

function gibibytes(value: number): string {
  return `${grouped(value, 2)} GiB`;
}

export function times(value: number): string {
  return `${grouped(value, value < 10 ? 2 : 1)}×`;
}

export function grouped(value: number, decimals = 0): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  const thousands = whole.replaceAll(/\B(?=(\d{3})+$)/g, " ");
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

/** How many of a unit of time a second has. */
const aSecond = { µs: 1_000_000, ms: 1000 } as const;

/** How a number in each unit is written. */
export const writeIn = { µs: microseconds, ms: milliseconds, B: bytes, GiB: gibibytes, "×": times } as const;

export type Unit = keyof typeof writeIn;
