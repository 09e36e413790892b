import type { ByStatus } from "../../kit/declaration/filter.ts";
import type { Reader } from "../../kit/declaration/reader.ts";
import type { Checkout } from "./commands.ts";
import type { CheckoutRow } from "./machine.ts";
import type { CheckoutSession, CheckoutStatus } from "../schemas/checkout.ts";

/** A checkout session as a test sees it. */
export interface CheckoutView extends CheckoutSession {
  /** The merchant whose session it is. */
  readonly merchantId: string;
  /** The intent by which it is paid, for `sim.intents.get`. */
  readonly intentId: string;
  readonly returnUrl: string;
  readonly webhookUrl: string;
}

/** How a test reads checkout sessions. */
export interface CheckoutReaders {
  /**
   * Checkout sessions. `get` takes the id or the session token.
   *
   * @example
   * console.log(sim.checkouts.get(sessionToken)?.status);
   */
  readonly checkouts: Reader<CheckoutView, ByStatus<CheckoutStatus>>;
}

export function checkoutView(session: CheckoutRow, checkout: Checkout, baseUrl: string): CheckoutView {
  const { merchantId, intentId, returnUrl, webhookUrl } = session.data;
  return { ...checkout.view(session, baseUrl), merchantId, intentId, returnUrl, webhookUrl };
}
