import type { Checkout } from "./commands.ts";
import type { CheckoutRow } from "./machine.ts";
import type { CheckoutSession } from "./schema.ts";

/** A checkout session as a test sees it. */
export interface CheckoutView extends CheckoutSession {
  readonly returnUrl: string;
  readonly webhookUrl: string;
}

export function checkoutView(session: CheckoutRow, checkout: Checkout, baseUrl: string): CheckoutView {
  const { returnUrl, webhookUrl } = session.data;
  return { ...checkout.view(session, baseUrl), returnUrl, webhookUrl };
}
