import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;

/**
 * Whether the payment service sent this body, and sent it recently. The header `X-Webhook-Signature` is `t=<unix seconds>,te=<hex>,li=<hex>`:
 * an HMAC-SHA-256 over `<t>.<raw body>` with the webhook secret. The test service puts it into `te`, and the live service into `li`.
 */
export function isFromPaymentService(header: string | undefined, rawBody: Buffer, secret: string): boolean {
  const parts = new Map((header ?? "").split(",").map((part) => part.split("=", 2) as [string, string]));
  const stamp = parts.get("t") ?? "";
  const age = Math.abs(Date.now() / 1000 - Number(stamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac("sha256", secret).update(`${stamp}.`).update(rawBody).digest();
  return [parts.get("te"), parts.get("li")].some((signature) => {
    const given = Buffer.from(signature ?? "", "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
