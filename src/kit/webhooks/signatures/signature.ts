import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { CentavoError } from "../../base/errors/centavo-error.ts";
import { toBase64 } from "../../base/runtime/base64.ts";

/** The scheme in which a webhook is signed. */
export type WebhookScheme = "paymongo" | "stripe" | "standard-webhooks";

/** The default header of each scheme. */
export const SIGNATURE_HEADERS: Record<WebhookScheme, string> = {
  paymongo: "X-Webhook-Signature",
  stripe: "Stripe-Signature",
  "standard-webhooks": "webhook-signature",
};

/** The parts of a delivery attempt that its signature is made from. */
export interface WebhookToSign {
  readonly scheme: WebhookScheme;
  /** Another name for the signature's header. Under `standard-webhooks`, `svix-signature` renames the other two headers too. */
  readonly headerName?: string | undefined;
  /** The merchant's webhook secret, `whsec_…`. */
  readonly secret: string;
  /** The body exactly as it is sent. */
  readonly body: string;
  /** The event's id, `evt_…`, which `standard-webhooks` signs and sends as `webhook-id`. */
  readonly eventId: string;
  /** The stamp, in milliseconds since 1970. The header carries whole seconds. */
  readonly timestamp: number;
}

/**
 * Signs one delivery attempt and returns the headers to send with it. The signature is HMAC-SHA-256 over `<t>.<body>` (PayMongo, Stripe)
 * or `<id>.<t>.<body>` (Standard Webhooks).
 *
 * @throws {CentavoError} `INVALID_OPTION` for a secret that the scheme cannot use
 *
 * @example
 * signWebhook({ scheme: "paymongo", secret: "whsec_dGVzdA==", body: "{}", eventId: "evt_1", timestamp: Date.now() });
 * // { "X-Webhook-Signature": "t=1767225600,te=5f0c…,li=" }
 */
export function signWebhook({
  scheme,
  headerName,
  secret,
  body,
  eventId,
  timestamp,
}: WebhookToSign): Record<string, string> {
  checkSecret("signWebhook", secret, scheme);
  const name = headerName ?? SIGNATURE_HEADERS[scheme];
  const seconds = String(Math.floor(timestamp / 1000));
  if (scheme === "standard-webhooks") {
    const companions = companionHeaders(name);
    const signature = computeSignature(scheme, secret, `${eventId}.${seconds}.`, body);
    return { [companions.id]: eventId, [companions.timestamp]: seconds, [name]: `v1,${signature}` };
  }
  const signature = computeSignature(scheme, secret, `${seconds}.`, body);
  return { [name]: scheme === "paymongo" ? `t=${seconds},te=${signature},li=` : `t=${seconds},v1=${signature}` };
}

/**
 * Names the other two headers of Standard Webhooks: `svix-signature` is accompanied by `svix-id` and `svix-timestamp`, and a name that does
 * not end in `-signature` by the standard's own `webhook-id` and `webhook-timestamp`.
 */
export function companionHeaders(signatureHeader: string): { id: string; timestamp: string } {
  const prefix = /^.*-(?=signature$)/i.exec(signatureHeader)?.[0] ?? "webhook-";
  return { id: `${prefix}id`, timestamp: `${prefix}timestamp` };
}

/** Computes the signature over the prefix and then the body, as the header writes it. */
export function computeSignature(
  scheme: WebhookScheme,
  secret: string,
  prefix: string,
  body: string | Uint8Array,
): string {
  const mac = hmac.create(sha256, hmacKey(scheme, secret)).update(utf8ToBytes(prefix));
  const digest = mac.update(typeof body === "string" ? utf8ToBytes(body) : body).digest();
  return scheme === "standard-webhooks" ? toBase64(digest) : bytesToHex(digest);
}

/** @throws {CentavoError} `INVALID_OPTION` when the secret is missing or unusable in this scheme */
export function checkSecret(call: string, secret: unknown, scheme: WebhookScheme): asserts secret is string {
  const why =
    typeof secret !== "string" || secret === ""
      ? `${secret === "" ? "empty" : typeof secret}. Likely cause: an environment variable that is not set`
      : canBeKey(scheme, secret)
        ? undefined
        : "not base64, with or without whsec_ before it, as the scheme standard-webhooks takes it. Likely cause: the secret of another scheme";
  if (why === undefined) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `${call}: the webhook secret is ${why}. In a test it is sim.credentials.webhookSecret.`,
  );
}

/** Whether a secret can be the key of this scheme. */
export function canBeKey(scheme: WebhookScheme, secret: string): boolean {
  try {
    hmacKey(scheme, secret);
    return true;
  } catch {
    return false;
  }
}

function hmacKey(scheme: WebhookScheme, secret: string): Uint8Array {
  if (scheme !== "standard-webhooks") return utf8ToBytes(secret);
  return Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (character) => character.charCodeAt(0));
}
