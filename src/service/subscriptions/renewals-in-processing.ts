import { addDuration } from "../../kit/engine/duration.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { Subscriptions } from "./commands.ts";

const OWNER = "renewals-in-processing";

/**
 * Warns of a renewal that is in `processing` for more than a day. Its subscription stays `active` meanwhile, because no payment has failed
 * (`subscription.open-invoices`), so nothing else tells the test that the invoice is not paid.
 */
export class RenewalsInProcessing {
  readonly #engine: Engine;

  constructor(engine: Engine, subscriptions: Pick<Subscriptions, "get" | "billing">) {
    this.#engine = engine;
    engine.onTimer(
      OWNER,
      ({ subject }) => {
        const invoice = subscriptions.billing.get(subject);
        if (invoice === undefined || subscriptions.billing.intentOf(invoice).state !== "processing") return;
        const subscription = subscriptions.get(invoice.data.subscriptionId);
        if (subscription?.state !== "active") return;
        engine.note("warning", {
          message: `The payment of invoice ${invoice.data.number} has been in processing for more than a day. The subscription ${subscription.id} stays active until that payment fails, and its later invoices wait.`,
        });
      },
      { inWords: ({ subject }) => `invoice ${subject}: a warning if its payment is still in processing` },
    );
  }

  /** Sets the warning for a renewal whose payment has begun, unless it will be decided within a day. Only the first payment can hold up an active subscription. */
  begins({ id, data: { firstFailureAt } }: InvoiceRow, { data: { decidesAt } }: IntentRow): void {
    const dayLater = addDuration(this.#engine.now, "1 day");
    if (firstFailureAt === undefined && (decidesAt === undefined || decidesAt > dayLater))
      this.#engine.schedule(OWNER, id, "warning", dayLater, { type: "warn" });
  }
}
