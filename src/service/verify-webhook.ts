import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { AssumptionOverrides } from "./assumption-table.ts";
import type { WebhookEvent } from "./names.ts";
import { Reading } from "./wire/reading.ts";
import { verifySignature } from "../kit/webhooks/signatures/verify.ts";
import type { ReceivedWebhook, VerifyWebhookOptions } from "../kit/webhooks/signatures/verify.ts";

/** How strictly a webhook is verified, and how its event is read. */
export interface VerifyOptions extends VerifyWebhookOptions {
  /**
   * The values that the service's assumptions have, as `createSimulator` takes them in an object. The event is read into the shape of the
   * service document, whatever `webhook.checkout`, `webhook.intent` and `webhook.subscription` say. Its signature is read in the scheme and
   * header of `webhook.signature`, unless `scheme` or `headerName` says otherwise.
   */
  readonly assumptions?: AssumptionOverrides | undefined;
}

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
  options: VerifyOptions = {},
): Promise<Event> {
  refuseUnknownOptions("verifyWebhook", options, ["tolerance", "now", "scheme", "headerName", "mode", "assumptions"]);
  const { assumptions, ...how } = options;
  const event = await verifySignature(webhook, secret, { ...signatureUnder(assumptions), ...how });
  return (assumptions === undefined ? event : new Reading(assumptions, "verifyWebhook").event(event)) as Event;
}

function signatureUnder({ "webhook.signature": signature }: AssumptionOverrides = {}): VerifyWebhookOptions {
  if (typeof signature !== "object") return signature === undefined ? {} : { scheme: signature };
  return { scheme: signature.scheme, headerName: signature.header };
}
