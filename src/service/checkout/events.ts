import type { CheckoutStatus } from "../schemas/checkout.ts";
import type { CheckoutRow } from "./machine.ts";

/** Returns a checkout event's fields, without its id, type and time (`webhook.checkout`). */
export function checkoutEventContent({ data }: CheckoutRow, status: CheckoutStatus): object {
  const { externalId, sessionToken, transactionId, amount, metadata = {} } = data;
  return { status, externalId, sessionToken, transactionId, amount, metadata };
}
