import { z } from "zod";
import { durationMilliseconds, parseInstant } from "../engine/duration.ts";
import type { DurationLike } from "../engine/duration.ts";

/** A century in milliseconds. What is longer could lead past the last moment that a date can hold, once it bites. */
const LONGEST = durationMilliseconds("36500 days");

/** A length of virtual time, as JSON can hold it: `"40 s"`, `{ minutes: 5 }`. */
const durationFrom = (least: 0 | 1) =>
  z
    .union([z.string(), z.record(z.string(), z.number())], {
      error: 'write it as "40 s", "3 days" or { minutes: 5 }; a bare number has no unit',
    })
    .superRefine((given, context) => {
      try {
        const milliseconds = durationMilliseconds(given);
        if (milliseconds > LONGEST) context.addIssue({ code: "custom", message: "at most 36500 days" });
        if (milliseconds < least)
          context.addIssue({ code: "custom", message: 'no time does nothing; "1 ms" is the least' });
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      }
    })
    .transform((given): DurationLike => given);
const duration = durationFrom(1);
/** Where no time at all means at once. */
const pause = durationFrom(0);

const HOW_TO_WRITE_A_MOMENT = 'write it as "2026-03-01T00:00:00Z" or in milliseconds since 1970, as JSON holds it';
/** A moment of virtual time, as JSON can hold it. */
const instant = z.union([z.string(), z.number()], { error: HOW_TO_WRITE_A_MOMENT }).superRefine((given, context) => {
  try {
    parseInstant(given);
  } catch {
    context.addIssue({ code: "custom", message: HOW_TO_WRITE_A_MOMENT });
  }
});

const json = z.json("it takes JSON");
const text = z.string("it takes text");
const name = text.min(1, "it takes text that is not empty");
const yesOrNo = z.boolean("it takes true or false");

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `it takes ${words.map((word) => `"${word}"`).join(" or ")}`);
}

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `it takes a whole number from ${least} ${most === Number.MAX_SAFE_INTEGER ? "on" : `to ${most}`}`;
  return z.int(error).min(least, error).max(most, error);
}

/** What HTTP can carry, because an answer that cannot be made would look like a defect of the service. */
const headerValue = text.regex(/^[\t\x20-\x7e]*$/, "a header's value is printable ASCII");
const headers = z.record(
  z
    .string()
    .regex(/^[!#$%&'*+.^`|~\w-]+$/, "this is no header's name")
    .regex(
      /^(?!(content-length|transfer-encoding|connection)$)/i,
      "content-length, transfer-encoding and connection follow from the answer itself",
    ),
  headerValue,
  'it takes names with their values, such as { "retry-after": "5" }',
);
const HOW_LIKELY = "it takes a number from 0 to 1";
const errorStatus = wholeNumber(400, 599);

/** How often and when a fault bites, whatever it is. */
const recurrence = {
  /** The name under which the journal speaks of it; `fault_1`, `fault_2` … by default. */
  id: name
    .max(100, "it takes at most 100 characters")
    .regex(/^\P{Cc}*$/u, "it takes no control characters")
    .optional(),
  /** Bites so often at most; always by default. */
  times: wholeNumber(1).optional(),
  /** Lets so many occasions pass first. */
  after: wholeNumber(0).optional(),
  /** Bites on this occasion alone, counted from 1. */
  nth: wholeNumber(1).optional(),
  /** How likely it bites on an occasion, from 0 to 1, drawn from a random stream of its own. */
  probability: z.number(HOW_LIKELY).min(0, HOW_LIKELY).max(1, HOW_LIKELY).optional(),
  /** The first moment of virtual time at which it bites. */
  from: instant.optional(),
  /** The first moment of virtual time at which it bites no more. */
  until: instant.optional(),
};

const merchant = name.optional();
const resource = name.optional();
const paymentMethod = name.optional();

/** Which calls of the service a fault concerns; all by default. */
const calls = {
  ...recurrence,
  /** The name of a route, such as `payment-intent.confirm`. */
  route: text.optional(),
  method: oneOf(["GET", "POST", "PATCH", "DELETE"]).optional(),
  /** A path below the base URL; `*` stands for any text. */
  path: text
    .startsWith("/", "it begins with a slash, and stands below the base URL")
    .regex(/^[^?#]*$/, "it takes no query and no fragment; name the path before them")
    .optional(),
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
  customer: oneOf(["present", "absent"]).optional(),
};

/** Which webhook events a fault concerns; all by default. */
const events = {
  ...recurrence,
  /** The type of an event; `*` stands for any text: `subscription.*`. */
  event: text.optional(),
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
  z.strictObject({ kind: z.literal("request.malformed"), ...calls, body: text.optional() }),
  z.strictObject({ kind: z.literal("request.refused"), ...calls }),
  z.strictObject({ kind: z.literal("request.reset"), ...calls }),
  z.strictObject({ kind: z.literal("request.hang"), ...calls }),
  z.strictObject({ kind: z.literal("request.latency"), ...calls, delay: duration }),
  z.strictObject({ kind: z.literal("response.lost"), ...calls, as: oneOf(["reset", "hang"]).optional() }),
  z.strictObject({
    kind: z.literal("response.status"),
    ...calls,
    status: errorStatus,
    body: json.optional(),
    headers: headers.optional(),
  }),
  z.strictObject({ kind: z.literal("response.truncated"), ...calls, keep: wholeNumber(0).optional() }),
  z.strictObject({
    kind: z.literal("response.content-type"),
    ...calls,
    contentType: headerValue.optional(),
    body: text.optional(),
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
    code: text,
    /** Whether the call itself is answered with the decline, before any challenge, instead of the payment being declined later. */
    synchronous: yesOrNo.optional(),
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
    copies: wholeNumber(1, 100).optional(),
    /** How long after the one before; at once by default. */
    delay: pause.optional(),
  }),
  z.strictObject({ kind: z.literal("webhook.new-id"), ...events, delay: pause.optional() }),
  z.strictObject({
    kind: z.literal("webhook.reorder"),
    ...events,
    /** How long events are held back, from the first on. */
    within: duration,
    order: oneOf(["reversed", "shuffled"]).optional(),
  }),
  z.strictObject({ kind: z.literal("webhook.burst"), ...events, within: duration }),
  z.strictObject({ kind: z.literal("webhook.interleave"), ...events, within: duration }),
  z.strictObject({
    kind: z.literal("webhook.extra-fields"),
    ...events,
    fields: z.record(z.string(), json, "it takes fields with JSON values").optional(),
  }),
  z.strictObject({ kind: z.literal("webhook.unknown-type"), ...events, type: name.optional() }),
  z.strictObject({
    kind: z.literal("webhook.unknown-object"),
    ...events,
    /** The id that takes the place of the event's own, such as another merchant's intent; that of nobody by default. */
    object: z.string().min(1).optional(),
  }),
  // What is wrong with one attempt to deliver it.
  z.strictObject({ kind: z.literal("webhook.corrupt-body"), ...events, body: text.optional() }),
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
    status: wholeNumber(200, 599),
    headers: headers.optional(),
    /** Whether the merchant's app gets the event before this answer takes the place of its own; it does by default. */
    reaches: yesOrNo.optional(),
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
    stamp: oneOf(["webhook", "token"]).optional(),
    by: duration,
    /** Whether the service is ahead of the merchant, which is the default, or behind. */
    direction: oneOf(["ahead", "behind"]).optional(),
  }),
]);

/** Any fault, as `sim.faults.add` takes it: plain JSON. */
export const fault = z.discriminatedUnion("kind", [callFault, processorFault, webhookFault, clockFault]);

/** What can go wrong on purpose, and when: plain JSON that can be kept in a file. */
export type Fault = z.input<typeof fault>;
