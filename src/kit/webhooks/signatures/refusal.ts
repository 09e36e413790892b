import { CentavoError } from "../../base/errors/centavo-error.ts";
import { diagnosticsChannel } from "../../base/runtime/diagnostics.ts";

/** What the channel `centavo:refused-webhook` says of each webhook that `verifyWebhook` refused. */
export interface RefusedWebhook {
  /** Why, as the error says it. */
  readonly message: string;
}

const refusals = diagnosticsChannel<RefusedWebhook>("centavo:refused-webhook");

/** Returns the error of a webhook that cannot be trusted, and publishes it. */
export function refused(why: string, cause?: unknown): CentavoError {
  const options = cause === undefined ? undefined : { cause };
  const error = new CentavoError("WEBHOOK_VERIFICATION_FAILED", `verifyWebhook: ${why}`, options);
  refusals.publish({ message: error.message });
  return error;
}
