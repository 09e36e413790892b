import { isList, listIn, piecesOf } from "./template.ts";
import type { Json, Parts, Placeholders, Template } from "./template.ts";

/** What stands for nothing in a document, because the service has no such value. */
const absent = Symbol("absent");

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
    return "name" in first ? (values) => valueOf(values[first.name]) : () => first.literal;
  return (values) => pieces.map((piece) => ("literal" in piece ? piece.literal : textOf(values[piece.name]))).join("");
}

/** A null is a value, and stands in the document. */
function valueOf(value: unknown): unknown {
  return value === undefined ? absent : value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
