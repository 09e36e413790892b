import { CentavoError } from "../errors/centavo-error.ts";
import { refuseUnknownOptions } from "../errors/unknown-options.ts";
import { matches, matchesNothing } from "../faults/patterns.ts";
import type { Pattern } from "../faults/patterns.ts";

/** The fields by which a reader can be asked, each with the names that it takes. */
export type FilterNames = Readonly<Record<string, readonly string[]>>;

/** A filter by status. */
export type ByStatus<Status extends string> = { readonly status: readonly Status[] };

/** A filter: what is shown matches every field. In each, `*` stands for any text. */
export type Filter<Names extends FilterNames> = [keyof Names] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Field in keyof Names]?: Pattern<Names[Field][number]> | undefined };

/**
 * Reads a filter, and returns a function that says whether something matches it.
 * @param call the call that takes the filter, for the message
 * @throws {CentavoError} `INVALID_OPTION` for an unknown field, and for a name that nothing can have, with the nearest right one
 */
export function readFilter(call: string, filter: object, names: FilterNames): (item: object) => boolean {
  refuseUnknownOptions(call, filter, Object.keys(names));
  const wanted = Object.entries(filter).filter(([, pattern]) => pattern !== undefined) as [string, string][];
  for (const [field, pattern] of wanted) {
    const complaint = matchesNothing(field, pattern, names[field] ?? []);
    if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${call}: ${complaint}.`);
  }
  return (item) => wanted.every(([field, pattern]) => matches(pattern, Reflect.get(item, field) as string));
}
