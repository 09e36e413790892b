import type { Sample } from "./likeness.ts";
import { rows } from "./slots.ts";
import type { TemplateSlot } from "./slots.ts";

/** Values of rows by their ids. */
export type Values = Readonly<Record<string, unknown>>;

/** What a probe shows of one exchange. */
export interface ProbedSample extends Sample {
  readonly source: string;
  /** Whether the exchange differs yet. */
  readonly differs: boolean;
}

/** Returns how the probe of a slot is called. */
export function nameOf({ row, path }: TemplateSlot): string {
  return [row.id, ...path].join("/");
}

/** Leaves out the values that a world has anyway. */
export function withoutDefaults(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => {
      const row = rows.find((each) => each.id === id);
      return row === undefined || !isSame(value, row.value);
    }),
  );
}

/** Whether two values are the same JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
