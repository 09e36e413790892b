import { nearest } from "../base/errors/nearest.ts";
import { inWords } from "../base/errors/in-words.ts";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/**
 * The shape of a JSON document: a JSON value in which texts such as `"{message}"` stand for what the service fills in. A text that is one
 * placeholder becomes the value as it is, and its member is left out where the service has no such value. In a longer text, such as
 * `"Error: {message}"`, the value is written into the text. A list whose only item names a list of the service, such as
 * `[{ "field": "{errors.path}" }]`, has that item once for each. `{{` and `}}` are braces.
 */
export type Template = Json;

/** What a template can name. */
export interface Placeholders {
  /** Each has to stand somewhere in the template. */
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** The lists of the service by name, each with what its items hold. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
}

/** What the service fills in: values by the names of their placeholders, and lists of them. */
export interface Parts {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lists?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** What stands for nothing in a document, because the service has no such value. */
const absent = Symbol("absent");

/** A text, cut into literal words and the names of placeholders. */
type Piece = { readonly literal: string } | { readonly name: string };

/** Returns what is wrong with a template, and the way out; undefined where nothing is. */
export function templateComplaint(template: Template, known: Placeholders): string | undefined {
  const { required, optional = [], lists = {} } = known;
  const inLists = Object.entries(lists).flatMap(([list, names]) => names.map((name) => `${list}.${name}`));
  const names = [...required, ...optional, ...inLists];
  const seen = new Set<string>();
  const complaint = complaintIn(template, undefined);
  if (complaint !== undefined) return complaint;
  const missing = required.find((name) => !seen.has(name));
  return missing === undefined ? undefined : `"{${missing}}" stands nowhere in it; ${knownNames()}`;

  function complaintIn(part: Json, list: string | undefined): string | undefined {
    if (typeof part === "string") return complaintInText(part, list);
    if (typeof part !== "object" || part === null) return undefined;
    if (!isList(part)) return firstOf(Object.values(part), (member) => complaintIn(member, list));
    const repeated = listIn(part, lists);
    if (repeated === undefined) return firstOf(part, (item) => complaintIn(item, list));
    if (list !== undefined) return `the list of ${repeated} stands within the list of ${list}`;
    return complaintIn(part[0] as Json, repeated);
  }

  function complaintInText(text: string, list: string | undefined): string | undefined {
    const pieces = piecesOf(text);
    if (pieces === undefined)
      return `${inWords(text)} has a brace that neither begins nor ends the name of a placeholder; write {{ or }} for a brace`;
    return firstOf(pieces, (piece) => {
      if (!("name" in piece)) return undefined;
      const { name } = piece;
      if (!names.includes(name)) {
        const near = nearest(name, names);
        return `it has no placeholder "{${name}}"${near === undefined ? "" : `; the nearest is "{${near}}"`}; ${knownNames()}`;
      }
      const own = listOf(name);
      if (own !== undefined && own !== list)
        return `"{${name}}" has to stand in the only item of a list, which is repeated for each of the ${own}`;
      seen.add(name);
      return undefined;
    });
  }

  function listOf(name: string): string | undefined {
    return inLists.includes(name) ? name.slice(0, name.indexOf(".")) : undefined;
  }

  function knownNames(): string {
    return `its placeholders are ${names.map((name) => `"{${name}}"`).join(", ")}`;
  }
}

/** Fills a template that has no complaint. */
export function fill(template: Template, { values, lists = {} }: Parts, known: Placeholders): unknown {
  const filled = fillPart(template, values);
  return filled === absent ? undefined : filled;

  function fillPart(part: Json, own: Parts["values"]): unknown {
    if (typeof part === "string") return fillText(part, own);
    if (typeof part !== "object" || part === null) return part;
    if (isList(part)) return fillList(part, own).filter((item) => item !== absent);
    const members = Object.entries(part).map(([member, value]) => [member, fillPart(value, own)] as const);
    return Object.fromEntries(members.filter(([, value]) => value !== absent));
  }

  function fillList(part: readonly Json[], own: Parts["values"]): unknown[] {
    const list = listIn(part, known.lists);
    if (list === undefined) return part.map((item) => fillPart(item, own));
    return (lists[list] ?? []).map((item) => {
      const inItem = Object.entries(item).map(([name, value]): [string, unknown] => [`${list}.${name}`, value]);
      return fillPart(part[0] as Json, Object.fromEntries([...Object.entries(own), ...inItem]));
    });
  }
}

function fillText(text: string, values: Parts["values"]): unknown {
  const pieces = piecesOf(text) ?? [];
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1 && "name" in first) return values[first.name] ?? absent;
  return pieces.map((piece) => ("literal" in piece ? piece.literal : textOf(values[piece.name]))).join("");
}

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
    return (
      piece !== undefined &&
      more.length === 0 &&
      "name" in piece &&
      (optional.has(piece.name) || piece.name.includes("."))
    );
  }
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
    if (into.has(name)) return JSON.stringify(into.get(name)) === JSON.stringify(value);
    into.set(name, value);
    return true;
  }
}

/** Returns where a value ends that begins at a place of a text, and what is before that place if it ends nowhere. */
function endOfValue(text: string, at: number, next: Piece | undefined, isLast: boolean): number {
  if (next === undefined) return text.length;
  if ("name" in next) return at;
  return isLast ? text.length - next.literal.length : text.indexOf(next.literal, at);
}

/** Cuts a text at its placeholders. Returns undefined if a brace is neither that of a placeholder nor doubled. */
function piecesOf(text: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let literal = "";
  for (const [whole, name] of text.matchAll(/\{\{|\}\}|\{([\w.]+)\}|[{}]|[^{}]+/g)) {
    if (name !== undefined) {
      if (literal !== "") pieces.push({ literal });
      literal = "";
      pieces.push({ name });
    } else if (whole === "{" || whole === "}") return undefined;
    else literal += whole === "{{" || whole === "}}" ? whole.slice(1) : whole;
  }
  return literal === "" && pieces.length > 0 ? pieces : [...pieces, { literal }];
}

/** Returns the names of the placeholders in a template. */
function namesIn(part: Json): readonly string[] {
  if (typeof part === "string") return (piecesOf(part) ?? []).flatMap((piece) => ("name" in piece ? [piece.name] : []));
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(namesIn) : [];
}

/** Returns the name of the list of the service for each of whose items the only item of a list stands. */
function listIn(items: readonly Json[], lists: Placeholders["lists"] = {}): string | undefined {
  const [item] = items;
  if (item === undefined || items.length !== 1) return undefined;
  const names = new Set(namesIn(item));
  return Object.keys(lists).find((list) => lists[list]?.some((name) => names.has(`${list}.${name}`)));
}

function isList(part: object): part is readonly Json[] {
  return Array.isArray(part);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function firstOf<Item>(items: readonly Item[], complain: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const complaint = complain(item);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}
