import type * as z from "zod/mini";
import type { checkoutEvent } from "./checkout/schema.ts";
import type { intentEvent } from "./payment-intents/schema.ts";
import type { subscriptionEvent } from "./subscriptions/schema.ts";

/** The bodies that a schema of events describes: one for each type. */
type BodiesOf<Schema extends z.ZodMiniType<{ readonly type: string }>> = {
  [Type in z.output<Schema>["type"]]: Readonly<Omit<z.output<Schema>, "type">> & { readonly type: Type };
}[z.output<Schema>["type"]];

/**
 * The body of an event. Its `type` says which other members it has.
 *
 * @example
 * const event = await verifyWebhook(request, webhookSecret);
 * if (event.type === "payment_intent.succeeded") console.log(event.data.attributes.amount);
 */
export type WebhookEvent =
  | BodiesOf<typeof intentEvent>
  | BodiesOf<typeof checkoutEvent>
  | BodiesOf<typeof subscriptionEvent>;

/** The type of an event. */
export type EventType = WebhookEvent["type"];
