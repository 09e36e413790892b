import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { CheckoutRow } from "./machine.ts";
import { statusOf } from "./schema.ts";
import type { CreatedCheckout, PolledCheckout } from "./schema.ts";

/**
 * The answer to the creation of a session (2.5).
 * @param fee in centavos
 */
export function createdSession(session: CheckoutRow, fee: number, publicUrl: string): CreatedCheckout {
  const { sessionToken, amount, description, expiresAt } = session.data;
  return {
    id: session.id,
    sessionToken,
    amount,
    fee,
    description,
    checkoutUrl: `${publicUrl}/pay/${sessionToken}`,
    expiresAt: toTimestamp(expiresAt),
    status: statusOf[session.state],
    createdAt: toTimestamp(session.createdAt),
  };
}

/** The answer to a poll for the status of a session (`checkout.bodies`). */
export function polledSession({ state, data, updatedAt }: CheckoutRow): PolledCheckout {
  return {
    sessionToken: data.sessionToken,
    status: statusOf[state],
    transactionId: data.transactionId,
    updatedAt: toTimestamp(updatedAt),
  };
}
