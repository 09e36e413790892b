/** Verifies webhooks in a merchant's code, and signs them in tests. */
export { CentavoError } from "./kit/base/errors/centavo-error.ts";
export { signWebhook } from "./kit/webhooks/signatures/signature.ts";
export type { WebhookScheme, WebhookToSign } from "./kit/webhooks/signatures/signature.ts";
export { verifyWebhook } from "./service/verify-webhook.ts";
export type { EventType, WebhookEvent } from "./service/names.ts";
export type { Moment, ReceivedWebhook, VerifyWebhookOptions } from "./kit/webhooks/signatures/verify.ts";
