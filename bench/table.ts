/** One figure of the bench, with its comparison and its bound. */
export interface Figure {
  readonly what: string;
  readonly ours: string;
  /** The figure that tells a slower commit from a faster one: the more, the slower. Without it commits are not compared by this figure. */
  readonly cost?: number;
  readonly beside?: string;
  readonly ratio?: string;
  readonly bound?: string;
  readonly kept: boolean;
}

/** A size of the world, and what something costs in a world of this size. */
export type Point = readonly [size: number, value: number];

/** What one thing costs in worlds of growing size. */
export interface Curve {
  readonly what: string;
  readonly unit: keyof typeof writeIn;
  readonly points: readonly Point[];
  /** What it is compared with. */
  readonly beside?: { readonly what: string; readonly points: readonly Point[] };
  /** The most that it may be anywhere, and how the table says so. */
  readonly bound?: { readonly atMost: number; readonly inWords: string };
  readonly kept: boolean;
}

/** The curves of one table. */
export interface Curves {
  /** What the sizes count, such as `Each intent, in a world of`. */
  readonly of: string;
  readonly curves: readonly Curve[];
}

/** What a part of the bench measures: a list of figures, or curves over the size of the world. */
export type Measured = readonly Figure[] | Curves;

export function isCurves(measured: Measured): measured is Curves {
  return "curves" in measured;
}

/** The limits of a figure. */
export interface Bound {
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The value to aim for. */
  readonly goal?: number;
}

export function keeps(
  value: number,
  { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Bound,
): boolean {
  return value >= atLeast && value <= atMost;
}

export function boundInWords({ atLeast, atMost, goal }: Bound): string {
  const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return goal === undefined ? bound : `${bound}, goal ${goal}`;
}

/** Returns a curve of which each point has a bound. */
export function boundedCurve(what: string, unit: Curve["unit"], points: readonly Point[], atMost?: number): Curve {
  if (atMost === undefined) return { what, unit, points, kept: true };
  const bound = { atMost, inWords: `at most ${writeIn[unit](atMost)}` };
  return { what, unit, points, bound, kept: points.every(([, value]) => value <= atMost) };
}

/** Returns a curve that may rise to this many times its first point at most. */
export function flatCurve(what: string, unit: Curve["unit"], points: readonly Point[], mostGrowth: number): Curve {
  const atMost = (points[0]?.[1] ?? 0) * mostGrowth;
  const growth = Math.max(...points.map(([, value]) => value)) / (points[0]?.[1] ?? 0);
  const bound = { atMost, inWords: `at most ${mostGrowth}× the first; ${times(growth)}` };
  return { what, unit, points, bound, kept: growth <= mostGrowth };
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

export function times(value: number): string {
  return `${grouped(value, value < 10 ? 2 : 1)}×`;
}

export function grouped(value: number, decimals = 0): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  const thousands = whole.replaceAll(/\B(?=(\d{3})+$)/g, " ");
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

/** How a number in each unit is written. */
export const writeIn = { µs: microseconds, ms: milliseconds, B: bytes } as const;
