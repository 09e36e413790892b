import { toTimestamp } from "../engine/timestamp.ts";
import type { WebhookAttempt, WebhookEvent } from "../webhooks/event.ts";
import type { Outbox } from "../webhooks/outbox.ts";

/** A webhook event as a test sees it. */
export interface EventView {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly status: WebhookEvent["status"];
  readonly url?: string;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  /** The id of the fault that made the event up or dropped it. */
  readonly fault?: string;
}

/** A delivery attempt as a test sees it. */
export interface AttemptView extends Omit<WebhookAttempt, "at" | "answeredAt" | "nextAt"> {
  readonly at: string;
  /** When the answer came, if a fault delayed it. */
  readonly answeredAt?: string;
  readonly nextAt?: string;
}

/** Reads the events of merchants and their deliveries. */
export interface WebhooksReader {
  /** Returns events, oldest first. */
  events(filter?: { readonly type?: string }): EventView[];
  /** Returns delivery attempts, oldest first. */
  attempts(filter?: { readonly eventId?: string }): AttemptView[];
  /** Sends an event again when the clock next settles or moves. */
  redeliver(eventId: string): void;
}

/** @param redeliver performs the act */
export function webhooksReaderOf(outbox: Outbox, redeliver: (eventId: string) => void): WebhooksReader {
  return {
    events: ({ type } = {}) => {
      const events = outbox.events().filter((event) => type === undefined || event.type === type);
      return events.map((event) => eventView(event, outbox.bodyOf(event)));
    },
    attempts: ({ eventId } = {}) => {
      const attempts = outbox.attempts().filter((attempt) => eventId === undefined || attempt.eventId === eventId);
      return attempts.map(attemptView);
    },
    redeliver,
  };
}

function eventView({ id, type, createdAt, status, url, attempts, fault }: WebhookEvent, body: string): EventView {
  return {
    id,
    type,
    createdAt: toTimestamp(createdAt),
    status,
    ...(url === undefined ? {} : { url }),
    body: JSON.parse(body) as Record<string, unknown>,
    attempts,
    ...(fault === undefined ? {} : { fault }),
  };
}

function attemptView({ at, answeredAt, nextAt, ...attempt }: WebhookAttempt): AttemptView {
  return {
    ...structuredClone(attempt),
    at: toTimestamp(at),
    ...(answeredAt === undefined ? {} : { answeredAt: toTimestamp(answeredAt) }),
    ...(nextAt === undefined ? {} : { nextAt: toTimestamp(nextAt) }),
  };
}
