import type { StruckBy } from "../faults/declaration.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { Sending } from "./delivery-queues.ts";
import type { FaultyAttempt } from "./attempt-faults.ts";

/**
 * The status of an event: still to be delivered, delivered, given up after the last retry, refused for good (410), without a receiver, or
 * dropped by a fault.
 */
export type DeliveryStatus = "pending" | "delivered" | "exhausted" | "gone" | "no-receiver" | "dropped";

/** An event, frozen when its fact happened. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly merchantId: string;
  /** Its destination; absent when the merchant has no receiver. */
  readonly url?: string;
  /** The exact text that every attempt sends. */
  readonly body: string;
  readonly status: DeliveryStatus;
  /** How many attempts were made, including redeliveries by hand. */
  readonly attempts: number;
  /** How many retries were planned, including the next one. */
  readonly retries: number;
  /** Set while the event is due but on hold, for a `HoldReason`. */
  readonly onHold?: true;
  /** The fault that invented or dropped the event. */
  readonly fault?: string;
  /** How many copies faults still have to send. */
  readonly copies?: number;
  /**
   * What faults do to each attempt in flight, by the name of its sending. A world restored in the middle of an attempt repeats it in the
   * same way.
   */
  readonly underWay?: Readonly<Record<string, { readonly faulty?: FaultyAttempt }>>;
  readonly createdAt: number;
}

/** One attempt to deliver an event. */
export interface WebhookAttempt {
  readonly eventId: string;
  /** 1 for the first. */
  readonly number: number;
  readonly at: number;
  /** When the answer came, if a fault delayed it. */
  readonly answeredAt?: number;
  readonly url: string;
  readonly answer: ReceiverAnswer;
  /** The faults that struck it; absent when there were none. */
  readonly faults?: readonly StruckBy[];
  readonly delivered: boolean;
  /** When the next retry is due; absent when there is none. */
  readonly nextAt?: number;
}

/** What a merchant is told about a fact. */
export interface Announcement {
  readonly type: string;
  readonly merchantId: string;
  readonly url: string | undefined;
  /** The fields of the body besides those that every event has. */
  readonly content: object;
}

export function attemptId(eventId: string, number: number): string {
  return `${eventId}/${number}`;
}

/** Returns the event with one copy fewer to send if this delivery was a copy. */
export function afterDelivery(event: WebhookEvent, { type }: Pick<Sending, "type">): WebhookEvent {
  if (type !== "copy") return event;
  const { copies = 1, ...rest } = event;
  return copies === 1 ? rest : { ...rest, copies: copies - 1 };
}

/** Returns the event without the faults of the ended attempt. */
export function afterAttempt(event: WebhookEvent, { name }: Pick<Sending, "name">): WebhookEvent {
  if (event.underWay === undefined) return event;
  const { underWay, ...rest } = event;
  const others = Object.entries(underWay).filter(([other]) => other !== name);
  return others.length === 0 ? rest : { ...rest, underWay: Object.fromEntries(others) };
}
