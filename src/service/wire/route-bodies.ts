import * as z from "zod/mini";
import { templateOf } from "../../kit/assumptions/template-schema.ts";
import type { Placeholders, Template } from "../../kit/assumptions/template.ts";
import type { Assumptions } from "../assumption-table.ts";
import { partsOf } from "./parts.ts";
import { rowsOfBodies } from "./shapes.ts";
import type { RouteBodies } from "./shapes.ts";

/** What a page tells beside its items. Whoever reads it can do without most of it. */
const OF_PAGE = new Set(["total", "limit", "offset", "hasMore"]);

/** Returns the schema of how the data of routes is written: a template for each, by the name of the route. */
export function bodiesOf<Route extends string>(schemas: Readonly<Record<Route, z.ZodMiniObject>>) {
  const templates = Object.entries<z.ZodMiniObject>(schemas).map(
    ([route, schema]) => [route, z.optional(templateOf(bodyParts(schema)))] as const,
  );
  const names = templates.map(([route]) => `\`${route}\``).join(", ");
  return z
    .strictObject(Object.fromEntries(templates) as Record<Route, z.ZodMiniOptional<z.ZodMiniType<Template>>>)
    .check(z.describe(`an object by route (${names}) of templates, which hold the members of the body`));
}

/** Returns what the data of an answer can say. */
export function bodyParts(schema: z.ZodMiniObject): Placeholders {
  const parts = partsOf(schema);
  if (!("total" in schema.shape && "hasMore" in schema.shape)) return parts;
  return {
    ...parts,
    required: [...parts.required.filter((name) => !OF_PAGE.has(name)), "hasMore|total"],
    optional: [...(parts.optional ?? []), ...OF_PAGE],
  };
}

/** Returns the template of a route's data; undefined where the data is written as the document has it. */
export function bodyTemplate(assumptions: Assumptions, route: string): Template | undefined {
  // The route says which rows it rests on, so that reading them here uses none.
  const { overrides } = assumptions;
  return rowsOfBodies.map((row): RouteBodies => overrides[row] ?? {}).find((bodies) => route in bodies)?.[route];
}
