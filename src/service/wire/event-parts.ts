import * as z from "zod/mini";
import { templateOf } from "../../kit/assumptions/template-schema.ts";
import type { Placeholders, Template } from "../../kit/assumptions/template.ts";
import { checkoutEvent } from "../schemas/checkout.ts";
import { intentEvent } from "../schemas/payment-intents.ts";
import { subscriptionEvent } from "../schemas/subscriptions.ts";
import type { EventFamily } from "./shapes.ts";

/** The bodies of events in the document, by how their types begin. */
export const eventBodies = {
  checkout: checkoutEvent,
  payment_intent: intentEvent,
  subscription: subscriptionEvent,
} as const satisfies Record<EventFamily, z.ZodMiniObject>;

/** The members of an event's body that every event has (part 6). */
const OF_EVENT = new Set(["id", "type", "createdAt"]);

/** Objects in `data.attributes` stay whole. */
const DEEPEST_MEMBER = 2;

/** Returns the schema of how the events of a resource are written: of their types, and of their body. */
export function eventShapeOf<Type extends string>(types: readonly Type[], schema: z.ZodMiniObject) {
  return z.strictObject({
    types: z.optional(z.partialRecord(z.enum(types), z.string().check(z.minLength(1), z.maxLength(200)))),
    body: z.optional(
      templateOf(eventParts(schema)).check(z.refine(isObject, "it takes an object, as the body of a webhook is one")),
    ),
  });
}

/**
 * Returns what the body of an event can say: the event's own members, and those of the body in the document by their paths, such as
 * `data.attributes.amount`. An object stands for all that it holds.
 */
export function eventParts(schema: z.ZodMiniObject): Placeholders {
  const required = ["event.id", "event.type", "event.createdAt|event.created"];
  const optional: string[] = [];
  add(schema, []);
  return { required, optional };

  function add({ shape }: z.ZodMiniObject, within: readonly string[]): void {
    for (const [name, field] of Object.entries(shape as Readonly<Record<string, z.ZodMiniType>>)) {
      const path = [...within, name];
      const isOfEvent = within.length === 0 && OF_EVENT.has(name);
      if (isOfEvent || field instanceof z.ZodMiniLiteral) continue;
      if (field instanceof z.ZodMiniOptional) optional.push(path.join("."));
      else if (field instanceof z.ZodMiniObject && path.length <= DEEPEST_MEMBER) add(field, path);
      // One of the objects that hold the member is enough.
      else required.push(path.map((_, index) => path.slice(0, index + 1).join(".")).join("|"));
    }
  }
}

function isObject(template: Template): boolean {
  return typeof template === "object" && template !== null && !Array.isArray(template);
}
