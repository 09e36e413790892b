import * as fc from "fast-check";
import type { JsonSchema } from "../../src/kit/declaration/description.ts";

type Schemas = Readonly<Record<string, JsonSchema>>;

const anything = fc.jsonValue({ maxDepth: 2 });

/** Returns values that a schema of the document's requests accepts, but for what `anyOf` says of a whole object. */
export function arbitraryOf(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  const {
    $ref,
    anyOf,
    enum: words,
    type,
  } = schema as {
    readonly $ref?: string;
    readonly anyOf?: readonly JsonSchema[];
    readonly enum?: readonly unknown[];
    readonly type?: string | readonly string[];
  };
  if ($ref !== undefined) return arbitraryOf(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas);
  if ("const" in schema) return fc.constant(schema["const"]);
  if (words !== undefined) return fc.constantFrom(...words);
  if (type === "object") return objectOf(schema, schemas);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((option) => arbitraryOf(option, schemas)));
  if (type === "string") return textOf(schema);
  if (type === "boolean") return fc.boolean();
  if (type === "number") return fc.integer({ min: 0, max: 2 ** 40 }).map((hundredths) => hundredths / 100);
  if (type === "integer") {
    const { minimum = 0, maximum = 2 ** 40 } = schema as { readonly minimum?: number; readonly maximum?: number };
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) }),
      fc.constantFrom(minimum, maximum),
    );
  }
  return anything;
}

function objectOf(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    maxProperties,
  } = schema as {
    readonly properties?: Schemas;
    readonly required?: readonly string[];
    readonly maxProperties?: number;
  };
  if (maxProperties !== undefined)
    return fc.dictionary(fc.string(), fc.oneof(anything, fc.string({ minLength: 495, maxLength: 505 })), {
      maxKeys: maxProperties,
    });
  const fields = Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property, schemas)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

function textOf({ pattern, minLength = 0, maxLength = 1000, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === "date")
    return fc
      .date({ min: new Date(0), max: new Date(2 ** 42), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === "date-time")
    return fc.date({ min: new Date(0), max: new Date(2 ** 42), noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof pattern === "string" && pattern.includes(":"))
    return fc.webUrl({ withQueryParameters: true, withFragments: true });
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  const bounds = { minLength: minLength as number, maxLength: Math.min(maxLength as number, 20) };
  const longest = fc.constantFrom("x", "₱", "😀").map((character) => character.repeat(maxLength as number));
  return fc.oneof({ weight: 9, arbitrary: fc.string({ ...bounds, unit: "binary" }) }, longest);
}

/** Spoils objects: leaves a field out, adds one, or replaces one, in the object or in one that it holds. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    anything,
    fc.constantFrom<unknown>("", "x".repeat(1001), "😀".repeat(1001), 0, -1, 1.5, 2 ** 53, {}, [], null),
    fc.constantFrom(
      "card",
      "ftp://shop.example",
      "https://a:b@shop.example",
      "https://shop.example/a b",
      " https://shop.example",
      "https:shop",
      "shop",
    ),
  );
  return fc.tuple(valid, fc.nat(), fc.nat(2), wrong).map(([value, at, how, other]) => spoil(value, at, how, other));
}

function spoil(value: unknown, at: number, how: number, other: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return how === 0 ? value : other;
  const names = Object.keys(value);
  const name = names[at % Math.max(names.length, 1)];
  if (name === undefined) return how === 0 ? other : value;
  const { [name]: field, ...rest } = value as Record<string, unknown>;
  if (how === 0) return rest;
  return { ...rest, [name]: how === 1 ? other : spoil(field, Math.floor(at / 7), 1, other) };
}
