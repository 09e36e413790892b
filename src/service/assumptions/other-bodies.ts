import * as z from "zod/mini";
import type { Template } from "../../kit/assumptions/template.ts";
import { isExpanded } from "../wire/parts.ts";

type Bodies = Readonly<Record<string, z.ZodMiniObject>>;

/** Returns likely other shapes of what routes answer: in snake case, and in the `attributes` of a resource. */
export function otherBodies(bodies: Bodies): readonly Readonly<Record<string, Template>>[] {
  return [inSnakeCase(bodies), inAttributes(bodies)];
}

/** Returns the bodies with the names of their members in snake case, as Stripe writes them. */
function inSnakeCase(bodies: Bodies): Readonly<Record<string, Template>> {
  return everyBody(bodies, (schema) =>
    written(schema, "", (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  );
}

/** Returns the bodies with all but their id in `attributes`, as JSON:API has it. */
function inAttributes(bodies: Bodies): Readonly<Record<string, Template>> {
  return everyBody(bodies, (schema) => {
    const { id, ...attributes } = written(schema, "", (name) => name) as Readonly<Record<string, Template>>;
    return id === undefined ? { attributes } : { id, attributes };
  });
}

function everyBody(bodies: Bodies, write: (schema: z.ZodMiniObject) => Template): Readonly<Record<string, Template>> {
  return Object.fromEntries(Object.entries(bodies).map(([route, schema]) => [route, write(schema)]));
}

/** Writes the template that says each member of a body, under another name. */
function written({ shape }: z.ZodMiniObject, within: string, rename: (name: string) => string): Template {
  const members = Object.entries(shape as Readonly<Record<string, z.ZodMiniType>>).map(([name, field]) => {
    const path = `${within}${name}`;
    if (isExpanded(field, path)) return [rename(name), written(field, `${path}.`, rename)] as const;
    const item = field instanceof z.ZodMiniArray ? field.def.element : undefined;
    if (within === "" && item instanceof z.ZodMiniObject)
      return [rename(name), [written(item, `${path}.`, rename)]] as const;
    return [rename(name), `{${path}}`] as const;
  });
  return Object.fromEntries(members);
}
