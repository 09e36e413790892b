import { statusOf as intentStatusOf } from "../../service/payment-intents/schema.ts";
import { forgedRequest } from "../../merchant/deliveries/forge-delivery.ts";
import { paidStatus } from "../../merchant/deliveries/order-payment.ts";
import { findPayment } from "../../merchant/deliveries/payments.ts";
import type { OrderPayment } from "../../merchant/deliveries/payments.ts";
import { promisedEvent, subscriptionOf } from "../../merchant/deliveries/promised-event.ts";
import type { Stage } from "./stage.ts";

const FORGERIES = { none: "unsigned", wrong: "wrong-signature", "other merchant": "wrong-secret" } as const;

/** Sends the merchant an event that says that a payment succeeded which nobody has paid, for each open payment of a customer. */
export async function forgeEvents(
  stage: Stage,
  id: string,
  signature: "none" | "wrong" | "other merchant",
): Promise<void> {
  const { sim, course, time } = stage;
  await course.rest();
  for (const payment of openPayments(stage, id)) {
    await stage.readBooks("unforged");
    const event = await course.alone(promisedEvent(sim, payment).catch(() => undefined));
    if (event === undefined) continue;
    const request = forgedRequest(sim, event, { kind: FORGERIES[signature] });
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
  // Rows, because every act asks: copies of all views would take longer than the act.
  return intents.rows
    .all()
    .filter((intent) => seen.owners.get(subscriptionOf(sim, intent.id) ?? intent.id) === id)
    .flatMap(({ id: intentId, state, data: { purpose, sessionToken } }) => {
      if (purpose === "checkout") {
        const session = checkout.byToken(sessionToken);
        const payment = session && findPayment(sim, "checkout", sessionToken);
        return payment?.status === "pending" ? [payment] : [];
      }
      const status = intentStatusOf[state];
      const payment = findPayment(sim, "payment_intent", intentId);
      return payment !== undefined && (status === "requires_action" || status === "requires_payment_method")
        ? [payment]
        : [];
    });
}
