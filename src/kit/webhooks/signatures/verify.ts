import { OriginalDate } from "../../base/runtime/dates.ts";
import { CentavoError } from "../../base/errors/centavo-error.ts";
import { inWords } from "../../base/errors/in-words.ts";
import { unknownName } from "../../base/errors/known-names.ts";
import { messageOf } from "../../base/errors/thrown-values.ts";
import { wallClock } from "../../base/runtime/real-time.ts";
import { checkSecret, computeSignature, SIGNATURE_HEADERS, type WebhookScheme } from "./signature.ts";
import { refused } from "./refusal.ts";
import { readHeaders } from "./received-headers.ts";
import { readSignatureHeader } from "./signature-header.ts";

/** A webhook as the merchant's framework received it, such as Express's `req` behind `express.raw`. */
export interface ReceivedWebhook {
  /**
   * A `Headers`, a plain object such as Express's `req.headers`, or pairs; names in any case. Only the headers of the signature must be
   * text.
   */
  readonly headers: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>> | Pick<Headers, "get">;
  /** The body before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer;
}

/** A moment: milliseconds since 1970, a `Date`, or an ISO 8601 string. */
export type Moment = number | Date | string;

/** A webhook as it was given: a `Request`, or unchecked parts. */
interface Received {
  readonly request?: Request;
  readonly headers: unknown;
  readonly body?: unknown;
}

const TAKES = "Pass a Request, Express's req, or { headers, body } with the raw body.";

/** How strictly a webhook is verified. */
export interface VerifyWebhookOptions {
  /** How far the stamp may be from `now` in either direction, in seconds. 300 by default. */
  readonly tolerance?: number | undefined;
  /** The receiver's time. The process's `Date` by default; pass the simulator's clock when stamps are virtual. */
  readonly now?: Moment | (() => Moment) | undefined;
  /** Accept only this scheme. By default the headers decide. */
  readonly scheme?: WebhookScheme | undefined;
  /** The header of the signature, if the sender renamed it. */
  readonly headerName?: string | undefined;
  /** Accept only events of this mode. PayMongo's scheme distinguishes them: `te` is `test`, `li` is `live`. */
  readonly mode?: "test" | "live" | undefined;
}

/**
 * Verifies the signature of a webhook and returns its parsed body.
 *
 * @throws {CentavoError} `WEBHOOK_VERIFICATION_FAILED` when the webhook cannot be trusted, `INVALID_OPTION` when the secret or an option
 * cannot be used
 */
export async function verifySignature(
  webhook: Request | ReceivedWebhook,
  secret: string | undefined,
  options: VerifyWebhookOptions,
): Promise<object> {
  const tolerance = options.tolerance ?? 300;
  if (!(tolerance >= 0))
    throw new CentavoError(
      "INVALID_OPTION",
      `verifyWebhook: the option tolerance is ${inWords(tolerance)}. It takes a number of seconds of at least 0.`,
    );
  requireKnown("scheme", options.scheme, Object.keys(SIGNATURE_HEADERS));
  requireKnown("mode", options.mode, ["test", "live"]);
  const now = readMoment(options.now ?? wallClock);
  const received = readReceived(webhook);
  const body = await readRawBody(received);
  if (typeof received.headers !== "object" || received.headers === null)
    throw refused(`the webhook has no headers. ${TAKES}`);
  const signed = readSignatureHeader(readHeaders(received.headers), options);
  checkSecret("verifyWebhook", secret, signed.scheme);
  const expected = computeSignature(signed.scheme, secret, signed.prefix, body);
  if (!signed.signatures.some((signature) => equalInConstantTime(signature, expected))) {
    throw refused(
      `no signature in the ${signed.headerName} header matches this body and secret. Likely causes: another merchant's secret, ` +
        "a body that was parsed and written again, or a forged event. In a test the secret is sim.credentials.webhookSecret.",
    );
  }
  assertFresh(signed.timestamp, now, tolerance);
  return parseEvent(body);
}

function assertFresh(timestamp: number, now: number, tolerance: number): void {
  const age = Math.floor(now / 1000) - timestamp;
  if (Math.abs(age) <= tolerance) return;
  const [side, cause] =
    age > 0
      ? [
          "old",
          "an event that was replayed or long delayed, or a receiver's clock that is ahead (the option now sets it)",
        ]
      : [
          "in the future",
          "a receiver's clock that is behind, or stamps of virtual time (pass now: () => sim.clock.now())",
        ];
  const distance = Math.abs(age);
  throw refused(
    `the signature is right, but its stamp is ${distance} s ${side}, ${distance - tolerance} s more than the tolerance of ${tolerance} s allows. Likely causes: ${cause}.`,
  );
}

/** Reads both parts once, because a test's substitute for a framework's request may be anything. */
function readReceived(webhook: unknown): Received {
  if (typeof webhook !== "object" || webhook === null) throw refused(`the webhook is ${inWords(webhook)}. ${TAKES}`);
  try {
    if (isRequest(webhook)) return { request: webhook, headers: webhook.headers };
    const { headers, body } = webhook as Partial<ReceivedWebhook>;
    return { headers, body };
  } catch (error) {
    throw refused(`the webhook cannot be read: ${messageOf(error)}. ${TAKES}`, error);
  }
}

async function readRawBody({ request, body }: Received): Promise<string | Uint8Array> {
  if (request !== undefined) {
    if (request.bodyUsed) {
      throw refused(
        "the Request's body has been read already. Verify first, or pass request.clone(), and use the event that comes back.",
      );
    }
    try {
      return new Uint8Array(await request.arrayBuffer());
    } catch (error) {
      throw refused(
        `the Request's body cannot be read: ${messageOf(error).replace(/\.$/, "")}. Likely cause: the sender broke off. Answer with an error, so that it sends the event again.`,
        error,
      );
    }
  }
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw refused(
    `the body is ${body === null || body === undefined ? String(body) : "an object"}, not the raw text or bytes that were signed. ` +
      "JSON that was parsed and written again differs in spacing, key order or escapes, so its signature cannot be checked. " +
      'In Express put express.raw({ type: "application/json" }) on this route, before any express.json(), and pass req; ' +
      'in Hono pass c.req.raw; in Fastify keep the body with addContentTypeParser(…, { parseAs: "buffer" }).',
  );
}

function isRequest(webhook: object): webhook is Request {
  return "arrayBuffer" in webhook && typeof webhook.arrayBuffer === "function";
}

/** By tag, because a buffer from another realm fails `instanceof`. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  try {
    return Object.prototype.toString.call(body) === "[object ArrayBuffer]";
  } catch {
    return false;
  }
}

function requireKnown(option: string, value: unknown, known: readonly string[]): void {
  const complaint = value === undefined ? undefined : unknownName(`the option ${option}`, value, known);
  if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `verifyWebhook: ${complaint}.`);
}

function readMoment(moment: Moment | (() => Moment)): number {
  const value = typeof moment === "function" ? moment() : moment;
  const milliseconds = new OriginalDate(value).getTime();
  if (Number.isNaN(milliseconds)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `verifyWebhook: the option now is ${inWords(value)}. It takes milliseconds since 1970, a Date, an ISO 8601 string, or a function that returns one of them.`,
    );
  }
  return milliseconds;
}

function parseEvent(body: string | Uint8Array): object {
  let event: unknown;
  try {
    event = JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw refused(
      "the signature is right, but the body is not JSON, which every event is. Likely cause: the sender is not this service.",
      error,
    );
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw refused(
      "the signature is right, but the body is not a JSON object, which every event is. Likely cause: the sender is not this service.",
    );
  }
  return event;
}

/** Takes the same time wherever the signatures differ. */
function equalInConstantTime(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}
