/** One figure of the bench, with its comparison and its bound. */
export interface Figure {
  readonly what: string;
  readonly ours: string;
  readonly beside?: string;
  readonly ratio?: string;
  readonly bound?: string;
  readonly kept: boolean;
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
