import { isList, listIn, namesIn, piecesOf } from "./template.ts";
import type { Json, Parts, Piece, Placeholders, Template } from "./template.ts";

/**
 * Reads a document that a template may have shaped.
 * @returns what was filled in; undefined for a document of another shape
 */
export function match(template: Template, document: unknown, known: Placeholders): Parts | undefined {
  const values = new Map<string, unknown>();
  const lists = new Map<string, Readonly<Record<string, unknown>>[]>();
  const optional = new Set(known.optional);
  if (!matches(template, document, values)) return undefined;
  return { values: Object.fromEntries(values), lists: Object.fromEntries(lists) };

  function matches(part: Json, found: unknown, into: Map<string, unknown>): boolean {
    if (typeof part === "string") return matchesText(part, found, into);
    if (typeof part !== "object" || part === null) return part === found;
    if (typeof found !== "object" || found === null || Array.isArray(found) !== isList(part)) return false;
    if (isList(part)) return matchesList(part, found as readonly unknown[], into);
    return (
      Object.keys(found).every((member) => Object.hasOwn(part, member)) &&
      Object.entries(part).every(([member, value]) =>
        Object.hasOwn(found, member)
          ? matches(value, (found as Readonly<Record<string, unknown>>)[member], into)
          : typeof value === "string" && isOptional(value),
      )
    );
  }

  function matchesList(part: readonly Json[], found: readonly unknown[], into: Map<string, unknown>): boolean {
    const list = listIn(part, known.lists);
    if (list === undefined)
      return part.length === found.length && part.every((item, index) => matches(item, found[index], into));
    const items = found.map((item) => {
      const own = new Map(into);
      if (!matches(part[0] as Json, item, own)) return undefined;
      const prefix = `${list}.`;
      for (const [name, value] of own) if (!name.startsWith(prefix)) into.set(name, value);
      return Object.fromEntries(
        [...own].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]),
      );
    });
    if (items.includes(undefined)) return false;
    lists.set(list, items as Readonly<Record<string, unknown>>[]);
    return true;
  }

  function isOptional(text: string): boolean {
    const [piece, ...more] = piecesOf(text) ?? [];
    return piece !== undefined && more.length === 0 && "name" in piece && optional.has(piece.name);
  }
}

/** What a document holds of a template. */
export interface Gathered extends Parts {
  /** Whether everything that the template says literally is in the document. */
  readonly says: boolean;
}

/** Reads what it finds of a template's values in a document of any shape. Of a member that the template does not have, it says nothing. */
export function gather(
  template: Template,
  document: unknown,
  { lists: known = {} }: Pick<Placeholders, "lists">,
): Gathered {
  const lists = new Map<string, Readonly<Record<string, unknown>>[]>();
  const values = new Map<string, unknown>();
  const says = gatherFrom(template, document, values);
  return { says, values: Object.fromEntries(values), lists: Object.fromEntries(lists) };

  function gatherFrom(part: Json, found: unknown, into: Map<string, unknown>): boolean {
    if (typeof part === "string") return matchesText(part, found, into);
    if (typeof part !== "object" || part === null) return part === found;
    if (typeof found !== "object" || found === null || Array.isArray(found) !== isList(part)) return false;
    if (!isList(part)) {
      const members = Object.entries(part).map(([member, value]) =>
        Object.hasOwn(found, member)
          ? gatherFrom(value, (found as Record<string, unknown>)[member], into)
          : !isLiteral(value),
      );
      return members.every(Boolean);
    }
    const items = found as readonly unknown[];
    const list = listIn(part, known);
    if (list === undefined) return part.map((item, index) => gatherFrom(item, items[index], into)).every(Boolean);
    const prefix = `${list}.`;
    const read = items.map((item) => {
      const own = new Map<string, unknown>();
      return { says: gatherFrom(part[0] as Json, item, own), own };
    });
    lists.set(
      list,
      read.map(({ own }) =>
        Object.fromEntries(
          [...own].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
        ),
      ),
    );
    return read.every((item) => item.says);
  }
}

/** Whether a part of a template holds no placeholder. */
function isLiteral(part: Json): boolean {
  return namesIn(part).length === 0;
}

/** Takes the values of a text out of it: the last is as long as the text allows, the others as short as possible. */
function matchesText(text: string, found: unknown, into: Map<string, unknown>): boolean {
  const pieces = piecesOf(text) ?? [];
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1 && "name" in first) return isSameAs(first.name, found);
  if (typeof found !== "string") return false;
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if ("literal" in piece) {
      if (!found.startsWith(piece.literal, at)) return false;
      at += piece.literal.length;
      continue;
    }
    const next = pieces[index + 1];
    const end = endOfValue(found, at, next, index + 2 === pieces.length);
    if (end < at || !isSameAs(piece.name, found.slice(at, end))) return false;
    at = end;
  }
  return at === found.length;

  function isSameAs(name: string, value: unknown): boolean {
    // Within a text, a number is written as one.
    if (into.has(name)) return written(into.get(name)) === written(value);
    into.set(name, value);
    return true;
  }
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns where a value ends that begins at a place of a text, and what is before that place if it ends nowhere. */
function endOfValue(text: string, at: number, next: Piece | undefined, isLast: boolean): number {
  if (next === undefined) return text.length;
  if ("name" in next) return at;
  return isLast ? text.length - next.literal.length : text.indexOf(next.literal, at);
}
