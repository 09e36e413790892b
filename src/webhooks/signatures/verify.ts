import { CentavoError } from "../../errors/centavo-error.ts";
import { wallClock } from "../../runtime/real-time.ts";
import { computeSignature, type WebhookScheme } from "./signature.ts";
import { readSignatureHeader } from "./signature-header.ts";

/** A webhook as the merchant's framework received it, such as Express's `req` behind `express.raw`. */
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

/** How strictly a webhook is verified. */
export interface VerifyWebhookOptions {
  /** How far the stamp may be from `now` in either direction, in seconds. 300 by default. */
  readonly tolerance?: number | undefined;
  /** The receiver's time. The process's `Date` by default; pass the simulator's clock when stamps are virtual. */
  readonly now?: Moment | (() => Moment) | undefined;
  /** Accept this scheme alone. By default the headers tell which one it is. */
  readonly scheme?: WebhookScheme | undefined;
  /** The signature's header, when the sender gave it another name. */
  readonly headerName?: string | undefined;
  /** Accept events of this mode alone. PayMongo's scheme tells them apart: `te` is `test`, `li` is `live`. */
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
    throw new CentavoError("INVALID_OPTION", `tolerance must be a number of seconds of at least 0, not ${tolerance}.`);
  const now = readMoment(options.now ?? wallClock);
  const body = await readRawBody(webhook);
  const signed = readSignatureHeader(readHeaders(webhook.headers), options);
  const expected = computeSignature(signed.scheme, secret, signed.prefix, body);
  if (!signed.signatures.some((signature) => equalInConstantTime(signature, expected))) {
    throw refused(
      `No signature in the ${signed.headerName} header matches this body and secret. Likely causes: another merchant's secret, ` +
        "a body that was parsed and written again before verifying, or a forged event.",
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

/** Takes equally long whether the signatures differ in their first character or in their last. */
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
