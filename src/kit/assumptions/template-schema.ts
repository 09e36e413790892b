import * as z from "zod/mini";
import { templateComplaint } from "./template-complaint.ts";
import type { Json, Placeholders, Template } from "./template.ts";

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
  );
}

function isJson(value: unknown, levels: number): value is Json {
  if (levels === 0) return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return value === null || ["string", "boolean"].includes(typeof value);
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((member) => isJson(member, levels - 1));
}
