import * as z from "zod/mini";
import { templateComplaint } from "./template-complaint.ts";
import type { Json, Placeholders, Template } from "./template.ts";

/** A check that refuses nothing, and carries what a template can name: schemas with further checks keep it. */
interface Naming extends z.core.$ZodCheckDef {
  readonly placeholders: Placeholders;
}

/** How deep a template may be nested. */
const DEEPEST = 32;

/** Returns the schema of the templates that can name these placeholders. */
export function templateOf(known: Placeholders): z.ZodMiniType<Template> {
  const required = known.required.map((names) =>
    names
      .split("|")
      .map((name) => `"{${name}}"`)
      .join(" or "),
  );
  return z.custom<Template>().check(
    (payload) => {
      const complaint = isJson(payload.value, DEEPEST)
        ? templateComplaint(payload.value, known)
        : `it is not JSON of at most ${DEEPEST} levels`;
      if (complaint !== undefined)
        payload.issues.push({ code: "custom", message: complaint, input: payload.value, path: [] });
    },
    z.describe(`a template, which holds ${required.join(", ")}`),
    naming(known),
  );
}

/** Returns what the templates of a schema can name; undefined for any other schema. */
export function placeholdersOf(schema: z.ZodMiniType): Placeholders | undefined {
  const { checks = [] } = schema.def as { readonly checks?: readonly z.core.$ZodCheck[] };
  return checks.map(({ _zod }) => (_zod.def as Partial<Naming>).placeholders).find((known) => known !== undefined);
}

function naming(placeholders: Placeholders): z.core.$ZodCheck<Template> {
  const def: Naming = { check: "custom", placeholders };
  return { _zod: { def, check: () => undefined, onattach: [] } };
}

function isJson(value: unknown, levels: number): value is Json {
  if (levels === 0) return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return value === null || ["string", "boolean"].includes(typeof value);
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((member) => isJson(member, levels - 1));
}
