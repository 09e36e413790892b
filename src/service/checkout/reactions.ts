import type { Fact } from "../../kit/engine/facts.ts";
import type { PaymentIntents } from "../payment-intents/commands.ts";
import type { Checkout } from "./commands.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { CheckoutRow } from "./machine.ts";

/** Moves a session after its intent has moved, and cancels the intent of a session that has ended (`checkout.moves`). */
export function checkoutReactions(checkout: Checkout, intents: PaymentIntents): (fact: Fact) => void {
  return ({ type, resource, row }) => {
    if (resource === "payment_intent") checkout.settle(row as IntentRow);
    else if (type === "checkout.cancelled" || type === "checkout.expired")
      intents.cancelWithOwner(checkout.intentOf(row as CheckoutRow));
  };
}
