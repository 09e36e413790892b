import * as z from "zod/mini";
import { anyText } from "../../kit/engine/row-schema.ts";
import { act } from "../../kit/declaration/act.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { asPredicate } from "../../kit/base/errors/english.ts";
import { ApiError } from "../api-error.ts";
import type { PaymentMethods } from "./commands.ts";
import { cardDetails } from "../schemas/payment-methods.ts";
import type { CardDetails } from "../schemas/payment-methods.ts";

/** `sim.paymentMethods.create`, which stores a card and returns its reusable id */
export const mint = act({
  schema: z.strictObject({ card: z.record(anyText, anyText) }),
  read: (_: PaymentMethods, { card }) => ({ card: readCard(card) }),
  perform(paymentMethods: PaymentMethods, { card }) {
    try {
      return paymentMethods.mint(card as CardDetails).id;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw refused("cardNumber fails the Luhn check; testMethods lists the numbers to use");
    }
  },
});

function readCard(card: unknown): CardDetails {
  const { data, error } = cardDetails.safeParse(card, asPredicate);
  if (data !== undefined) return data;
  throw refused(error.issues.map(({ path, message }) => [...path, message].join(" ")).join("; "));
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `paymentMethods.create: ${why}.`);
}
