import { CentavoError } from "../../base/errors/centavo-error.ts";
import { diagnosticsChannel } from "../../base/runtime/diagnostics.ts";

/** A message of the channel `centavo:refused-webhook`: a webhook that `verifyWebhook` refused. */
export interface RefusedWebhook {
  /** The error's message. */
  readonly message: string;
}

const refusals = diagnosticsChannel<RefusedWebhook>("centavo:refused-webhook");

/** Makes the error for a webhook that cannot be trusted, and publishes it. */
export function refused(why: string, cause?: unknown): CentavoError {
  const options = cause === undefined ? undefined : { cause };
  const error = new CentavoError("WEBHOOK_VERIFICATION_FAILED", `verifyWebhook: ${why}`, options);
  refusals.publish({ message: error.message });
  return error;
}
