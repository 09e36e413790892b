import { shownAddress } from "../base/redaction/address.ts";
import * as z from "zod/mini";
import { durationMilliseconds } from "../engine/duration.ts";
import { faultKind } from "../faults/declaration.ts";
import type { StruckBy } from "../faults/declaration.ts";
import { duration, headers, text, wholeNumber, yesOrNo } from "../faults/fields.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";

/** What faults do to one attempt to deliver an event. It is plain data, because a snapshot may be taken during the attempt. */
export interface FaultyAttempt {
  /** The faults that struck it. */
  readonly faults: readonly StruckBy[];
  /** The text that is sent instead of the signed body; `true` changes one number in the body. */
  readonly corruptBody: string | boolean;
  readonly wrongSecret: boolean;
  readonly otherMode: boolean;
  /** How far the stamp is from the receiver's time, in milliseconds; negative when it is in the past. */
  readonly skew: number;
  /** How the attempt ends for the service, regardless of the app's answer. */
  readonly end?: AttemptEnd;
  /** How long the answer takes, in milliseconds of virtual time. */
  readonly delay: number;
}

/** How an attempt ends for the service. */
export interface AttemptEnd {
  /** Whether the attempt reaches the merchant's app. */
  readonly isSent: boolean;
  readonly answer: ReceiverAnswer;
}

export interface BeginningAttempt {
  readonly url: string;
  corruptBody: string | boolean;
  wrongSecret: boolean;
  otherMode: boolean;
  skew: number;
  end?: AttemptEnd;
  delay: number;
}

const attemptFault = faultKind<BeginningAttempt>();

const DEFAULT_AGE = "10 minutes";

/** Faults that decide how an attempt ends for the service. The first that fires decides. */
export const endFaults = [
  attemptFault({
    kind: "webhook.refused",
    inWords: "an event that cannot reach you",
    fields: {},
    effect({ id }, attempt) {
      const message = `${id} refused the connection to ${shownAddress(attempt.url)}.`;
      attempt.end = { isSent: false, answer: { kind: "failed", reason: "refused", message } };
    },
  }),
  attemptFault({
    kind: "webhook.answer-lost",
    inWords: "an event whose answer is lost on its way back",
    fields: {},
    effect({ id }, attempt) {
      const message = `${id} broke the connection to ${shownAddress(attempt.url)} before the answer.`;
      attempt.end = { isSent: true, answer: { kind: "failed", reason: "reset", message } };
    },
  }),
  attemptFault({
    kind: "webhook.answer",
    inWords: "an event that a proxy answers in your place",
    fields: {
      status: wholeNumber(200, 599),
      headers: z.optional(headers),
      /** Whether the merchant's app gets the event before this answer replaces its own; true by default. */
      reaches: z.optional(yesOrNo),
    },
    effect({ status, headers: given = {}, reaches = true }, attempt) {
      const { "retry-after": retryAfter, location } = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const answer: ReceiverAnswer = {
        kind: "answered",
        status,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(location !== undefined && { location }),
      };
      attempt.end = { isSent: reaches, answer };
    },
  }),
] as const;

/** Faults that delay an answer. Their delays add up. */
export const slowFaults = [
  attemptFault({
    kind: "webhook.slow",
    inWords: "an event that takes long to reach you",
    fields: { delay: duration },
    hasOccasion: (_fault, { end }) => end?.answer.kind !== "failed" || end.answer.reason !== "refused",
    effect({ delay }, attempt) {
      attempt.delay += durationMilliseconds(delay);
    },
  }),
] as const;

/** Faults that spoil what is sent. */
export const messageFaults = [
  attemptFault({
    kind: "webhook.corrupt-body",
    inWords: "an event whose body was changed on the way",
    fields: { body: z.optional(text) },
    effect({ body = true }, attempt) {
      attempt.corruptBody = body;
    },
  }),
  attemptFault({
    kind: "webhook.wrong-secret",
    inWords: "an event that is signed with another secret",
    fields: {},
    effect(_fault, attempt) {
      attempt.wrongSecret = true;
    },
  }),
  attemptFault({
    kind: "webhook.stale-timestamp",
    inWords: "an event whose signature is too old",
    fields: { age: z.optional(duration) },
    effect({ age = DEFAULT_AGE }, attempt) {
      attempt.skew = -durationMilliseconds(age);
    },
  }),
  attemptFault({
    kind: "webhook.other-mode",
    inWords: "an event that is signed for the other mode",
    fields: {},
    effect(_fault, attempt) {
      attempt.otherMode = true;
    },
  }),
] as const;
