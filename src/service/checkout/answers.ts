import { filledPath } from "../../kit/http/route-path.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { CheckoutRow } from "./machine.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { CheckoutSession, CheckoutStatus, CreatedCheckout, PolledCheckout } from "../schemas/checkout.ts";
import type { PagePlace } from "../payment-intents/next-action.ts";

/**
 * The answer to the creation of a session (2.5).
 * @param fee in centavos
 */
export function createdSession(
  session: CheckoutRow,
  status: CheckoutStatus,
  fee: number,
  { publicUrl, paths }: PagePlace,
): CreatedCheckout {
  const { sessionToken, amount, description, expiresAt } = session.data;
  return {
    id: session.id,
    sessionToken,
    amount,
    fee,
    description,
    checkoutUrl: publicUrl + filledPath(paths.session, { sessionToken }),
    expiresAt: toTimestamp(expiresAt),
    status,
    createdAt: toTimestamp(session.createdAt),
  };
}

/** A session as the administrator and the transactions API see it. */
export function shownSession(
  created: CreatedCheckout,
  { data, updatedAt }: CheckoutRow,
  intent: IntentRow,
): CheckoutSession {
  const { externalId, contact, metadata, isThirdParty, transactionId } = data;
  const { method } = intent.data;
  return {
    ...created,
    externalId,
    contact: {
      name: contact.name ?? "",
      email: contact.email ?? "",
      ...(contact.phone === undefined ? {} : { contact: contact.phone }),
    },
    ...(metadata === undefined ? {} : { metadata }),
    isThirdParty,
    ...(method === undefined ? {} : { paymentMethod: { id: method.id, type: method.kind } }),
    transactionId,
    updatedAt: toTimestamp(updatedAt),
  };
}

/** The answer to a poll for the status of a session (`checkout.bodies`). */
export function polledSession({ data, updatedAt }: CheckoutRow, status: CheckoutStatus): PolledCheckout {
  return {
    sessionToken: data.sessionToken,
    status,
    transactionId: data.transactionId,
    updatedAt: toTimestamp(updatedAt),
  };
}
