import * as z from "zod/mini";
import { anyText, count, moment, shapeOf, textIfAny, timeShift, timeSpan } from "../engine/row-schema.ts";
import type { StruckBy } from "../faults/declaration.ts";
import { receiverAnswer } from "../receivers/receiver-answer.ts";
import type { AttemptEnd, FaultyAttempt } from "./attempt-faults.ts";
import type { Delivery, DeliveryQueue, DeliveryResult } from "./delivery-queues.ts";
import type { WebhookAttempt, WebhookEvent } from "./event.ts";
import type { HeldEvent, LaterSending, OpenWindow } from "./hold-windows.ts";

/** The address of a receiver. */
const address = z.string().check(
  z.refine((given) => {
    if (!URL.canParse(given)) return false;
    const { protocol, username, password } = new URL(given);
    return /^https?:$/.test(protocol) && username === "" && password === "";
  }, "it takes an http or https URL without user info"),
);

const bodyText = z.string().check(z.refine(isJsonObject, "it takes the JSON text of an object"));

const struckBy = z.array(shapeOf<StruckBy>()(() => ({ id: anyText, kind: anyText })));

const faultyAttempt = shapeOf<FaultyAttempt>()(() => ({
  faults: struckBy,
  corruptBody: z.union([anyText, z.boolean()]),
  wrongSecret: z.boolean(),
  otherMode: z.boolean(),
  skew: timeShift,
  end: z.optional(shapeOf<AttemptEnd>()(() => ({ isSent: z.boolean(), answer: receiverAnswer }))),
  delay: timeSpan,
}));

export const webhookEvent = shapeOf<WebhookEvent>()(() => ({
  id: anyText,
  type: anyText,
  merchantId: anyText,
  url: z.optional(address),
  body: bodyText,
  status: z.enum(["pending", "delivered", "exhausted", "gone", "no-receiver", "dropped"]),
  attempts: count,
  retries: count,
  onHold: z.optional(z.literal(true)),
  fault: textIfAny,
  copies: z.optional(count.check(z.minimum(1))),
  underWay: z.optional(z.record(anyText, z.strictObject({ faulty: z.exactOptional(faultyAttempt) }))),
  createdAt: moment,
}));

export const webhookAttempt = shapeOf<WebhookAttempt>()(() => ({
  eventId: anyText,
  number: count.check(z.minimum(1)),
  at: moment,
  answeredAt: z.optional(moment),
  url: anyText,
  answer: receiverAnswer,
  faults: z.optional(struckBy),
  delivered: z.boolean(),
  nextAt: z.optional(moment),
}));

const sending = {
  event: anyText,
  type: z.enum(["deliver", "redeliver", "copy"]),
  name: anyText,
} as const;
const delivery = { ...sending, queue: anyText } as const;

export const deliveryQueue = shapeOf<DeliveryQueue>()(() => ({
  awaited: z.optional(
    shapeOf<DeliveryResult>()(() => ({
      ...delivery,
      url: anyText,
      sentAt: moment,
      stamp: moment,
      answer: receiverAnswer,
      lateAt: z.optional(moment),
    })),
  ),
  waiting: z.array(shapeOf<Delivery>()(() => delivery)),
}));

export const openWindow = shapeOf<OpenWindow>()(() => ({
  fault: anyText,
  order: z.enum(["kept", "reversed", "shuffled", "alternating"]),
  until: moment,
  held: z.array(
    shapeOf<HeldEvent>()(() => ({
      event: anyText,
      merchantId: anyText,
      sendings: z.array(shapeOf<LaterSending>()(() => ({ ...sending, after: timeSpan }))),
    })),
  ),
  turns: z.optional(z.array(count)),
  released: count,
}));

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
