import * as z from "zod/mini";
import { templateOf } from "../../kit/assumptions/template-schema.ts";
import type { Placeholders, Template } from "../../kit/assumptions/template.ts";
import { checkoutEvent } from "../schemas/checkout.ts";
import { intentEvent } from "../schemas/payment-intents.ts";
import { subscriptionEvent } from "../schemas/subscriptions.ts";
import { partsOf } from "./parts.ts";
import type { EventFamily } from "./shapes.ts";

/** The bodies of events in the document, by how their types begin. */
export const eventBodies = {
  checkout: checkoutEvent,
  payment_intent: intentEvent,
  subscription: subscriptionEvent,
} as const satisfies Record<EventFamily, z.ZodMiniObject>;

/** The members of an event's body that every event has (part 6). */
const OF_EVENT = new Set(["id", "type", "createdAt"]);

/** Returns the schema of how the events of a resource are written: of their types, and of their body. */
export function eventShapeOf<Type extends string>(types: readonly Type[], schema: z.ZodMiniObject) {
  return z.strictObject({
    types: z.optional(
      z
        .partialRecord(z.enum(types), z.string().check(z.minLength(1), z.maxLength(200)))
        .check(
          z.refine(
            (names) => isDistinct(types, names),
            "two events would have one type, and nobody could tell them apart",
          ),
        ),
    ),
    body: z.optional(
      templateOf(eventParts(schema)).check(z.refine(isObject, "it takes an object, as the body of a webhook is one")),
    ),
  });
}

/** Returns what the body of an event can say: the event's own members, and those of the body in the document by their paths. */
export function eventParts(schema: z.ZodMiniObject): Placeholders {
  const { required, optional = [] } = partsOf(schema, (path) => OF_EVENT.has(path));
  return { required: ["event.id", "event.type", "event.createdAt|event.created", ...required], optional };
}

function isDistinct(types: readonly string[], names: Readonly<Partial<Record<string, string>>>): boolean {
  return new Set(types.map((type) => names[type] ?? type)).size === types.length;
}

function isObject(template: Template): boolean {
  return typeof template === "object" && template !== null && !Array.isArray(template);
}
