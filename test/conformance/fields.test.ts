import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { AnyRoute } from "../../src/kit/http/route.ts";
import { shapes } from "./fields.ts";
import { documented } from "./resources.ts";

interface Property {
  readonly type?: string;
  readonly anyOf?: readonly Property[];
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

interface Found {
  readonly path: string;
  readonly type: string | undefined;
  readonly required: boolean;
}

test("every body, query, answer and event of the resources has its table", () => {
  // A page or an address that the document does not have names its assumption in the place of a part.
  const routes = documented
    .flatMap((resource): readonly AnyRoute[] => resource.routes)
    .filter(({ source }) => /^\d/.test(source));
  const schemas = [
    ...routes.flatMap(({ name, query, body, data, plain }) =>
      Object.entries({ query, body, data, plain }).map(([what, schema]) => ({ name: `${name} ${what}`, schema })),
    ),
    ...documented.flatMap(({ name, events }) => ({ name: `${name} events`, schema: events?.schema })),
  ];
  const known = new Set<z.ZodMiniType>(shapes.map(({ schema }) => schema));
  const missing = schemas.filter(({ schema }) => schema !== undefined && !known.has(schema));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe.for(shapes)("the fields of: $title ($part)", ({ schema, fields }) => {
  const found = propertiesOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Property);

  test("are the fields of the schema, no more and no less", () => {
    expect(found.map(({ path }) => path).toSorted()).toEqual(fields.map(({ path }) => path).toSorted());
  });

  test.for(fields)("$path is of type $type", ({ path, type, required }) => {
    const property = found.find((candidate) => candidate.path === path);
    expect(property?.type?.replace("integer", "number")).toBe(type);
    expect(property?.required).toBe(required ?? property?.required);
  });
});

function propertiesOf({ properties = {}, required = [] }: Property, prefix = ""): Found[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const found: Found = {
      path: prefix + name,
      type: property.type ?? property.anyOf?.[0]?.type,
      required: required.includes(name),
    };
    return [found].concat(propertiesOf(property, `${prefix}${name}.`));
  });
}
