import { shownAddress } from "../kit/base/redaction/address.ts";
import { namesWanted } from "../kit/declaration/filter.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { Pattern } from "../kit/faults/patterns.ts";
import type { WebhookAttempt, WebhookEvent } from "../kit/webhooks/event.ts";
import type { Outbox } from "../kit/webhooks/outbox.ts";

/** The body of an event of any service. */
export type EventBody = Readonly<Record<string, unknown>> & { readonly type: string };

/** A webhook event as a test sees it. */
export interface EventView<Body extends { readonly type: string } = EventBody> {
  readonly id: string;
  readonly type: Body["type"];
  /** The merchant who gets it. */
  readonly merchantId: string;
  readonly createdAt: string;
  readonly status: WebhookEvent["status"];
  readonly url?: string;
  /** The parsed body, as the service document has it, also where assumptions shape what is sent. */
  readonly body: Body;
  readonly attempts: number;
  /** The id of the fault that made the event up or dropped it. */
  readonly fault?: string;
}

/** The view of an event with one of these bodies: the type tells which. */
export type EventViewOf<Body extends { readonly type: string }> = Body extends unknown ? EventView<Body> : never;

/** The bodies of the events of one type. A service whose events are not typed has one for all. */
type BodyOf<Body extends { readonly type: string }, Type> = string extends Body["type"]
  ? Body
  : Extract<Body, { readonly type: Type }>;

/** A delivery attempt as a test sees it. */
export interface AttemptView extends Omit<WebhookAttempt, "at" | "answeredAt" | "nextAt"> {
  readonly at: string;
  /** When the answer came, if a fault delayed it. */
  readonly answeredAt?: string;
  readonly nextAt?: string;
}

/** An event whose latest delivery attempt failed. */
export interface FailedDelivery<Type extends string = string> {
  readonly eventId: string;
  readonly type: Type;
  /** The event's status: `pending` while another attempt is planned. */
  readonly status: WebhookEvent["status"];
  /** The attempt that failed. */
  readonly attempt: AttemptView;
  /** What happened, in words. */
  readonly message: string;
}

/** Reads the events of merchants and their deliveries. */
export interface WebhooksReader<Body extends { readonly type: string } = EventBody> {
  /**
   * Returns events, oldest first.
   * @param filter.type a type of event, or a pattern such as `payment_intent.*`
   * @throws {CentavoError} `INVALID_OPTION` for an unknown field or type, with the nearest right one
   */
  events<Type extends Body["type"]>(filter: { readonly type: Type }): EventViewOf<BodyOf<Body, Type>>[];
  events(filter?: { readonly type?: Pattern<Body["type"]> | undefined }): EventViewOf<Body>[];
  /**
   * Returns delivery attempts, oldest first.
   * @throws {CentavoError} `NOT_FOUND` for an event that the world does not have
   */
  attempts(filter?: { readonly eventId?: string | undefined }): AttemptView[];
  /** Returns the events whose latest delivery failed, oldest first. An event that a later attempt delivered is not among them. */
  failures(): FailedDelivery<Body["type"]>[];
  /** Sends an event again when the clock next settles or moves. */
  redeliver(eventId: string): void;
}

/**
 * @param eventTypes the types of event that the service announces
 * @param redeliver performs the act
 */
export function webhooksReaderOf<Body extends { readonly type: string }>(
  outbox: Outbox,
  eventTypes: readonly string[],
  redeliver: (eventId: string) => void,
): WebhooksReader<Body> {
  return {
    events: (given?: { readonly type?: string | undefined }) => {
      const filter = given ?? {};
      // A fault may make up events of a type that the service does not announce.
      const events = outbox.events();
      const known = filter.type === undefined ? [] : [...new Set([...eventTypes, ...events.map(({ type }) => type)])];
      const wanted = namesWanted("webhooks.events", filter, { type: known });
      return events
        .filter(({ type }) => wanted?.includes(type) ?? true)
        .map((event) => eventView(event, outbox)) as unknown as never[];
    },
    attempts: (filter = {}) => {
      refuseUnknownOptions("webhooks.attempts", filter, ["eventId"]);
      const { eventId } = filter;
      const attempts = eventId === undefined ? outbox.attempts() : outbox.attemptsOf(existing(outbox, eventId));
      return attempts.map(attemptView);
    },
    failures: () => failedDeliveries(outbox),
    redeliver,
  };
}

/**
 * Returns the events whose latest attempt failed.
 * @param redacted takes the secrets out of what the receiver said, before that is cut
 */
export function failedDeliveries(outbox: Outbox, redacted: (text: string) => string = String): FailedDelivery[] {
  return outbox.failures().map(([{ id, type, status }, attempt]) => ({
    eventId: id,
    type,
    status,
    attempt: attemptView(attempt),
    message: failureInWords(type, attempt, redacted),
  }));
}

/** In characters. A failure ends with the way out; most begin with a text that the app threw. */
const LONGEST_FAILURE = 350;
/** What is said of an address where no app is connected repeats the address. */
const LONGEST_UNCONNECTED = 1000;

function failureInWords(
  type: string,
  { eventId, number, url, answer, faults = [], nextAt }: WebhookAttempt,
  redacted: (text: string) => string,
): string {
  const short = (text: string, longest?: number): string =>
    shortened(printable(redacted(text).replaceAll(/\s+/g, " ")), longest);
  const result =
    answer.kind === "answered"
      ? `was answered ${answer.status}`
      : `failed: ${short(answer.message, answer.reason === "not-connected" ? LONGEST_UNCONNECTED : LONGEST_FAILURE).replace(/\.$/, "")}`;
  const said = answer.kind === "answered" && answer.bodyExcerpt !== undefined ? ` "${short(answer.bodyExcerpt)}"` : "";
  const under =
    faults.length === 0 ? "" : ` under the fault ${faults.map(({ id, kind }) => `${id} (${kind})`).join(", ")}`;
  const next = nextAt === undefined ? "no further try is planned" : `the next try is due ${toTimestamp(nextAt)}`;
  return `${type} ${eventId} to ${short(shownAddress(url))}: attempt ${number} ${result}${said}${under}; ${next}`;
}

function existing(outbox: Outbox, eventId: string): WebhookEvent {
  const event = outbox.event(eventId);
  if (event !== undefined) return event;
  throw new CentavoError(
    "NOT_FOUND",
    `webhooks.attempts({ eventId: ${JSON.stringify(eventId)} }): there is no such event, or a bounded world has forgotten it; sim.webhooks.events() lists them.`,
  );
}

function eventView(event: WebhookEvent, outbox: Outbox): EventView {
  const { id, type, merchantId, createdAt, status, url, attempts, fault } = event;
  return {
    id,
    type,
    merchantId,
    createdAt: toTimestamp(createdAt),
    status,
    ...(url === undefined ? {} : { url }),
    body: outbox.contentOf(event) as EventBody,
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
