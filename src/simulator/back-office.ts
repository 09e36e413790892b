import type { IntentRow } from "../service/payment-intents/commands.ts";
import type { ServiceParts } from "./service-parts.ts";

/** Cancels an intent in the place of the service's back office (`intent.cancel`). */
export function cancelIntent({ engine, intents }: Pick<ServiceParts, "engine" | "intents">, id: string): IntentRow {
  const intent = engine.unit(() => intents.cancel(id));
  engine.inputs?.add("cancel", { intent: id });
  return intent;
}
