import { statusOf as checkoutStatusOf } from "../../service/checkout/status.ts";
import { statusOf as intentStatusOf } from "../../service/payment-intents/status.ts";
import type { Simulator } from "../../simulator/simulator.ts";

/** The payment behind a merchant's order: an intent or a checkout session. */
export interface OrderPayment {
  readonly kind: "payment_intent" | "checkout";
  /** The id of the intent, or the token of the session. */
  readonly id: string;
  readonly status: string;
  /** Centavos. */
  readonly amount: number;
  readonly externalId: string | undefined;
  readonly returnUrl: string | undefined;
  /** Where its events go (`webhook.receiver`). */
  readonly receiver: string | undefined;
  /** The client key that confirms an intent; a session has none. */
  readonly clientKey: string | undefined;
  /** The id of the intent with an open challenge, if there is one. */
  readonly challenged: string | undefined;
}

/** Finds a payment by the id of its intent or the token of its session. */
export function findPayment(sim: Simulator, kind: OrderPayment["kind"], id: string): OrderPayment | undefined {
  return kind === "payment_intent" ? intentPayment(sim, id) : checkoutPayment(sim, id);
}

function intentPayment({ internals }: Simulator, id: string): OrderPayment | undefined {
  const { intents, merchants } = internals.parts;
  const intent = intents.get(id);
  if (intent === undefined) return undefined;
  const { amount, externalId, returnUrl, webhookUrl, clientKey, merchantId } = intent.data;
  const status = intentStatusOf[intent.state];
  return {
    kind: "payment_intent",
    id,
    status,
    amount,
    externalId,
    returnUrl,
    receiver: webhookUrl ?? merchants.get(merchantId)?.webhookUrl,
    clientKey,
    challenged: status === "requires_action" ? id : undefined,
  };
}

function checkoutPayment({ internals }: Simulator, id: string): OrderPayment | undefined {
  const session = internals.parts.checkout.byToken(id);
  if (session === undefined) return undefined;
  const { amount, externalId, returnUrl, webhookUrl, challengeOpen, intentId } = session.data;
  return {
    kind: "checkout",
    id,
    status: checkoutStatusOf[session.state],
    amount,
    externalId,
    returnUrl,
    receiver: webhookUrl,
    clientKey: undefined,
    challenged: session.state === "processing" && challengeOpen === true ? intentId : undefined,
  };
}
