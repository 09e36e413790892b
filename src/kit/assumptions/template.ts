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
  /** Each has to stand somewhere in the template. Of several names between bars, such as `code|problems.code`, one is enough. */
  readonly required: readonly string[];
  /** What a document may lack, also in the items of lists. */
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
  const names = [...new Set([...required.flatMap((one) => one.split("|")), ...optional, ...inLists])];
  const seen = new Set<string>();
  const complaint = complaintIn(template, undefined);
  if (complaint !== undefined) return complaint;
  const missing = required.find((one) => !one.split("|").some((name) => seen.has(name)));
  if (missing === undefined) return undefined;
  return `${missing.split("|").map(inBraces).join(" or ")} has to stand somewhere in it; ${knownNames()}`;

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
    return `its placeholders are ${names.map(inBraces).join(", ")}`;
  }
}

/** Returns the function that fills a template without a complaint. */
export function filling(
  template: Template,
  { lists = {} }: Pick<Placeholders, "lists"> = {},
): (parts: Parts) => unknown {
  const filled = fillingOf(template, lists);
  return (parts) => {
    const document = filled(parts.values, parts.lists ?? {});
    return document === absent ? undefined : document;
  };
}

type Filling = (values: Parts["values"], items: NonNullable<Parts["lists"]>) => unknown;

function fillingOf(part: Json, lists: NonNullable<Placeholders["lists"]>): Filling {
  if (typeof part === "string") return fillingOfText(part);
  if (typeof part !== "object" || part === null) return () => part;
  if (isList(part)) return fillingOfList(part, lists);
  const members = Object.entries(part).map(([member, value]) => [member, fillingOf(value, lists)] as const);
  return (values, items) => {
    const filled = members.map(([member, fill]) => [member, fill(values, items)] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== absent));
  };
}

function fillingOfList(part: readonly Json[], lists: NonNullable<Placeholders["lists"]>): Filling {
  const list = listIn(part, lists);
  const [each = () => absent, ...others] = part.map((item) => fillingOf(item, lists));
  if (list === undefined)
    return (values, items) => [each, ...others].map((fill) => fill(values, items)).filter((item) => item !== absent);
  return (values, items) =>
    (items[list] ?? []).map((item) => {
      const named = Object.entries(item).map(([name, value]): [string, unknown] => [`${list}.${name}`, value]);
      return each({ ...values, ...Object.fromEntries(named) }, items);
    });
}

function fillingOfText(text: string): Filling {
  const pieces = piecesOf(text) ?? [];
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1)
    return "name" in first ? (values) => values[first.name] ?? absent : () => first.literal;
  return (values) => pieces.map((piece) => ("literal" in piece ? piece.literal : textOf(values[piece.name]))).join("");
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

/** What a part of a template is, for what describes its documents. */
export type TemplatePart =
  | { readonly is: "placeholder"; readonly name: string }
  | { readonly is: "text" | "value"; readonly value: Json }
  | { readonly is: "object"; readonly members: readonly (readonly [name: string, part: Json])[] }
  | { readonly is: "list" | "repeated"; readonly items: readonly Json[] };

/** Returns what a part of a template is: `repeated` is a list whose only item stands for each item of a list of the service. */
export function partOf(part: Json, { lists }: Pick<Placeholders, "lists">): TemplatePart {
  if (typeof part === "string") {
    const [piece, ...more] = piecesOf(part) ?? [];
    if (piece !== undefined && "name" in piece && more.length === 0) return { is: "placeholder", name: piece.name };
    const isLiteral = piece === undefined || ("literal" in piece && more.length === 0);
    return isLiteral ? { is: "value", value: piece?.literal ?? "" } : { is: "text", value: part };
  }
  if (typeof part !== "object" || part === null) return { is: "value", value: part };
  if (!isList(part)) return { is: "object", members: Object.entries(part) };
  return { is: listIn(part, lists) === undefined ? "list" : "repeated", items: part };
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

function inBraces(name: string): string {
  return `"{${name}}"`;
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
