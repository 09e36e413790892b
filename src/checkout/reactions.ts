import type { Fact } from "../engine/engine.ts";
import { isBeforeProcessing } from "../payment-intents/commands.ts";
import type { IntentRow, PaymentIntents } from "../payment-intents/commands.ts";
import type { Checkout, CheckoutRow } from "./commands.ts";

/** What the facts of embedded intents do to their sessions, and the end of a session to its intent (`checkout.moves`). */
export function checkoutReactions(checkout: Checkout, intents: PaymentIntents): (fact: Fact) => void {
  return (fact) => {
    if (fact.resource === "checkout") endIntent(fact.type, fact.row as CheckoutRow, intents);
    if (fact.resource !== "payment_intent" || (fact.row as IntentRow).data.purpose !== "checkout") return;
    const session = checkout.byIntent(fact.row.id);
    if (session?.state !== "processing") return;
    if (fact.type === "payment_intent.processing" && session.data.challengeOpen === true) checkout.closeChallenge(session);
    else if (fact.type === "payment_intent.succeeded") checkout.settle(session, true);
    else if (fact.type === "payment_intent.failed") checkout.settle(session, false);
  };
}

function endIntent(fact: string, session: CheckoutRow, intents: PaymentIntents): void {
  if (fact !== "checkout.cancelled" && fact !== "checkout.expired") return;
  const intent = intents.get(session.data.intentId);
  if (intent !== undefined && isBeforeProcessing(intent)) intents.cancel(intent.id);
}
