import { z } from "zod";
import { durationMilliseconds, parseInstant } from "../engine/duration.ts";
import type { DurationLike } from "../engine/duration.ts";

/** A century in milliseconds. What is longer could lead past the last moment that a date can hold, once it bites. */
const LONGEST = durationMilliseconds("36500 days");

/** A length of virtual time, as JSON can hold it: `"40 s"`, `{ minutes: 5 }`. */
const duration = z
  .union([z.string(), z.record(z.string(), z.number())], {
    error: 'write it as "40 s", "3 days" or { minutes: 5 }; a bare number has no unit',
  })
  .superRefine((given, context) => {
    try {
      if (durationMilliseconds(given) > LONGEST) context.addIssue({ code: "custom", message: "at most 36500 days" });
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  })
  .transform((given): DurationLike => given);

/** A moment of virtual time, as JSON can hold it. */
const instant = z
  .union([z.string(), z.number()], {
    error: 'write it as "2026-03-01T00:00:00Z" or in milliseconds since 1970, as JSON holds it',
  })
  .superRefine((given, context) => {
    try {
      parseInstant(given);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  });

const json = z.json();
/** What HTTP can carry, because an answer that cannot be made would look like a defect of the service. */
const headerValue = z.string().regex(/^[\t\x20-\x7e]*$/, "a header's value is printable ASCII");
const headers = z.record(z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, "this is no header's name"), headerValue);
const errorStatus = z.int().min(400).max(599);

/** How often and when a fault bites, whatever it is. */
const recurrence = {
  /** The name under which the journal speaks of it; `fault_1`, `fault_2` … by default. */
  id: z.string().min(1).max(100).optional(),
  /** Bites so often at most; always by default. */
  times: z.int().min(1).optional(),
  /** Lets so many occasions pass first. */
  after: z.int().min(0).optional(),
  /** Bites on this occasion alone, counted from 1. */
  nth: z.int().min(1).optional(),
  /** How likely it bites on an occasion, from 0 to 1, drawn from a random stream of its own. */
  probability: z.number().min(0).max(1).optional(),
  /** The first moment of virtual time at which it bites. */
  from: instant.optional(),
  /** The first moment of virtual time at which it bites no more. */
  until: instant.optional(),
};

const merchant = z.string().min(1).optional();
const resource = z.string().min(1).optional();
const paymentMethod = z.string().min(1).optional();

/** Which calls of the service a fault concerns; all by default. */
const calls = {
  ...recurrence,
  /** The name of a route, such as `payment-intent.confirm`. */
  route: z.string().optional(),
  method: z.enum(["GET", "POST", "PATCH", "DELETE"]).optional(),
  /** A path below the base URL; `*` stands for any text. */
  path: z.string().startsWith("/").optional(),
  /** An id or session token in the call's path or body. */
  resource,
  /** The id of the merchant who calls. */
  merchant,
  /** The payment method that the call's body names. */
  paymentMethod,
};

/** Which charges a fault concerns; all by default. */
const charges = {
  ...recurrence,
  /** The id of the payment intent, transaction, checkout session, invoice or subscription, an `externalId`, or a session token. */
  resource,
  merchant,
  /** The method's id, its behaviour as a test method, or its kind: `pm_card_approved`, `card`. */
  paymentMethod,
  /** Whether the customer is there, as at a first payment, or not, as at a renewal. */
  customer: z.enum(["present", "absent"]).optional(),
};

/** Which webhook events a fault concerns; all by default. */
const events = {
  ...recurrence,
  /** The type of an event; `*` stands for any text: `subscription.*`. */
  event: z.string().optional(),
  /** The id of what the event is about: an intent, subscription, invoice, or a session token. */
  resource,
  /** The merchant who is told. */
  merchant,
};

/** Something that goes wrong between the merchant's call and the service, or on the way back. */
export const callFault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("request.status"),
    ...calls,
    status: errorStatus,
    body: json.optional(),
    headers: headers.optional(),
  }),
  z.strictObject({ kind: z.literal("request.malformed"), ...calls, body: z.string().optional() }),
  z.strictObject({ kind: z.literal("request.refused"), ...calls }),
  z.strictObject({ kind: z.literal("request.reset"), ...calls }),
  z.strictObject({ kind: z.literal("request.hang"), ...calls }),
  z.strictObject({ kind: z.literal("request.latency"), ...calls, delay: duration }),
  z.strictObject({ kind: z.literal("response.lost"), ...calls, as: z.enum(["reset", "hang"]).optional() }),
  z.strictObject({
    kind: z.literal("response.status"),
    ...calls,
    status: errorStatus,
    body: json.optional(),
    headers: headers.optional(),
  }),
  z.strictObject({ kind: z.literal("response.truncated"), ...calls, keep: z.int().min(0).optional() }),
  z.strictObject({
    kind: z.literal("response.content-type"),
    ...calls,
    contentType: headerValue.optional(),
    body: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("response.late"), ...calls, delay: duration }),
]);

/**
 * Something that goes wrong where payments are decided. The occasion is the charge: the call that confirms an intent or processes a
 * session, a renewal, a retry. Of the faults that bite, the first decides the answer, and the first how long it takes.
 */
export const processorFault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("processor.decline"),
    ...charges,
    code: z.string(),
    /** Whether the call itself is answered with the decline, before any challenge, instead of the payment being declined later. */
    synchronous: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal("processor.unavailable"), ...charges }),
  z.strictObject({ kind: z.literal("processor.stuck"), ...charges }),
  z.strictObject({ kind: z.literal("processor.late"), ...charges, delay: duration }),
]);

/**
 * Something that goes wrong while a merchant is told of an event. The occasion of the first group is an event that happens and has a
 * receiver; of the others each attempt to deliver one, retries too. `docs/webhook-faults.md` says what the merchant sees of each.
 */
export const webhookFault = z.discriminatedUnion("kind", [
  // What becomes of the event.
  z.strictObject({ kind: z.literal("webhook.drop"), ...events }),
  z.strictObject({ kind: z.literal("webhook.delay"), ...events, delay: duration }),
  z.strictObject({
    kind: z.literal("webhook.duplicate"),
    ...events,
    /** How often it comes again; once by default. */
    copies: z.int().min(1).max(100).optional(),
    /** How long after the one before; at once by default. */
    delay: duration.optional(),
  }),
  z.strictObject({ kind: z.literal("webhook.new-id"), ...events, delay: duration.optional() }),
  z.strictObject({
    kind: z.literal("webhook.reorder"),
    ...events,
    /** How long events are held back, from the first on. */
    within: duration,
    order: z.enum(["reversed", "shuffled"]).optional(),
  }),
  z.strictObject({ kind: z.literal("webhook.burst"), ...events, within: duration }),
  z.strictObject({ kind: z.literal("webhook.interleave"), ...events, within: duration }),
  z.strictObject({ kind: z.literal("webhook.extra-fields"), ...events, fields: z.record(z.string(), json).optional() }),
  z.strictObject({ kind: z.literal("webhook.unknown-type"), ...events, type: z.string().min(1).optional() }),
  z.strictObject({ kind: z.literal("webhook.unknown-object"), ...events }),
  // What is wrong with one attempt to deliver it.
  z.strictObject({ kind: z.literal("webhook.corrupt-body"), ...events, body: z.string().optional() }),
  z.strictObject({ kind: z.literal("webhook.wrong-secret"), ...events }),
  z.strictObject({ kind: z.literal("webhook.stale-timestamp"), ...events, age: duration.optional() }),
  z.strictObject({ kind: z.literal("webhook.other-mode"), ...events }),
  // What becomes of the attempt, or of the merchant's answer to it.
  z.strictObject({ kind: z.literal("webhook.refused"), ...events }),
  z.strictObject({ kind: z.literal("webhook.slow"), ...events, delay: duration }),
  z.strictObject({ kind: z.literal("webhook.answer-lost"), ...events }),
  z.strictObject({
    kind: z.literal("webhook.answer"),
    ...events,
    status: z.int().min(200).max(599),
    headers: headers.optional(),
    /** Whether the merchant's app gets the event before this answer takes the place of its own; it does by default. */
    reaches: z.boolean().optional(),
  }),
]);

/**
 * The service's clock goes wrong against the merchant's. The occasion is a stamp that the merchant may check: that of one attempt to
 * deliver a webhook, and `iat` and `exp` of one access token. The service's own checks go by its own clock.
 */
export const clockFault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("clock.skew"),
    ...recurrence,
    merchant,
    /** Which stamps are wrong: those of webhook signatures, or the times of access tokens; both by default. */
    stamp: z.enum(["webhook", "token"]).optional(),
    by: duration,
    /** Whether the service is ahead of the merchant, which is the default, or behind. */
    direction: z.enum(["ahead", "behind"]).optional(),
  }),
]);

/** Any fault, as `sim.faults.add` takes it: plain JSON. */
export const fault = z.discriminatedUnion("kind", [callFault, processorFault, webhookFault, clockFault]);

/** What can go wrong on purpose, and when: plain JSON that can be kept in a file. */
export type Fault = z.input<typeof fault>;
