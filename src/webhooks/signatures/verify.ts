import { CentavoError } from "../../errors/centavo-error.ts";
import { wallClock } from "../../runtime/real-time.ts";
import { computeSignature, type WebhookScheme } from "./signature.ts";
import { readSignatureHeader } from "./signature-header.ts";

/** A webhook as the merchant's framework received it. Express's `req` is one, behind `express.raw`. */
export interface ReceivedWebhook {
  /** A `Headers`, a plain object such as Express's `req.headers`, or pairs; names in any case. */
  readonly headers:
    | Iterable<readonly [string, string]>
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer;
}

/** A moment: milliseconds since 1970, a `Date`, or an ISO 8601 string. */
export type Moment = number | Date | string;

/** How `verifyWebhook` judges. */
export interface VerifyWebhookOptions {
  /** How far the stamp may be from `now`, either way, in seconds. 300 by default. */
  readonly tolerance?: number | undefined;
  /** The receiver's time. The process's `Date` by default; give the simulator's clock where stamps are virtual. */
  readonly now?: Moment | (() => Moment) | undefined;
  /** Accept this scheme only. By default the headers tell which it is. */
  readonly scheme?: WebhookScheme | undefined;
  /** The signature's header, where the sender gave it another name. */
  readonly headerName?: string | undefined;
  /** Accept events of this mode only, where the scheme tells them apart: PayMongo's `te` is `test`, its `li` is `live`. */
  readonly mode?: "test" | "live" | undefined;
}

/** What a verified body says. Events carry at least these; their other fields are the assumptions `webhook.intent` and the like. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly [field: string]: unknown;
}

/**
 * Verifies a webhook and returns its event. It reads a `Request` for you; anything else must hand over the raw body, because
 * the signature is over bytes, and JSON that was parsed and written again has others.
 *
 * @param webhook A `Request`, or its headers and raw body.
 * @param secret The merchant's webhook secret, `whsec_…`.
 * @throws CentavoError `WEBHOOK_VERIFICATION_FAILED` when the webhook is not to be trusted: its signature is missing, malformed
 * or wrong, its stamp is out of tolerance, its body is not a JSON object or was parsed before. `INVALID_OPTION` when the secret
 * or an option is unusable.
 *
 * See the assumptions `webhook.signature` and `webhook.stamp`.
 *
 * @example
 * app.post("/hooks", express.raw({ type: "application/json" }), async (req, res) => {
 *   const event = await verifyWebhook(req, webhookSecret);
 *   res.sendStatus(200);
 * });
 */
export async function verifyWebhook<Event extends object = WebhookEvent>(
  webhook: Request | ReceivedWebhook,
  secret: string | undefined,
  options: VerifyWebhookOptions = {},
): Promise<Event> {
  const tolerance = options.tolerance ?? 300;
  if (!(tolerance >= 0))
    throw new CentavoError("INVALID_OPTION", `tolerance is a number of seconds from 0 on, not ${tolerance}.`);
  const now = readMoment(options.now ?? wallClock);
  const body = await readRawBody(webhook);
  const signed = readSignatureHeader(readHeaders(webhook.headers), options);
  const expected = computeSignature(signed.scheme, secret, signed.prefix, body);
  if (!signed.signatures.some((signature) => equalInConstantTime(signature, expected))) {
    throw refused(
      `No signature in the ${signed.headerName} header matches this body and secret. Likely causes: another merchant's secret, ` +
        "a body that was parsed and written again before verifying, or an event that somebody forged.",
    );
  }
  assertFresh(signed.timestamp, now, tolerance);
  return parseEvent(body) as Event;
}

function assertFresh(timestamp: number, now: number, tolerance: number): void {
  const age = Math.floor(now / 1000) - timestamp;
  if (Math.abs(age) <= tolerance) return;
  const [side, cause] =
    age > 0
      ? ["old", "a replayed or long delayed event, or a receiver's clock that is ahead"]
      : [
          "in the future",
          "a receiver's clock that is behind, or stamps of virtual time (pass the simulator's clock as now)",
        ];
  const distance = Math.abs(age);
  throw refused(
    `The signature is right, but its stamp is ${distance} s ${side}, ${distance - tolerance} s more than the tolerance of ` +
      `${tolerance} s allows. Likely causes: ${cause}.`,
  );
}

async function readRawBody(webhook: Request | ReceivedWebhook): Promise<string | Uint8Array> {
  if (isRequest(webhook)) {
    if (webhook.bodyUsed) {
      throw refused(
        "The Request's body has been read already. Verify first, or hand over request.clone(), and parse the event that comes back.",
      );
    }
    return new Uint8Array(await webhook.arrayBuffer());
  }
  const body: unknown = webhook.body;
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body as ArrayBuffer);
  throw refused(
    `The body is ${body === null || body === undefined ? String(body) : "an object that is not bytes"}, not the raw text or bytes that were signed. ` +
      "JSON that was parsed and written again differs in spacing, key order or escapes, so its signature cannot be checked. " +
      'In Express put express.raw({ type: "application/json" }) on this route, before any express.json(), and pass req; ' +
      'in Hono pass c.req.raw; in Fastify keep the body with addContentTypeParser(…, { parseAs: "buffer" }).',
  );
}

function isRequest(webhook: Request | ReceivedWebhook): webhook is Request {
  return "arrayBuffer" in webhook && typeof webhook.arrayBuffer === "function";
}

function readHeaders(headers: ReceivedWebhook["headers"] | undefined): Map<string, string> {
  if (typeof headers !== "object") {
    throw refused(
      "verifyWebhook got no headers. Pass a Request, Express's req, or { headers, body } with the raw body.",
    );
  }
  const entries: Iterable<readonly [string, string | readonly string[] | undefined]> =
    Symbol.iterator in headers ? headers : Object.entries(headers);
  const byName = new Map<string, string>();
  for (const [name, value] of entries) {
    if (value !== undefined) byName.set(name.toLowerCase(), typeof value === "string" ? value : value.join(", "));
  }
  return byName;
}

function readMoment(moment: Moment | (() => Moment)): number {
  const value = typeof moment === "function" ? moment() : moment;
  const milliseconds = new Date(value).getTime();
  if (Number.isNaN(milliseconds)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `now is milliseconds, a Date, an ISO 8601 string or a function that returns one, not ${String(value)}.`,
    );
  }
  return milliseconds;
}

function parseEvent(body: string | Uint8Array): object {
  let event: unknown;
  try {
    event = JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw refused("The signature is right, but the body is not JSON.", error);
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw refused("The signature is right, but the body is not a JSON object, which every event is.");
  }
  return event;
}

/** Takes as long for a signature that differs in its first character as for one that differs in its last. */
function equalInConstantTime(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}

function refused(message: string, cause?: unknown): CentavoError {
  return new CentavoError("WEBHOOK_VERIFICATION_FAILED", message, cause === undefined ? undefined : { cause });
}
