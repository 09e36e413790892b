import type { Checkout } from "./commands.ts";
import type { CheckoutRow } from "./machine.ts";
import type { CheckoutSession } from "./schema.ts";

/** A checkout session as a test sees it. */
export interface CheckoutView extends CheckoutSession {
  /** The merchant whose session it is. */
  readonly merchantId: string;
  /** The intent by which it is paid, for `sim.intents.get`. */
  readonly intentId: string;
  readonly returnUrl: string;
  readonly webhookUrl: string;
}

export function checkoutView(session: CheckoutRow, checkout: Checkout, baseUrl: string): CheckoutView {
  const { merchantId, intentId, returnUrl, webhookUrl } = session.data;
  return { ...checkout.view(session, baseUrl), merchantId, intentId, returnUrl, webhookUrl };
}
