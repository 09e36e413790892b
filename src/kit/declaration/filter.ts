import { CentavoError } from "../base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../base/errors/unknown-options.ts";
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
 * Reads one field of a filter, and returns the names that it matches; undefined for a filter without that field.
 * @param call the call that takes the filter, for the message
 * @throws {CentavoError} `INVALID_OPTION` for an unknown field or name, suggesting the nearest known one
 */
export function namesWanted(call: string, filter: object, names: FilterNames): string[] | undefined {
  refuseUnknownOptions(call, filter, Object.keys(names));
  const [field = "", known = []] = Object.entries(names)[0] ?? [];
  const pattern = Reflect.get(filter, field) as string | undefined;
  if (pattern === undefined) return undefined;
  const complaint = matchesNothing(field, pattern, known);
  if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${call}: ${complaint}.`);
  return known.filter((name) => matches(pattern, name));
}
