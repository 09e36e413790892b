import type { IntentRow } from "../service/payment-intents/commands.ts";
import type { PaymentWorld } from "./payment-service.ts";

/** Cancels an intent in the place of the service's back office (`intent.cancel`). */
export function cancelIntent({ engine, intents }: Pick<PaymentWorld, "engine" | "intents">, id: string): IntentRow {
  const intent = engine.unit(() => intents.cancel(id));
  engine.inputs?.add("cancel", { intent: id });
  return intent;
}
