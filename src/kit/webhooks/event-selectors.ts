import * as z from "zod/mini";
import { selector } from "../faults/declaration.ts";
import type { Occasion } from "../faults/declaration.ts";
import { name, text } from "../faults/fields.ts";
import { matches, matchesNothing } from "../faults/patterns.ts";

/** An event, or an attempt to deliver it, as selectors see it. */
export interface EventOccasion extends Occasion {
  readonly event: string;
  /** The event's own id and every id in its content. */
  readonly resources: readonly string[];
  readonly merchant: string;
}

/** What faults of events need to know about the service. */
export interface NotifyingService {
  readonly eventTypes: readonly string[];
  /** The fields with which every event body begins. */
  readonly eventFields: readonly string[];
}

const eventSelector = selector<EventOccasion, NotifyingService>();

/** Which webhook events a fault concerns; all by default. */
export const eventSelectors = {
  /** The type of an event; `*` stands for any text. */
  event: eventSelector({
    field: z.optional(text),
    otherNames: ["type", "eventType"],
    selects: (type, { event }) => matches(type, event),
    complaint: (type, { eventTypes }) => matchesNothing("event", type, eventTypes),
  }),
  /** The id of the event, or any id in its content. */
  resource: eventSelector({
    field: z.optional(name),
    selects: (resource, { resources }) => resources.includes(resource),
  }),
  /** The merchant to whom the event goes. */
  merchant: eventSelector({
    field: z.optional(name),
    otherNames: ["merchantId"],
    selects: (merchant, told) => merchant === told.merchant,
  }),
};
