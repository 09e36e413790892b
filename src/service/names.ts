import type * as z from "zod/mini";
import { eventSchemasIn, faultFamiliesIn, routeNamesIn } from "../kit/declaration/define-service.ts";
import { paymentService } from "./service.ts";

// The compiler writes the types of these out in the declarations of the package, so that they name no other part of the service.
export const routeNames = routeNamesIn(paymentService.resources);
export const eventSchemas = eventSchemasIn(paymentService.resources);
export const resourceFaults = faultFamiliesIn(paymentService.resources);

/** The name of a route: its `operationId` in the OpenAPI document. */
export type RouteName = (typeof routeNames)[number];

/** The bodies that a schema of events describes: one for each type. */
type BodiesOf<Schema> =
  Schema extends z.ZodMiniType<{ readonly type: string }>
    ? {
        [Type in z.output<Schema>["type"]]: Readonly<Omit<z.output<Schema>, "type">> & { readonly type: Type };
      }[z.output<Schema>["type"]]
    : never;

/**
 * The body of an event. Its `type` says which other members it has.
 *
 * @example
 * const event = await verifyWebhook(request, webhookSecret);
 * if (event.type === "payment_intent.succeeded") console.log(event.data.attributes.amount);
 */
export type WebhookEvent = BodiesOf<(typeof eventSchemas)[number]>;

/** The type of an event. */
export type EventType = WebhookEvent["type"];
