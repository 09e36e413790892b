import { CentavoError } from "../errors/centavo-error.ts";
import { ApiError } from "../service/api-error.ts";
import { cardDetails } from "../service/payment-methods/schema.ts";
import type { CardDetails } from "../service/payment-methods/schema.ts";
import type { PaymentWorld } from "./payment-service.ts";

/**
 * Keeps a card that a test made up, and answers its reusable id.
 * @throws {CentavoError} `INVALID_OPTION` for what is no card
 */
export function mintCard({ engine, paymentMethods }: PaymentWorld, card: CardDetails): string {
  const details = cardDetails.safeParse(card);
  if (!details.success) {
    throw refused(details.error.issues.map(({ path, message }) => [...path, message].join(" ")).join("; "));
  }
  try {
    const id = engine.unit(() => paymentMethods.mint(details.data).id);
    engine.inputs?.add("mint", { card: details.data });
    return id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw refused("cardNumber fails the Luhn check; testMethods lists the numbers to use");
  }
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `paymentMethods.create: ${why}.`);
}
