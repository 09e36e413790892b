import * as z from "zod/mini";
import { durationMilliseconds } from "../engine/duration.ts";
import { faultKind } from "../faults/declaration.ts";
import { duration, headers, headerValue, json, oneOf, text, wholeNumber } from "../faults/fields.ts";
import { unknownName } from "../base/errors/known-names.ts";
import { hasOtherValue, otherValueComplaint, otherValueFields, withOtherValue } from "../faults/other-values.ts";
import type { RoutedService } from "./call-selectors.ts";
import { connectionRefused, connectionReset } from "./network-errors.ts";
import type { RawAnswer } from "./route.ts";

/** What the client gets in the end: an answer, a failure of the network, or nothing until it gives up. */
export type CallEnd = { readonly answer: RawAnswer } | { readonly error: Error } | "silence";

/** A call on its way to the service. */
export interface CallOnItsWay {
  readonly url: string;
  readonly service: OwnWords;
  /** How long it takes, in milliseconds of virtual time. */
  delay: number;
  /** What the client gets when the service never learns of the call. */
  end?: CallEnd;
}

/** An answer on its way back. */
export interface AnswerOnItsWay {
  /** What the service answered. */
  readonly given: RawAnswer;
  readonly service: OwnWords;
  /** How long it takes, in milliseconds of virtual time. */
  delay: number;
  /** What reaches the client. */
  answer: RawAnswer;
  /** What the client gets when the answer never reaches it. */
  end?: CallEnd;
}

/** What a service says by itself, in the words of its own policies. */
export interface OwnWords {
  /** Returns true when an answer says that the call had no effect. */
  isRefusal(answer: RawAnswer): boolean;
  /** Returns the body of the service's own error with a status. */
  errorBody(status: number): unknown;
  /** Returns the status and the body of the service's own error with a code. */
  errorOfCode(code: string): { readonly status: number; readonly body: unknown };
  /** The beginning of a successful answer's body, which breaks off before its end. */
  readonly unfinishedBody: string;
}

const requestFault = faultKind<CallOnItsWay, RoutedService>();
const responseFault = faultKind<AnswerOnItsWay, RoutedService>();

const JSON_HEADERS = { "content-type": "application/json" };

/** The fields of an answer that a proxy gives in place of the service. */
const proxyAnswer = {
  status: z.optional(wholeNumber(400, 599)),
  /** The code of an error of the service, whose status is the answer's. */
  code: z.optional(text),
  body: z.optional(json),
  headers: z.optional(headers),
};

/** Returns what is wrong with the status of such an answer. */
function statusComplaint(
  { status, code }: { readonly status?: number | undefined; readonly code?: string | undefined },
  { errors }: RoutedService,
): string | undefined {
  if (code === undefined)
    return status === undefined ? "it has neither status nor code; give one of the two" : undefined;
  if (status !== undefined)
    return "it has both status and code; the status of an error follows from its code, so leave out one of the two";
  return unknownName("code", code, errors);
}

/** Faults in front of the service. All but `request.latency` stop the call. */
export const requestFaults = [
  requestFault({
    kind: "request.status",
    inWords: "a call that a proxy before the service answers with an error",
    fields: proxyAnswer,
    complaint: statusComplaint,
    effect(fault, call) {
      call.end = { answer: answerOfProxy(fault, call.service) };
    },
  }),
  requestFault({
    kind: "request.malformed",
    inWords: "a call whose answer is not valid JSON",
    fields: { body: z.optional(text) },
    effect({ body }, call) {
      call.end = { answer: { status: 200, headers: JSON_HEADERS, body: body ?? call.service.unfinishedBody } };
    },
  }),
  requestFault({
    kind: "request.refused",
    inWords: "a call whose connection is refused",
    fields: {},
    effect(_fault, call) {
      call.end = { error: connectionRefused(call.url) };
    },
  }),
  requestFault({
    kind: "request.reset",
    inWords: "a call whose connection breaks before the service learns of it",
    fields: {},
    effect(_fault, call) {
      call.end = { error: connectionReset() };
    },
  }),
  requestFault({
    kind: "request.hang",
    inWords: "a call that is never answered",
    fields: {},
    effect(_fault, call) {
      call.end = "silence";
    },
  }),
  requestFault({
    kind: "request.latency",
    inWords: "a call that takes long to arrive",
    fields: { delay: duration },
    effect({ delay }, call) {
      call.delay += durationMilliseconds(delay);
    },
  }),
] as const;

/** Faults on the way back, when the service has done what was asked. Each gets the answer as the fault before it left it. */
export const responseFaults = [
  responseFault({
    kind: "response.lost",
    inWords: "a call that is carried out although its answer is lost",
    fields: { as: z.optional(oneOf(["reset", "hang"])) },
    hasOccasion: (_fault, { given, service }) => !service.isRefusal(given),
    effect({ as }, response) {
      response.end = as === "hang" ? "silence" : { error: connectionReset() };
    },
  }),
  responseFault({
    kind: "response.status",
    inWords: "a call that is carried out and answered with an error",
    fields: proxyAnswer,
    complaint: statusComplaint,
    effect(fault, response) {
      response.answer = answerOfProxy(fault, response.service);
    },
  }),
  responseFault({
    kind: "response.truncated",
    inWords: "an answer that breaks off",
    fields: { keep: z.optional(wholeNumber(0)) },
    hasOccasion: ({ keep = 0 }, { answer }) => keep < answer.body.length,
    effect({ keep }, response) {
      const { body } = response.answer;
      response.answer = { ...response.answer, body: body.slice(0, keep ?? Math.floor(body.length / 2)) };
    },
  }),
  responseFault({
    kind: "response.content-type",
    inWords: "an answer whose content type is not JSON",
    fields: { contentType: z.optional(headerValue), body: z.optional(text) },
    effect({ contentType = "text/html", body }, response) {
      const { answer } = response;
      response.answer = {
        ...answer,
        headers: { ...answer.headers, "content-type": contentType },
        body: body ?? answer.body,
      };
    },
  }),
  responseFault({
    kind: "response.other-value",
    inWords: "an answer in which a field says something else than the books",
    fields: otherValueFields,
    complaint: otherValueComplaint,
    hasOccasion: (fault, { answer }) => hasOtherValue(parsed(answer.body), fault),
    effect(fault, response) {
      const { answer } = response;
      response.answer = { ...answer, body: JSON.stringify(withOtherValue(parsed(answer.body), fault)) };
    },
  }),
  responseFault({
    kind: "response.late",
    inWords: "an answer that arrives late",
    fields: { delay: duration },
    effect({ delay }, response) {
      response.delay += durationMilliseconds(delay);
    },
  }),
] as const;

/** Makes the answer of a proxy in front of the service. Its body is the service's own error unless the fault gives another. */
function answerOfProxy(
  fault: {
    readonly status?: number | undefined;
    readonly code?: string | undefined;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>> | undefined;
  },
  service: OwnWords,
): RawAnswer {
  const { body, code } = fault;
  const error = code === undefined ? undefined : service.errorOfCode(code);
  const status = error?.status ?? fault.status ?? 500;
  const ofError = code === undefined ? {} : { code };
  const named = Object.fromEntries(
    Object.entries(fault.headers ?? {}).map(([key, value]) => [key.toLowerCase(), value]),
  );
  if (typeof body === "string")
    return { status, headers: { "content-type": "text/plain", ...named }, body, ...ofError };
  const own = (): unknown => (error === undefined ? service.errorBody(status) : error.body);
  const given = body === undefined ? own() : body;
  return { status, headers: { ...JSON_HEADERS, ...named }, body: JSON.stringify(given), ...ofError };
}

/** Returns the content of a body; undefined if it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
