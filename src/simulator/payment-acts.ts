import { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { ApiError } from "../service/api-error.ts";
import type { PaymentIntents } from "../service/payment-intents/commands.ts";
import type { PaymentMethods } from "../service/payment-methods/commands.ts";
import { cardDetails } from "../service/payment-methods/schema.ts";
import type { CardDetails } from "../service/payment-methods/schema.ts";
import { act, kitActs } from "./acts.ts";

export interface PaymentParts {
  readonly engine: Engine;
  readonly intents: PaymentIntents;
  readonly paymentMethods: PaymentMethods;
}

/** Every act of a test on this service. */
export const acts = {
  ...kitActs,
  /** `sim.intents.cancel`, in the place of the service's back office (`intent.cancel`) */
  cancel: act({
    schema: z.strictObject({ intent: z.string() }),
    perform: ({ engine, intents }: PaymentParts, { intent }) => engine.unit(() => intents.cancel(intent)),
  }),
  /** `sim.paymentMethods.create`, which keeps a card that the test made up and returns its reusable id */
  mint: act({
    schema: z.strictObject({ card: z.record(z.string(), z.string()) }),
    read: (_parts: PaymentParts, { card }) => ({ card: readCard(card) }),
    perform({ engine, paymentMethods }: PaymentParts, { card }) {
      try {
        return engine.unit(() => paymentMethods.mint(card as CardDetails).id);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw refused("cardNumber fails the Luhn check; testMethods lists the numbers to use");
      }
    },
  }),
};

function readCard(card: unknown): CardDetails {
  const { data, error } = cardDetails.safeParse(card);
  if (data !== undefined) return data;
  throw refused(error.issues.map(({ path, message }) => [...path, message].join(" ")).join("; "));
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `paymentMethods.create: ${why}.`);
}
