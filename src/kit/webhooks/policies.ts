import type { RandomStreams } from "../engine/random.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { ContentIds } from "./content-ids.ts";
import type { WebhookScheme } from "./signatures/signature.ts";

/** What the next retry depends on, from a failed attempt. */
export interface FailedAttempt {
  /** The number of the next retry, from 1. */
  readonly retry: number;
  /** Virtual time, in milliseconds since 1970. */
  readonly now: number;
  readonly answer: ReceiverAnswer;
  /**
   * The wait that the answer requests with `Retry-After`, in milliseconds; 0 when it requests none. An unreadable header is ignored with a
   * warning in the journal, once a policy reads this field.
   */
  readonly retryAfter: number;
}

/** What an answer means for its event. `gone` ends all retries, `failed` leads to the next one. */
export type AnswerMeaning = "delivered" | "gone" | "failed";

/**
 * How one service tells merchants of its events. The outbox asks each question at the moment when it needs the answer, so a policy may read
 * an assumption and mark it as used.
 *
 * @example
 * const policies: WebhookPolicies = {
 *   ...usualWebhookPolicies,
 *   body: ({ id, type }, content) => JSON.stringify({ id, type, data: content }),
 *   secretOf: (merchantId) => `whsec_${merchantId}`,
 *   signature: () => ({ scheme: "stripe" }),
 *   retryAt: ({ retry, now }) => (retry > 3 ? undefined : now + retry * 60_000),
 * };
 */
export interface WebhookPolicies {
  /**
   * Makes the id of an event.
   * @param stream names the stream to draw from when a fault makes the event up; absent for the service's own events
   */
  eventId(random: RandomStreams, stream?: string): string;
  /**
   * Writes the body that every attempt sends, as JSON text.
   * @param event `createdAt` in milliseconds since 1970
   */
  body(event: { readonly id: string; readonly type: string; readonly createdAt: number }, content: object): string;
  /** Reads a body that `body` wrote, into what `contentIds` and the selectors of faults know: the event with its id, type and content. */
  contentOf(text: string): object;
  /** Which members of a body hold ids of the service's objects. */
  readonly contentIds: ContentIds;
  /** Called for every queued event, before it gets its id. */
  announced(type: string): void;
  /** Returns the secret that signs a merchant's webhooks. */
  secretOf(merchantId: string): string;
  /** Returns the scheme of signatures; `headerName` replaces the scheme's own header. */
  signature(): { readonly scheme: WebhookScheme; readonly headerName?: string | undefined };
  /** Returns the `User-Agent` of deliveries; `Centavo` by default. */
  readonly userAgent?: () => string;
  /** Returns whose time a signature is stamped with: the receiver's or the virtual clock's. */
  stamp(): "receiver" | "virtual";
  /**
   * Returns whether a merchant gets one delivery at a time (`sequential`), or all deliveries of one moment overlap without waiting for
   * answers (`concurrent`).
   */
  order(): "sequential" | "concurrent";
  /** Returns what an answer means for its event. */
  meaningOf(answer: ReceiverAnswer): AnswerMeaning;
  /** Returns when the next retry is due, in milliseconds since 1970, or undefined after the last retry. */
  retryAt(attempt: FailedAttempt): number | undefined;
  /** How long the service waits for an answer, in milliseconds of virtual time. Messages call this limit `name`. */
  readonly timeout: { readonly name: string; milliseconds(): number };
}

/**
 * The defaults of most services: `evt_` ids, the receiver's time in signatures, one delivery at a time, delivery by any 2xx, and ten
 * seconds of patience.
 */
export const usualWebhookPolicies = {
  eventId: (random, stream) => random.id("evt", stream),
  contentOf: (text) => JSON.parse(text) as object,
  contentIds: {
    names: new Set(["id"]),
    foreign: new Set(["metadata"]),
    subjectOf: (content) => (content as { readonly id?: string }).id,
  },
  announced: () => undefined,
  stamp: () => "receiver",
  order: () => "sequential",
  meaningOf: (answer) =>
    answer.kind === "answered" && answer.status >= 200 && answer.status < 300 ? "delivered" : "failed",
  timeout: { name: "the service's timeout", milliseconds: () => 10_000 },
} as const satisfies Partial<WebhookPolicies>;
