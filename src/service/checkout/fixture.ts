import { defineFixture, planned } from "../fixture.ts";
import type { Site, StatusOptions, Subject } from "../fixture.ts";
import { declineWith } from "../payment-intents/fixture.ts";
import { paymentIntents } from "../payment-intents/resource.ts";
import { withoutCustomer } from "../payment-methods/declined-payments.ts";
import type { checkoutRoutes } from "./routes.ts";
import { checkoutStatus, createCheckoutBody } from "../schemas/checkout.ts";
import type { CheckoutStatus, CreateCheckoutBody, CreatedCheckout } from "../schemas/checkout.ts";
import type { CheckoutReaders, CheckoutView } from "./views.ts";

const checkoutDeclines = { failed: withoutCustomer };

/** A checkout session: its status, `pending` by default, and the fields it is created with. */
export type CheckoutOptions = StatusOptions<CheckoutStatus, typeof checkoutDeclines> & Partial<CreateCheckoutBody>;

export interface CheckoutMaker {
  /** Creates a checkout session of the first merchant and brings it to a status. If that takes time, the clock moves. */
  checkout(options?: CheckoutOptions): Promise<CheckoutView>;
}

type Where = Site<(typeof checkoutRoutes)[number], CheckoutReaders>;

const sessionOf = ({ sim }: Where, { id }: CreatedCheckout) => sim.checkouts.get(id) as CheckoutView;

const pay = (paymentMethodId: string) => (subject: Subject<Where, CreatedCheckout>) => {
  const { sessionToken } = sessionOf(subject, subject.made);
  return planned(subject.call("checkout.process", { params: { sessionToken }, body: { paymentMethodId } }));
};

export const checkouts = defineFixture<CheckoutMaker, Where>()({
  make: "checkout",
  lifecycle: "checkout",
  events: {
    "checkout.processing": "processing",
    "checkout.completed": "completed",
    "checkout.failed": "failed",
    "checkout.cancelled": "cancelled",
    "checkout.expired": "expired",
  },
  tells: {
    "checkout.processing": "the customer paid on the hosted page, and the processor has not decided yet",
    "checkout.completed": "the payment of the session succeeded",
    "checkout.failed": "the payment of the session was declined, as often as the customer may try",
    "checkout.cancelled": "the customer cancelled on the hosted page",
    "checkout.expired": "the session expired before the customer paid",
  },
  statuses: checkoutStatus.options,
  usual: "pending",
  declined: checkoutDeclines,
  ruledOut: [{ status: "processing", assumption: "checkout.moves", value: "hide-processing" }],
  body: createCheckoutBody,
  fields: Object.keys(createCheckoutBody.shape),
  begin(data, fields) {
    const order = data.order(fields.amount);
    const { name, email, phone } = data.contact();
    const { receiver: webhookUrl } = data;
    const returnUrl = new URL("/return", webhookUrl).href;
    const body = { ...order, contact: { name, email, contact: phone }, webhookUrl, returnUrl, ...fields };
    return ({ call }) => call("checkout.create", { body });
  },
  steps: {
    pending: [],
    processing: [pay("pm_card_approved")],
    completed: [pay("pm_card_approved"), { until: "completed" }],
    failed(decline = "generic_decline", assumptions) {
      const tryAgain = [...declineWith(decline, pay), { until: "pending" } as const];
      const furtherTries = Array.from({ length: assumptions.value("checkout.retry") }, () => tryAgain);
      return [...furtherTries.flat(), ...declineWith(decline, pay), { until: "failed" }];
    },
    cancelled: [(subject) => subject.sim.customer.cancel(sessionOf(subject, subject.made).checkoutUrl)],
    expired: [{ until: "expired" }],
  },
  intent: (site, made) => site.of(paymentIntents).get(sessionOf(site, made).intentId),
  view: ({ sim }, { id }) => sim.checkouts.get(id),
});
