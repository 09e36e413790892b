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
  /** What stands for an object or a list, and so has no form within a text. */
  readonly structures?: readonly string[];
}

/** What the service fills in: values by the names of their placeholders, and lists of them. */
export interface Parts {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lists?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** A text, cut into literal words and the names of placeholders. */
export type Piece = { readonly literal: string } | { readonly name: string };

/** Cuts a text at its placeholders. Returns undefined if a brace is neither that of a placeholder nor doubled. */
export function piecesOf(text: string): readonly Piece[] | undefined {
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
export function namesIn(part: Json): readonly string[] {
  if (typeof part === "string") return (piecesOf(part) ?? []).flatMap((piece) => ("name" in piece ? [piece.name] : []));
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(namesIn) : [];
}

/** Returns the name of the list of the service for each of whose items the only item of a list stands. */
export function listIn(items: readonly Json[], lists: Placeholders["lists"] = {}): string | undefined {
  const [item] = items;
  if (item === undefined || items.length !== 1) return undefined;
  const names = new Set(namesIn(item));
  return Object.keys(lists).find((list) => lists[list]?.some((name) => names.has(`${list}.${name}`)));
}

export function isList(part: object): part is readonly Json[] {
  return Array.isArray(part);
}
