import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { deliveryHeaders } from "../../kit/webhooks/delivery.ts";
import { checkoutEventTypes } from "../schemas/checkout.ts";
import { intentEventTypes } from "../schemas/payment-intents.ts";
import { eventBodies, eventShapeOf } from "../wire/event-parts.ts";
import { changesCheckoutEvents, changesIntentEvents } from "./departures.ts";
import { duration } from "./duration.ts";
import { philippineService, stripe } from "./other-services.ts";

const scheme = z.enum(["paymongo", "stripe", "standard-webhooks"]);

/** The headers of a delivery beside its signature, and those that belong to its connection. */
const DELIVERY_HEADERS = new Set([
  ...Object.keys(deliveryHeaders()),
  "webhook-id",
  "webhook-timestamp",
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Webhooks (part 6). */
export const webhookAssumptions = {
  "webhook.receiver": fixed(
    "Where an event goes",
    "The resource's `webhookUrl`, else the merchant's",
    "Whoever records gives both addresses, and cannot receive what goes elsewhere.",
  ),
  "webhook.event-id": fixed(
    "Name of the event id",
    "`id` at the top of the body, the same on every attempt",
    "The templates of events put their id wherever the real service has it (`webhook.checkout`, `webhook.intent`, `webhook.subscription`).",
  ),
  "webhook.checkout": choice(
    "Checkout events",
    "`checkout.` + processing, completed, failed, cancelled, expired; `types` names some otherwise, and the template `body` shapes all, with the members of the event (`event.id`, `event.type`, `event.createdAt`, or `event.created` in Unix seconds) and those of the body by their paths",
    eventShapeOf(checkoutEventTypes, eventBodies.checkout),
    {},
    {
      departs: { part: "6", when: changesCheckoutEvents },
      alternatives: [philippineService["webhook.checkout"], stripe["webhook.checkout"]],
    },
  ),
  "webhook.intent": choice(
    "Payment intent events",
    "`payment_intent.` + requires_action, processing, succeeded, failed, canceled; `types` and `body` as in `webhook.checkout`",
    eventShapeOf(intentEventTypes, eventBodies.payment_intent),
    {},
    {
      departs: { part: "6", when: changesIntentEvents },
      alternatives: [philippineService["webhook.intent"], stripe["webhook.intent"]],
    },
  ),
  "webhook.body": choice(
    "How the JSON is written",
    "Compact; `spaced` has other spacing, key order and escapes",
    z.enum(["compact", "spaced"]),
    "compact",
  ),
  "webhook.user-agent": choice(
    "`User-Agent` of a delivery",
    "`Centavo`, without a version",
    z
      .string()
      .check(
        z.refine(
          (agent) => /^[!-~](?:[ -~]{0,198}[!-~])?$/.test(agent),
          "a header takes 1 to 200 printable ASCII characters",
        ),
      ),
    "Centavo",
    { alternatives: ["Webhooks/1.0"] },
  ),
  "webhook.signature": choice(
    "Scheme and header of the signature",
    "`X-Webhook-Signature: t=…,te=…,li=`; `stripe` and `standard-webhooks` select those schemes, each with any header name",
    z.union([
      scheme,
      z.strictObject({
        scheme,
        header: z.string().check(
          z.regex(/^[A-Za-z0-9-]+$/),
          z.refine(
            (name) => !DELIVERY_HEADERS.has(name.toLowerCase()),
            "is another header of each delivery, or one of its connection",
          ),
        ),
      }),
    ]),
    "paymongo",
  ),
  "webhook.stamp": choice(
    "Which clock the signature's timestamp is from",
    "The receiver's, read at delivery; `virtual` takes the simulator's",
    z.enum(["receiver", "virtual"]),
    "receiver",
  ),
  "webhook.success": choice(
    "What counts as delivered",
    "Any 2xx, or 200 alone; 410 stops all retries of that event",
    z.enum(["any-2xx", "200-alone"]),
    "any-2xx",
  ),
  "webhook.timeout": choice(
    "How long an answer may take",
    "30 s of virtual time if a fault delays it; in real time, the option `receiverTimeout`",
    duration,
    "30 seconds",
    { alternatives: ["5 seconds", "1 minute"] },
  ),
  "webhook.retries": choice(
    "How often and when a delivery is retried",
    "12 times; retry n comes 2ⁿ s after the previous attempt. A list has the wait before each retry, and `[]` retries nothing. A `Retry-After` lengthens a wait, and never shortens it",
    z.union([z.int().check(z.minimum(0), z.maximum(24)), z.array(duration).check(z.maxLength(24))]),
    12,
    { alternatives: [3, 0, ["5 minutes", "1 hour", "12 hours"]] },
  ),
  "webhook.order": choice(
    "Order of deliveries",
    "One at a time, in the order of the events; a failed delivery does not hold back the next; with `concurrent`, deliveries begin in that order and overlap",
    z.enum(["sequential", "concurrent"]),
    "sequential",
  ),
} as const satisfies AssumptionTable;
