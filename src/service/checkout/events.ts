import { statusOf } from "./schema.ts";
import type { CheckoutRow } from "./machine.ts";

/** Returns a checkout event's fields, without its id, type and time (`webhook.checkout`). */
export function checkoutEventContent({ state, data }: CheckoutRow): object {
  const { externalId, sessionToken, transactionId, amount, metadata = {} } = data;
  return { status: statusOf[state], externalId, sessionToken, transactionId, amount, metadata };
}
