import { declineCodes } from "../decline-codes.ts";
import type { DeclineCode } from "../decline-codes.ts";
import { defineFixture, planned } from "../fixture.ts";
import type { Site, StatusOptions, Step, Subject } from "../fixture.ts";
import { declineWith } from "../payment-intents/fixture.ts";
import { declinedPayments, withoutCustomer } from "../payment-methods/declined-payments.ts";
import { subscriptions as resource } from "./resource.ts";
import type { subscriptionRoutes } from "./routes.ts";
import { createPlanBody, initiateBody, invoiceStatus, subscriptionStatus } from "../schemas/subscriptions.ts";
import type {
  CreatePlanBody,
  InitiateBody,
  InitiatedSubscription,
  InvoiceStatus,
  InvoiceView,
  PlanView,
  SubscriptionStatus,
  SubscriptionView,
} from "../schemas/subscriptions.ts";
import type { SubscriptionReaders } from "./views.ts";

const subscriptionDeclines = {
  incomplete: withoutCustomer,
  past_due: {},
  unpaid: { processor_unavailable: "the processor is back for the next retry, which succeeds" },
} as const;
const invoiceDeclines = { open: {} } as const;

/** A subscription: its status, `active` by default, and the fields it is created with. */
export type SubscriptionOptions = StatusOptions<SubscriptionStatus, typeof subscriptionDeclines> &
  Partial<InitiateBody>;
/** An invoice: its status, `open` by default, and fields of its subscription. */
export type InvoiceOptions = StatusOptions<InvoiceStatus, typeof invoiceDeclines> & Partial<InitiateBody>;

export interface PlanMaker {
  /** Creates a plan of the first merchant, monthly by default. */
  plan(overrides?: Partial<CreatePlanBody>): Promise<PlanView>;
}

export interface SubscriptionMaker {
  /**
   * Creates a subscription of the first merchant and brings it to a status. It gets a new plan unless `planId` names one. The clock moves
   * as far as needed: a day to `incomplete_cancelled`, a billing cycle to `past_due`, three days more to `unpaid` (`subscription.retries`). A `decline` is that of
   * the latest payment.
   *
   * @example
   * const subscription = await make.subscription({ status: "past_due", decline: "stolen_card" });
   */
  subscription(options?: SubscriptionOptions): Promise<SubscriptionView>;
}

export interface InvoiceMaker {
  /** Creates a subscription of the first merchant and brings one of its invoices to a status. A `decline` applies to its latest payment. */
  invoice(options?: InvoiceOptions): Promise<InvoiceView>;
}

type Where = Site<(typeof subscriptionRoutes)[number], SubscriptionReaders>;
type Subscribed = Subject<Where, InitiatedSubscription>;
type Steps = readonly Step<Subscribed, SubscriptionStatus>[];

const pay =
  (paymentMethodId: string) =>
  ({ call, made: { id } }: Subscribed) =>
    planned(call("subscription.process-payment", { body: { subscriptionId: id, paymentMethodId } }));

/** Changes the payment method, which is then charged at once with what is owed. */
const changeMethod =
  (paymentMethodId: string) =>
  ({ call, made: { id } }: Subscribed) =>
    planned(call("subscription.change-payment-method", { params: { subscriptionId: id }, body: { paymentMethodId } }));

/** A first payment, and a method that is declined from the first renewal on, with the code unless the code needs a customer. */
const activeUntilRenewal = (decline: DeclineCode | undefined): Steps =>
  decline === undefined || declinedPayments[decline].customer !== undefined
    ? [pay("pm_card_declines_renewals"), { until: "active" }]
    : [pay("pm_card_approved"), { until: "active" }, changeMethod(declinedPayments[decline].method)];
/** A payment of what is owed, if the decline needs a customer. */
const declinedByCustomer = (decline: DeclineCode | undefined): Steps =>
  decline === undefined || declinedPayments[decline].customer === undefined
    ? []
    : [...declineWith(decline, changeMethod), { untilDeclined: decline }];

const offSession = {
  decline: "3D_SECURE_REQUIRED",
  assumption: "subscription.off-session-challenge",
  value: "redirect",
} as const;

/** Where a first payment has one try alone, a decline leaves nothing to be paid. */
const endedAtOnce = (status: string) =>
  declineCodes.map(
    (decline) => ({ status, decline, assumption: "subscription.first-failure", value: "expire" }) as const,
  );

export const plans = defineFixture<PlanMaker, Where>()({
  make: "plan",
  body: createPlanBody,
  fields: Object.keys(createPlanBody.shape),
  begin(data, fields) {
    const body = { ...data.plan(), ...fields };
    return ({ call }) => call("subscription-plan.create", { body });
  },
  view: (_site, plan) => plan,
});

export const subscriptions = defineFixture<SubscriptionMaker, Where>()({
  make: "subscription",
  lifecycle: "subscription",
  events: {
    "subscription.activated": "active",
    "subscription.past_due": "past_due",
    "subscription.unpaid": "unpaid",
    "subscription.cancelled": "cancelled",
    "subscription.invoice.paid": "active",
    "subscription.invoice.payment_failed": "past_due",
  },
  tells: {
    "subscription.activated": "the first payment succeeded, and the subscription is active",
    "subscription.past_due": "the payment of a renewal was declined, and the service will try again",
    "subscription.unpaid": "the payment of a renewal was declined after all retries",
    "subscription.cancelled": "the subscription was cancelled",
    "subscription.invoice.paid": "the invoice of a billing cycle was paid",
    "subscription.invoice.payment_failed": "a payment of an invoice was declined",
  },
  statuses: subscriptionStatus.options,
  usual: "active",
  declined: subscriptionDeclines,
  ruledOut: [offSession, ...endedAtOnce("incomplete")],
  body: initiateBody,
  fields: Object.keys(initiateBody.shape),
  begin(data, { planId: given, ...fields }) {
    const { name, email } = data.contact();
    const body = { contact: { name, email }, externalId: data.externalId("member"), ...fields };
    const plan = given === undefined ? data.plan() : { id: given };
    return async ({ call }) => {
      const { id: planId } = "id" in plan ? plan : await call("subscription-plan.create", { body: plan });
      return call("subscription.initiate", { body: { ...body, planId } });
    };
  },
  steps: {
    incomplete: (decline) => (decline === undefined ? [] : [...declineWith(decline, pay), { untilDeclined: decline }]),
    incomplete_cancelled: [{ until: "incomplete_cancelled" }],
    active: [pay("pm_card_approved"), { until: "active" }],
    past_due: (decline) => [...activeUntilRenewal(decline), { until: "past_due" }, ...declinedByCustomer(decline)],
    unpaid: (decline) => [
      ...activeUntilRenewal(decline),
      { until: "past_due" },
      { until: "unpaid" },
      ...declinedByCustomer(decline),
    ],
    cancelled: [({ call, made: { id } }) => call("subscription.cancel", { params: { subscriptionId: id } })],
  },
  intent({ of }, { id }) {
    const { billing } = of(resource);
    // Of several open invoices, the oldest is charged.
    return billing.intentOf(billing.openOf(id)[0] ?? billing.latestOf(id));
  },
  view: ({ sim }, { id }) => sim.subscriptions.get(id),
});

export const invoices = defineFixture<InvoiceMaker, Where, SubscriptionView>()({
  make: "invoice",
  lifecycle: "invoice",
  statuses: invoiceStatus.options,
  usual: "open",
  declined: invoiceDeclines,
  ruledOut: [
    { status: "void", assumption: "subscription.cancel", value: "keep" },
    offSession,
    ...endedAtOnce("open").filter(({ decline }) => !Object.hasOwn(withoutCustomer, decline)),
  ],
  fields: Object.keys(initiateBody.shape),
  from({ status, decline }) {
    if (status === "paid") return [subscriptions, "active"];
    if (status === "void") return [subscriptions, "cancelled"];
    // Some declines happen only at renewals.
    return [
      subscriptions,
      decline !== undefined && Object.hasOwn(withoutCustomer, decline) ? "past_due" : "incomplete",
    ];
  },
  begin:
    () =>
    async ({ of }, subscription) =>
      of(resource).billing.latestOf(subscription.id),
  intent: ({ of }, invoice) => of(resource).billing.intentOf(invoice),
  view: ({ sim }, { id }) => sim.invoices.get(id),
});
