import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether the service sent this body within five minutes. The header is `t=<seconds>,te=<hex>,li=<hex>`: an HMAC-SHA-256 over `<t>.<body>`. */
export function isGenuine(header: string | undefined, body: string, secret: string): boolean {
  const parts = new Map((header ?? "").split(",").map((part) => part.split("=", 2) as [string, string]));
  const stamp = parts.get("t") ?? "";
  if (!(Math.abs(Date.now() / 1000 - Number(stamp)) <= 300)) return false;
  const expected = createHmac("sha256", secret).update(`${stamp}.${body}`).digest();
  return [parts.get("te"), parts.get("li")].some((hex) => {
    const given = Buffer.from(hex ?? "", "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** What the shop reads of an event: of a checkout, or of anything else. */
interface PaymentEvent {
  readonly externalId?: string;
  readonly data?: { readonly attributes?: { readonly externalId?: string } };
}

/** The order or membership that a genuine body is about, if it is about one. */
export function orderOf(body: string): string | undefined {
  try {
    const event = JSON.parse(body) as PaymentEvent | null;
    return event?.externalId ?? event?.data?.attributes?.externalId;
  } catch {
    return undefined;
  }
}
