import * as z from "zod/mini";
import { anyText } from "../../kit/engine/row-schema.ts";
import { act } from "../../kit/declaration/act.ts";
import { readerOf } from "../../kit/declaration/reader.ts";
import { paymentMethods } from "../payment-methods/resource.ts";
import { defineResource } from "../resource.ts";
import { paymentIntentLifecycle, PaymentIntents } from "./commands.ts";
import type { IntentRow } from "./machine.ts";
import { intentEventContent } from "./events.ts";
import { paymentIntentRoutes } from "./routes.ts";
import { intentEvent, intentEventTypes, intentStatus } from "../schemas/payment-intents.ts";
import { statusOf } from "./status.ts";
import { intentView } from "./views.ts";
import type { IntentReaders } from "./views.ts";

/** Payment intents and the challenge page (4.1). */
export const paymentIntents = defineResource<PaymentIntents>()({
  name: "payment-intents",
  lifecycles: [{ lifecycle: paymentIntentLifecycle, statusOf, status: intentStatus, forgottenWith: "payments" }],
  open: (ground, of) => new PaymentIntents({ ...ground, paymentMethods: of(paymentMethods) }),
  routes: paymentIntentRoutes,
  tags: {
    "payment-intent": "Payments that the merchant confirms from its own page or app",
    challenge: "The bank's or wallet's page, which the customer's browser opens",
  },
  events: {
    name: "payment_intent",
    summary: "The status of a payment intent changed",
    announced: intentEventTypes,
    schema: intentEvent,
    assumes: ["webhook.intent"],
    tell({ row }, intents) {
      const intent = row as IntentRow;
      // The intent of a checkout session is never shown (`checkout.payment`).
      if (intent.data.purpose === "checkout") return undefined;
      const { merchantId, webhookUrl } = intent.data;
      return { merchantId, webhookUrl, content: intentEventContent(intent, intents) };
    },
  },
  acts: {
    /** `sim.intents.cancel`, in the role of the service's back office (`intent.cancel`) */
    cancel: act({
      schema: z.strictObject({ intent: anyText }),
      perform: (intents: PaymentIntents, { intent }) => intents.cancel(intent),
    }),
  },
  view: (intents): IntentReaders => ({
    intents: readerOf("intents", intents.rows, (intent) => intentView(intent, intents), {
      status: intentStatus.options,
    }),
  }),
});
