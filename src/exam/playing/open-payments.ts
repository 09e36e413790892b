import { statusOf as intentStatusOf } from "../../service/payment-intents/status.ts";
import { findPayment } from "../../merchant/deliveries/payments.ts";
import type { OrderPayment } from "../../merchant/deliveries/payments.ts";
import { subscriptionOf } from "../../merchant/deliveries/promised-event.ts";
import type { StoryRun } from "./story-run.ts";

/** Returns the payments that a customer can still make. */
export function openPayments({ sim, seen }: StoryRun, id: string): OrderPayment[] {
  const { intents, checkout } = sim.internals.parts;
  // Rows instead of views, because copying all views after every act would take longer than the act.
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
