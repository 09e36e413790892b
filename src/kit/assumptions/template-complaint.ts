import { nearest } from "../base/errors/nearest.ts";
import { inWords } from "../base/errors/in-words.ts";
import { isList, listIn, piecesOf } from "./template.ts";
import type { Json, Placeholders, Template } from "./template.ts";

/** Returns what is wrong with a template, and the way out; undefined where nothing is. */
export function templateComplaint(template: Template, known: Placeholders): string | undefined {
  const { required, optional = [], lists = {}, structures = [] } = known;
  const whole = new Set([...structures, ...Object.keys(lists)]);
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
    if (repeated === undefined) return firstOf(part, (item) => complaintIn(item, list) ?? complaintInItem(item));
    if (list !== undefined) return `the list of ${repeated} stands within the list of ${list}`;
    return complaintIn(part[0] as Json, repeated);
  }

  /** A value that is left out would leave its place in the list to the next. */
  function complaintInItem(item: Json): string | undefined {
    const [piece, ...more] = typeof item === "string" ? (piecesOf(item) ?? []) : [];
    if (piece === undefined || !("name" in piece) || more.length > 0 || !optional.includes(piece.name))
      return undefined;
    return `"{${piece.name}}" may be missing, so it cannot be an item of a list; make it a member of an object`;
  }

  function complaintInText(text: string, list: string | undefined): string | undefined {
    const pieces = piecesOf(text);
    if (pieces === undefined)
      return `${inWords(text)} has a brace that neither begins nor ends the name of a placeholder; write {{ or }} for a brace`;
    return firstOf([...pieces.entries()], ([index, piece]) => {
      if (!("name" in piece)) return undefined;
      const { name } = piece;
      const before = pieces[index - 1];
      if (before !== undefined && "name" in before)
        return `nobody can tell where "{${before.name}}" ends and "{${name}}" begins in ${inWords(text)}; put a text between them`;
      if (pieces.length > 1 && whole.has(name))
        return `"{${name}}" is an object or a list, so it cannot stand within the longer text ${inWords(text)}`;
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

function inBraces(name: string): string {
  return `"{${name}}"`;
}

function firstOf<Item>(items: readonly Item[], complain: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const complaint = complain(item);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}
