import { statusOf as intentStatusOf } from "../../service/payment-intents/schema.ts";
import { DeliveryByHand } from "../../testing/hostile/delivery-by-hand.ts";
import { headersOf, signDelivery, withSignature } from "../../testing/hostile/delivery-signature.ts";
import { changed, eventAbout, paidStatus, pay } from "../../testing/hostile/order-payment.ts";
import type { PaymentEvent } from "../../testing/hostile/order-payment.ts";
import { findPayment } from "../../testing/hostile/payments.ts";
import type { OrderPayment } from "../../testing/hostile/payments.ts";
import type { Stage } from "./stage.ts";

/** Sends the merchant an event that says that a payment succeeded which nobody has paid, for each open payment of a customer. */
export async function forgeEvents(
  stage: Stage,
  id: string,
  signature: "none" | "wrong" | "other merchant",
): Promise<void> {
  const { sim, course, time } = stage;
  const byHand = new DeliveryByHand(sim);
  await course.rest();
  for (const payment of openPayments(stage, id)) {
    await stage.readBooks("unforged");
    const event = await course.alone(promised(stage, payment, byHand));
    if (event === undefined) continue;
    const { signing, stamp } = byHand;
    const secret = signature === "other merchant" ? byHand.newSecret() : event.secret;
    const signed = signDelivery({
      ...signing,
      eventId: event.id,
      secret,
      body: event.text,
      stamp: Math.floor(stamp / 1000),
    });
    const headers =
      signature === "none" ? {} : headersOf(signature === "wrong" ? withSignature(signed, "0".repeat(64)) : signed);
    const request = new Request(event.url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: event.text,
    });
    const delivered = stage.exchange({ kind: "event" }, request).catch(() => undefined);
    await course.until(delivered, time.now);
    await stage.readBooks("forged");
  }
}

/** Opens the way back of each open payment of a customer, with the status of a success in its query. */
export async function typeTheWayBack(stage: Stage, id: string): Promise<void> {
  const { course, time } = stage;
  await course.rest();
  for (const payment of openPayments(stage, id)) {
    await stage.readBooks("unforged");
    const { kind, id: paymentId, externalId, returnUrl } = payment;
    if (returnUrl === undefined) continue;
    const url = new URL(returnUrl);
    url.searchParams.set(kind === "checkout" ? "sessionToken" : "intentId", paymentId);
    if (externalId !== undefined) url.searchParams.set("externalId", externalId);
    url.searchParams.set("status", paidStatus(payment));
    const visited = stage.exchange({ kind: "act", id }, new Request(url)).catch(() => undefined);
    await course.until(visited, time.now);
    await stage.readBooks("forged");
  }
}

/** Returns what a customer could still pay. */
export function openPayments({ sim, seen }: Stage, id: string): OrderPayment[] {
  const { intents, checkout } = sim.internals.parts;
  return sim.intents
    .list()
    .filter((intent) => seen.owners.get(subscriptionOf(sim, intent.id) ?? intent.id) === id)
    .flatMap(({ id: intentId, purpose, sessionToken }) => {
      if (purpose === "checkout") {
        const session = checkout.byToken(sessionToken);
        const payment = session && findPayment(sim, "checkout", sessionToken);
        return payment?.status === "pending" ? [payment] : [];
      }
      const row = intents.get(intentId);
      const status = row && intentStatusOf[row.state];
      const payment = findPayment(sim, "payment_intent", intentId);
      return payment !== undefined && (status === "requires_action" || status === "requires_payment_method")
        ? [payment]
        : [];
    });
}

/** Returns the subscription whose latest invoice a payment is to pay. */
function subscriptionOf(sim: Stage["sim"], intentId: string): string | undefined {
  return sim.subscriptions.list().find(({ latestInvoice }) => latestInvoice.paymentIntent.id === intentId)?.id;
}

/** Returns the event that the payment would announce, out of a fork in which it is paid. */
async function promised(
  { sim }: Stage,
  payment: OrderPayment,
  byHand: DeliveryByHand,
): Promise<PaymentEvent | undefined> {
  const future = sim.fork();
  try {
    future.faults.clear();
    await pay(future, payment);
    const subscription = subscriptionOf(sim, payment.id);
    const event =
      subscription === undefined ? eventAbout(future, payment, paidStatus(payment)) : activation(future, subscription);
    return event && changed(sim, event, { id: byHand.newId("evt") });
  } catch {
    return undefined;
  } finally {
    await future.close();
  }
}

/** Returns the event that says that a subscription is active. */
function activation(sim: Stage["sim"], subscription: string): PaymentEvent | undefined {
  const byHand = new DeliveryByHand(sim);
  const event = byHand.events().findLast(({ type }) => type === "subscription.activated");
  if (event?.url === undefined) return undefined;
  const { id, type, url } = event;
  const text = byHand.bodyOf(event);
  return text.includes(subscription) ? { id, type, url, secret: byHand.secretOf(event.merchantId), text } : undefined;
}
