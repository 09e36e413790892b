import type { Json, Placeholders, Template } from "../kit/assumptions/template.ts";
import { isRecord } from "./differences.ts";
import type { Fills } from "./likeness.ts";

/** The member of a probe that holds the values. No service calls one so. */
const VALUES = "@centavo:values";
const LISTS = "@centavo:lists";
const SLOT = "@centavo:slot";

/** What a probe showed: of which slot it is, where it stood in a document, and what the world fills in there. */
export interface Probed {
  readonly slot: string;
  readonly path: readonly (string | number)[];
  readonly fills: Fills;
}

/**
 * Returns a template that writes down everything that the service could fill in, by name.
 * @param slot how what it shows is told from what other probes show
 */
export function probeOf(slot: string, { required, optional = [], lists = {} }: Placeholders): Template {
  const inLists = new Set(Object.entries(lists).flatMap(([list, names]) => names.map((name) => `${list}.${name}`)));
  const names = [...required.flatMap((one) => one.split("|")), ...optional].filter((name) => !inLists.has(name));
  return {
    [SLOT]: slot,
    [VALUES]: Object.fromEntries(names.map((name) => [name, `{${name}}`])),
    [LISTS]: Object.fromEntries(
      Object.entries(lists).map(([list, own]): [string, Json] => [
        list,
        [Object.fromEntries(own.map((name) => [name, `{${list}.${name}}`]))],
      ]),
    ),
  };
}

/** Returns what the outermost probes in a document show. */
export function probesIn(document: unknown, path: readonly (string | number)[] = []): readonly Probed[] {
  if (Array.isArray(document)) return document.flatMap((item, index) => probesIn(item, [...path, index]));
  if (!isRecord(document)) return [];
  const { [SLOT]: slot, [VALUES]: values, [LISTS]: lists } = document;
  if (typeof slot === "string" && isRecord(values) && isRecord(lists))
    return [{ slot, path, fills: { values, lists: lists as Fills["lists"] } }];
  return Object.entries(document).flatMap(([name, part]) => probesIn(part, [...path, name]));
}

/** Returns the part of a document at a path; undefined where it has none. */
export function partOfDocument(document: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (within, name) =>
      typeof within === "object" && within !== null && Object.hasOwn(within, name)
        ? (within as Readonly<Record<string | number, unknown>>)[name]
        : undefined,
    document,
  );
}
