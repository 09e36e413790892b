import { verifySignature } from "../webhooks/signatures/verify.ts";
import type { ReceivedWebhook, VerifyWebhookOptions } from "../webhooks/signatures/verify.ts";

/** The body of an event. Every event has at least these members; the assumptions `webhook.intent` and the like name the others. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly [field: string]: unknown;
}

/**
 * Verifies a webhook and returns its event. A `Request` is read for you. Anything else must bring the raw body, because the signature is
 * over bytes, and JSON that was parsed and written again has other bytes.
 *
 * The assumptions `webhook.signature`, `webhook.stamp` and `auth.secrets` say how events are signed.
 *
 * @param webhook a `Request`, or its headers and raw body
 * @param secret the merchant's webhook secret, `whsec_…`
 * @throws {CentavoError} `WEBHOOK_VERIFICATION_FAILED` when the webhook cannot be trusted: its signature is missing, malformed or wrong,
 * its stamp is out of tolerance, or its body is not a JSON object or was parsed before. `INVALID_OPTION` when the secret or an option
 * cannot be used.
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
  return (await verifySignature(webhook, secret, options)) as Event;
}
