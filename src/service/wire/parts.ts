import * as z from "zod/mini";
import type { Placeholders } from "../../kit/assumptions/template.ts";

/** Objects below this level stay whole. */
const DEEPEST_MEMBER = 2;

/**
 * Returns what a template of a body can name: the members of the body in the document by their paths, such as `contact.email`. An object
 * stands for all that it holds, and a list for its items, whose members have names such as `items.id`.
 * @param isLeftOut says which members of the body a template does not name
 */
export function partsOf(schema: z.ZodMiniObject, isLeftOut: (path: string) => boolean = () => false): Placeholders {
  const required: string[] = [];
  const optional: string[] = [];
  const lists: Record<string, readonly string[]> = {};
  const structures: string[] = [];
  add(schema, []);
  return { required, optional, lists, structures };

  function add({ shape }: z.ZodMiniObject, within: readonly string[]): void {
    for (const [name, field] of Object.entries(shape as Readonly<Record<string, z.ZodMiniType>>)) {
      const path = [...within, name];
      const whole = path.join(".");
      if (isLeftOut(whole) || field instanceof z.ZodMiniLiteral) continue;
      if (isStructure(field)) structures.push(whole);
      if (field instanceof z.ZodMiniOptional) optional.push(whole);
      else if (isExpanded(field, whole)) add(field, path);
      else if (field instanceof z.ZodMiniArray && field.def.element instanceof z.ZodMiniObject)
        addList(whole, field.def.element);
      // One of the objects that hold the member is enough.
      else required.push(path.map((_, index) => path.slice(0, index + 1).join(".")).join("|"));
    }
  }

  /** The list may stand whole, or each of its items in a shape of its own. */
  function addList(list: string, item: z.ZodMiniObject): void {
    const ofItem = partsOf(item);
    const names = [...ofItem.required.flatMap((one) => one.split("|")), ...(ofItem.optional ?? [])];
    lists[list] = [...new Set(names)];
    for (const one of ofItem.required)
      required.push([list, ...one.split("|").map((name) => `${list}.${name}`)].join("|"));
    optional.push(...(ofItem.optional ?? []).map((name) => `${list}.${name}`));
  }
}

function isStructure(field: z.ZodMiniType): boolean {
  if (field instanceof z.ZodMiniOptional) return isStructure(field.def.innerType as z.ZodMiniType);
  return [z.ZodMiniObject, z.ZodMiniArray, z.ZodMiniRecord].some((kind) => field instanceof kind);
}

/** Whether the members of a member have names of their own. An object that may be empty stays whole, so that it can be read back. */
export function isExpanded(field: z.ZodMiniType, path: string): field is z.ZodMiniObject {
  if (!(field instanceof z.ZodMiniObject) || path.split(".").length > DEEPEST_MEMBER) return false;
  return Object.values(field.shape).some((member) => !(member instanceof z.ZodMiniOptional));
}

/**
 * Returns the members of a body by their paths, each object beside what it holds: the values that the names of `partsOf` stand for.
 */
export function membersOf(body: object, within = "", depth = 0): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    members[within + name] = value;
    if (isRecord(value) && depth < DEEPEST_MEMBER)
      Object.assign(members, membersOf(value, `${within}${name}.`, depth + 1));
  }
  return members;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
