import type { Simulator } from "../../simulator/simulator.ts";
import { DeliveryByHand } from "./delivery-by-hand.ts";
import { changed, eventAbout, paidStatus, pay } from "./order-payment.ts";
import type { PaymentEvent } from "./order-payment.ts";
import type { OrderPayment } from "./payments.ts";

/**
 * Returns the event, with a new id, that an unpaid payment would announce if its customer paid. A fork without faults makes the payment.
 * For a subscription's payment, it is the event that says that the subscription is active.
 * @throws {CentavoError} `INVALID_OPTION` when the payment cannot succeed, or has no event
 */
export async function promisedEvent(sim: Simulator, payment: OrderPayment): Promise<PaymentEvent> {
  const future = sim.fork();
  try {
    future.faults.clear();
    await pay(future, payment);
    const subscription = subscriptionOf(sim, payment.id);
    const activated = subscription === undefined ? undefined : activation(future, subscription);
    const event = activated ?? eventAbout(future, payment, paidStatus(payment));
    return changed(sim, event, { id: new DeliveryByHand(sim).newId("evt") });
  } finally {
    await future.close();
  }
}

/** Returns the subscription that a payment is for, if it pays the latest invoice. */
export function subscriptionOf({ internals }: Simulator, intentId: string): string | undefined {
  const { billing } = internals.parts.subscriptions;
  const invoice = billing.byIntent(intentId);
  const subscription = invoice?.data.subscriptionId;
  return subscription !== undefined && billing.latestOf(subscription).id === invoice?.id ? subscription : undefined;
}

/** Returns the event that says that a subscription is active. */
function activation(sim: Simulator, subscription: string): PaymentEvent | undefined {
  const byHand = new DeliveryByHand(sim);
  const event = byHand.events().findLast(({ type }) => type === "subscription.activated");
  if (event?.url === undefined) return undefined;
  const text = event.body;
  return text.includes(subscription) ? byHand.eventOf(event) : undefined;
}
