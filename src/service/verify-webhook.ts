import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { WebhookEvent } from "./names.ts";
import { verifySignature } from "../kit/webhooks/signatures/verify.ts";
import type { ReceivedWebhook, VerifyWebhookOptions } from "../kit/webhooks/signatures/verify.ts";

/**
 * Verifies a webhook and returns its event. Reads the body of a `Request`. Any other input must have the raw body, because the signature
 * covers bytes, and JSON that was parsed and serialised again has different bytes.
 *
 * Assumptions: `webhook.signature`, `webhook.stamp`, `auth.secrets`.
 *
 * @param webhook a `Request`, or its headers and raw body
 * @param secret the merchant's webhook secret, `whsec_…`
 * @throws {CentavoError} `WEBHOOK_VERIFICATION_FAILED` when the signature is missing, malformed or wrong, when the timestamp is outside
 * the tolerance, or when the body was already parsed or is not a JSON object. `INVALID_OPTION` when the secret or an option is invalid.
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
  refuseUnknownOptions("verifyWebhook", options, ["tolerance", "now", "scheme", "headerName", "mode"]);
  return (await verifySignature(webhook, secret, options)) as Event;
}
