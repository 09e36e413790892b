import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiDocument } from "../../src/simulator/openapi-document.ts";
import { root } from "./examples.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const { paths, components } = openApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: Body }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
interface Body {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** The section of the calls by HTTP, on the page of the resource. */
function sectionFor(path: string): string {
  const page = path.startsWith("/api/subscription") ? "subscriptions" : "payments";
  const text = readFileSync(join(root, `docs/guide/${page}.md`), "utf8");
  return text.split(/^## /m).find((section) => section.startsWith("The calls, by HTTP\n")) ?? "";
}

/** The names of all fields of a schema, those of its objects included. */
function fieldsOf({ $ref, properties = {} }: Schema): readonly string[] {
  if ($ref !== undefined) return fieldsOf(components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  return Object.entries(properties).flatMap(([name, schema]) => [name].concat(fieldsOf(schema)));
}

const bodies = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) => {
    const schema = requestBody?.content["application/json"]?.schema;
    return path.startsWith("/api/") && schema !== undefined ? [{ method, path, fields: fieldsOf(schema) }] : [];
  }),
);

test("the API has bodies, with their fields", () => {
  expect(bodies.length).toBeGreaterThan(7);
  for (const { fields } of bodies) expect(fields).not.toEqual([]);
});

test.for(bodies)("the guide shows $method $path with every field of its body", ({ path, fields }) => {
  const section = sectionFor(path);
  const [fixed = ""] = path.split("{");
  expect(section).toContain(fixed);
  expect(fields.filter((field) => !new RegExp(`\\b${field}"?[:,]|\`${field}\``).test(section))).toEqual([]);
});
