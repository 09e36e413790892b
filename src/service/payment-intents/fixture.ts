import type { DeclineCode } from "../decline-codes.ts";
import { defineFixture, planned } from "../fixture.ts";
import type { Act, Site, StatusOptions, Subject } from "../fixture.ts";
import { declinedPayments, withoutCustomer } from "../payment-methods/declined-payments.ts";
import { paymentIntents } from "./resource.ts";
import type { paymentIntentRoutes } from "./routes.ts";
import { createIntentBody, intentStatus } from "../schemas/payment-intents.ts";
import type { CreatedIntent, CreateIntentBody, IntentStatus } from "../schemas/payment-intents.ts";
import type { IntentReaders, IntentView } from "./views.ts";

const intentDeclines = { failed: withoutCustomer };

/** A payment intent: its status, `requires_payment_method` by default, and the fields it is created with. */
export type IntentOptions = StatusOptions<IntentStatus, typeof intentDeclines> & Partial<CreateIntentBody>;

export interface IntentMaker {
  /**
   * Creates an intent of the first merchant and brings it to a status. If that takes time, the clock moves.
   *
   * @example
   * const intent = await make.intent({ status: "failed", decline: "insufficient_funds" });
   */
  intent(options?: IntentOptions): Promise<IntentView>;
}

type Where = Site<
  (typeof paymentIntentRoutes)[number],
  IntentReaders & { readonly intents: { cancel(id: string): unknown } }
>;

const confirm =
  (paymentMethodId: string) =>
  ({ call, made: { id } }: Subject<Where, CreatedIntent>) =>
    planned(call("payment-intent.confirm", { params: { intentId: id }, body: { paymentMethodId } }));

async function failChallenge({ sim, intent }: Subject<Site, unknown>): Promise<void> {
  await sim.customer.failAuthentication(intent()?.id);
}

/**
 * Returns the acts that get a payment declined while the customer is present.
 * @param pay pays with a method
 */
export function declineWith<Paying extends Subject<Site, unknown>>(
  decline: DeclineCode,
  pay: (method: string) => Act<Paying>,
): readonly Act<Paying>[] {
  const { method, customer } = declinedPayments[decline];
  return customer === "fails" ? [pay(method), failChallenge] : [pay(method)];
}

export const intents = defineFixture<IntentMaker, Where>()({
  make: "intent",
  lifecycle: "payment_intent",
  events: {
    "payment_intent.requires_action": "requires_action",
    "payment_intent.processing": "processing",
    "payment_intent.succeeded": "succeeded",
    "payment_intent.failed": "failed",
    "payment_intent.canceled": "canceled",
  },
  tells: {
    "payment_intent.requires_action": "the customer has to authenticate the payment, as by 3-D Secure",
    "payment_intent.processing": "the processor has the payment and has not decided yet",
    "payment_intent.succeeded": "the payment succeeded",
    "payment_intent.failed": "the payment failed for good, because it was declined",
    "payment_intent.canceled": "the payment was canceled before it was paid",
  },
  statuses: intentStatus.options,
  usual: "requires_payment_method",
  declined: intentDeclines,
  body: createIntentBody,
  fields: Object.keys(createIntentBody.shape),
  begin(data, fields) {
    const body = { ...data.order(fields.amount), contact: data.contact(), ...fields };
    return ({ call }) => call("payment-intent.create", { body });
  },
  steps: {
    requires_payment_method: [],
    requires_confirmation: [confirm("pm_card_processor_unavailable")],
    requires_action: [confirm("pm_card_challenge")],
    processing: [confirm("pm_card_approved")],
    succeeded: [confirm("pm_card_approved"), { until: "succeeded" }],
    failed: (decline = "generic_decline") => [...declineWith(decline, confirm), { until: "failed" }],
    canceled: [async ({ sim, made: { id } }) => sim.intents.cancel(id)],
  },
  intent: ({ of }, { id }) => of(paymentIntents).get(id),
  view: ({ sim }, { id }) => sim.intents.get(id),
});
