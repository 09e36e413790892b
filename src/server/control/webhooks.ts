import * as z from "zod/mini";
import type { EventView, FailedDelivery } from "../../simulator/payment-service.ts";
import type { AttemptView } from "../../simulator/webhooks-reader.ts";
import { anObject, asIs } from "./as-is.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const event = asIs<EventView>({
  ...anObject,
  required: ["id", "type", "merchantId", "createdAt", "status", "body", "attempts"],
  properties: {
    id: { type: "string" },
    type: { type: "string" },
    merchantId: { type: "string" },
    createdAt: { type: "string", format: "date-time" },
    status: { type: "string" },
    url: { type: "string" },
    body: anObject,
    attempts: { type: "integer" },
    fault: { type: "string" },
  },
});
const attempt = asIs<AttemptView>({
  ...anObject,
  required: ["eventId", "number", "url", "at", "answer"],
  properties: {
    eventId: { type: "string" },
    number: { type: "integer" },
    url: { type: "string" },
    at: { type: "string", format: "date-time" },
    answeredAt: { type: "string", format: "date-time" },
    nextAt: { type: "string", format: "date-time" },
    answer: anObject,
  },
});
const failure = asIs<FailedDelivery>({
  ...anObject,
  required: ["eventId", "type", "status", "attempt", "message"],
  properties: {
    eventId: { type: "string" },
    type: { type: "string" },
    status: { type: "string" },
    attempt: anObject,
    message: { type: "string" },
  },
});

/** `sim.webhooks` */
export const webhookRoutes: readonly ControlRoute[] = [
  control({
    name: "webhooks.events",
    summary: "Lists the webhook events, oldest first. A `type` may be a pattern such as `payment_intent.*`",
    method: "GET",
    path: "/webhooks/events",
    query: z.object({ type: z.exactOptional(z.string()) }),
    data: z.object({ events: z.array(event) }),
    members: { "webhooks.events": { gives: "events" } },
    perform: ({ sim }, { query }) => ({ events: sim.webhooks.events(query as { readonly type?: "*" }) }),
  }),
  control({
    name: "webhooks.attempts",
    summary: "Lists the delivery attempts, oldest first",
    method: "GET",
    path: "/webhooks/attempts",
    query: z.object({ eventId: z.exactOptional(z.string()) }),
    data: z.object({ attempts: z.array(attempt) }),
    members: { "webhooks.attempts": { gives: "attempts" } },
    perform: ({ sim }, { query }) => ({ attempts: sim.webhooks.attempts(query) }),
  }),
  control({
    name: "webhooks.failures",
    summary: "Lists the events whose latest delivery failed, with the reason in words",
    method: "GET",
    path: "/webhooks/failures",
    data: z.object({ failures: z.array(failure) }),
    members: { "webhooks.failures": { gives: "failures" } },
    perform: ({ sim }) => ({ failures: sim.webhooks.failures() }),
  }),
  control({
    name: "webhooks.redeliver",
    summary: "Sends an event again when the clock next settles or moves",
    method: "POST",
    path: "/webhooks/events/{eventId}/redeliver",
    params: z.object({ eventId: z.string() }),
    members: { "webhooks.redeliver": { takes: ["eventId"] } },
    perform: ({ sim }, { params }) => sim.webhooks.redeliver(params.eventId),
  }),
];
