import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { companionHeaders, computeSignature } from "../../kit/webhooks/signatures/signature.ts";
import type { WebhookScheme } from "../../kit/webhooks/signatures/signature.ts";

/** The parts of a delivery's signature headers, so that a forgery can change one and keep the others. */
export interface DeliverySignature {
  readonly scheme: WebhookScheme;
  readonly headerName: string;
  /** Only `standard-webhooks` signs and sends this. */
  readonly eventId: string;
  /** Seconds since 1970. */
  readonly stamp: number;
  /** The signatures by field name: `te`, `li`, `v1`. */
  readonly fields: readonly (readonly [name: string, signature: string])[];
}

export interface DeliveryToSign extends Pick<DeliverySignature, "scheme" | "headerName" | "eventId" | "stamp"> {
  readonly secret: string;
  readonly body: string;
}

export function signDelivery({ secret, body, ...delivery }: DeliveryToSign): DeliverySignature {
  return withSignature(delivery, computeSignature(delivery.scheme, secret, prefixOf(delivery), body));
}

/** Signs with an empty secret, which a merchant uses when its environment variable is not set. */
export function signWithoutSecret({ body, ...delivery }: Omit<DeliveryToSign, "secret">): DeliverySignature {
  const digest = hmac(sha256, new Uint8Array(0), utf8ToBytes(prefixOf(delivery) + body));
  return withSignature(delivery, encoded(delivery.scheme, digest));
}

/** Computes a digest without a secret, under the name of a scheme version that the service does not use. */
export function digestWithoutKey({ body, ...delivery }: Omit<DeliveryToSign, "secret">): DeliverySignature {
  const digest = encoded(delivery.scheme, sha256(utf8ToBytes(prefixOf(delivery) + body)));
  return { ...delivery, fields: [["v0", digest]] };
}

/** Replaces the signature and keeps the stamp. */
export function withSignature(delivery: Omit<DeliverySignature, "fields">, signature: string): DeliverySignature {
  const fields: DeliverySignature["fields"] =
    delivery.scheme === "paymongo"
      ? [
          ["te", signature],
          ["li", ""],
        ]
      : [["v1", signature]];
  return { ...delivery, fields };
}

export function headersOf({
  scheme,
  headerName,
  eventId,
  stamp,
  fields,
}: DeliverySignature): Readonly<Record<string, string>> {
  if (scheme !== "standard-webhooks") {
    return { [headerName]: [`t=${stamp}`, ...fields.map(([name, signature]) => `${name}=${signature}`)].join(",") };
  }
  const { id, timestamp } = companionHeaders(headerName);
  const signatures = fields.map(([name, signature]) => `${name},${signature}`).join(" ");
  return { [id]: eventId, [timestamp]: String(stamp), [headerName]: signatures };
}

function prefixOf({ scheme, eventId, stamp }: Omit<DeliverySignature, "fields">): string {
  return scheme === "standard-webhooks" ? `${eventId}.${stamp}.` : `${stamp}.`;
}

function encoded(scheme: WebhookScheme, digest: Uint8Array): string {
  return scheme === "standard-webhooks" ? btoa(String.fromCharCode(...digest)) : bytesToHex(digest);
}
