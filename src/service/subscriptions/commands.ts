import type { Assumptions } from "../assumption-table.ts";
import { addDuration } from "../../kit/engine/duration.ts";
import { LifecycleRows } from "../../kit/engine/lifecycle-rows.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import type { Table } from "../../kit/engine/table.ts";
import { Lifecycle } from "../../kit/engine/lifecycle.ts";
import type { InputTo } from "../../kit/engine/lifecycle.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { ApiError } from "../api-error.ts";
import { opensSession } from "../fields.ts";
import { pageOf } from "../list-page.ts";
import type { Charged } from "../payment-intents/charges.ts";
import type { PaymentIntents } from "../payment-intents/commands.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import { confirmationOf } from "../payment-intents/next-action.ts";
import { returnAddressUnder } from "../payment-intents/return-address.ts";
import type { FieldsOfTerms } from "../payment-intents/return-address.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import { Billing } from "./billing.ts";
import { subscriptionMachine, subscriptionWhenDue } from "./machine.ts";
import type { SubscriptionRow } from "./machine.ts";
import { Plans } from "./plans.ts";
import { paymentUnderWay, warningOfLastPeriod, wrongState } from "./refusals.ts";
import { RenewalsInProcessing } from "./renewals-in-processing.ts";
import { subscriptionData } from "./rows.ts";
import { statusOf } from "./status.ts";
import type {
  ChangedSubscription,
  InitiateBody,
  InitiatedSubscription,
  InvoiceView,
  ProcessedPayment,
  ProcessPaymentBody,
  SubscriptionList,
  SubscriptionStatus,
  SubscriptionView,
} from "../schemas/subscriptions.ts";
import { invoiceView, subscriptionView } from "./views.ts";
import type { Audience } from "./views.ts";
import type { InvoiceRow } from "./invoice-machine.ts";

export const subscriptionLifecycle = new Lifecycle("subscription", subscriptionMachine, subscriptionWhenDue);

/** The parts of the service that `Subscriptions` uses. */
export interface SubscriptionsOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly intents: PaymentIntents;
}

const DEFAULT_PAGE = 10;

/** The commands on subscriptions (4.3). */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #lifecycle: LifecycleRows<typeof subscriptionMachine>;
  /** Routes record the assumptions that commands rely on, and reactions their own. */
  readonly assumptions: Assumptions;
  readonly plans: Plans;
  readonly billing: Billing;
  readonly renewalsInProcessing: RenewalsInProcessing;

  constructor(options: SubscriptionsOptions) {
    const { engine, assumptions, intents } = options;
    this.#options = options;
    this.assumptions = assumptions;
    this.#lifecycle = new LifecycleRows(engine, subscriptionLifecycle, {
      data: subscriptionData,
      keys: { sessionToken: ({ data }) => data.sessionToken },
      identifies: ["id", "sessionToken"],
    });
    this.plans = new Plans(engine, assumptions);
    this.billing = new Billing(engine, assumptions, intents);
    this.renewalsInProcessing = new RenewalsInProcessing(engine, this);
    intents.owners.register("subscription", {
      returnAddress: returnAddressUnder(assumptions),
      ids: ({ data }) => [this.get(data.subscriptionId ?? "")?.data.sessionToken],
      needs: (intent) => this.billing.needs(intent),
      forget: (forgotten) => this.billing.forget(forgotten),
    });
  }

  get(id: string): SubscriptionRow | undefined {
    return this.#lifecycle.rows.get(id);
  }

  /** Returns a subscription that is known to exist, because one of its own resources names it. */
  existing(id: string): SubscriptionRow {
    return this.get(id) as SubscriptionRow;
  }

  get rows(): Table<SubscriptionRow> {
    return this.#lifecycle.rows;
  }

  problems(fields: FieldsOfTerms): FieldProblem[] {
    return this.#options.intents.problems(fields);
  }

  initiate(merchantId: string, body: InitiateBody, publicUrl: string): InitiatedSubscription {
    const { engine, intents } = this.#options;
    const plan = this.plans.owned(merchantId, body.planId);
    const { contact, returnUrl, webhookUrl, externalId, metadata } = body;
    const subscription = this.#lifecycle.create(engine.random.id("sub"), {
      merchantId,
      sessionToken: engine.random.uuid("token/session"),
      plan,
      contact,
      ...(externalId === undefined ? {} : { externalId }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(returnUrl === undefined ? {} : { returnUrl }),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      firstPaymentDue: addDuration(engine.now, "24 hours"),
    });
    intents.externalIds.use(merchantId, externalId, subscription.id);
    this.billing.issue(subscription, this.billing.firstPeriod(plan), false);
    return { ...this.view(subscription, { kind: "owner", publicUrl }), sessionToken: subscription.data.sessionToken };
  }

  show(merchantId: string, subscriptionId: string, publicUrl: string): SubscriptionView {
    return this.view(this.owned(merchantId, subscriptionId), { kind: "owner", publicUrl });
  }

  session(merchantId: string, sessionToken: string, publicUrl: string): InitiatedSubscription {
    const subscription = this.#ownedByToken(merchantId, sessionToken);
    return { ...this.view(subscription, { kind: "owner", publicUrl }), sessionToken };
  }

  list(
    merchantId: string,
    {
      limit = DEFAULT_PAGE,
      status,
    }: { readonly limit?: number | undefined; readonly status?: SubscriptionStatus | undefined },
  ): SubscriptionList {
    const subscriptions = this.rows
      .all()
      .filter(({ state, data }) => data.merchantId === merchantId && (status ?? statusOf[state]) === statusOf[state]);
    const { rows, total } = pageOf(subscriptions, { limit });
    return {
      items: rows.map((subscription) => this.view(subscription, { kind: "others" })),
      hasMore: rows.length < total,
    };
  }

  /** Pays the oldest open invoice with the customer present: the first payment, or a payment by hand (`subscription.manual-payment`). */
  processPayment(
    merchantId: string,
    body: ProcessPaymentBody,
    publicUrl: string,
  ): ProcessedPayment | { readonly declined: ApiError } {
    const { intents } = this.#options;
    const { subscriptionId, sessionToken } = body;
    const subscription =
      subscriptionId === undefined
        ? this.#ownedByToken(merchantId, sessionToken ?? "")
        : this.owned(merchantId, subscriptionId);
    const [invoice] = this.billing.openOf(subscription.id);
    const underWay = invoice === undefined ? undefined : this.billing.intentOf(invoice);
    if (underWay?.state === "requires_action")
      return intents.challenged(underWay, publicUrl, true) ?? this.#processed(subscription, underWay, publicUrl);
    if (subscription.state === "active" && this.#ignores)
      return this.#processed(
        subscription,
        this.billing.intentOf(invoice ?? this.billing.latestOf(subscription.id)),
        publicUrl,
      );
    if (subscription.state === "active")
      throw new ApiError("INTENT_ALREADY_CONFIRMED", {
        message: "The subscription is active; its invoices are charged automatically",
      });
    if (invoice === undefined || this.isOver(subscription)) throw wrongState("process-payment", subscription);
    if (this.#ignores && !this.billing.takesAttempt(invoice))
      return this.#processed(subscription, this.billing.intentOf(invoice), publicUrl);
    const { intent, declined } = this.#payByHand(subscription, invoice, this.#method(merchantId, body.paymentMethodId));
    if (declined !== undefined) return { declined };
    return intents.challenged(intent, publicUrl, false) ?? this.#processed(subscription, intent, publicUrl);
  }

  /** Changes the plan from the next invoice on (`subscription.plan-change`). */
  changePlan(merchantId: string, subscriptionId: string, planId: string, publicUrl: string): SubscriptionView {
    const subscription = this.owned(merchantId, subscriptionId);
    const plan = this.plans.owned(merchantId, planId);
    const input = { type: "change_plan", plan } as const;
    const isUnpaid = subscription.state === "past_due" || subscription.state === "unpaid";
    if (
      this.accepts(subscription, input) &&
      !(isUnpaid && this.assumptions.value("subscription.plan-change") === "refuse-unpaid")
    )
      return this.view(this.step(subscriptionId, input), { kind: "owner", publicUrl });
    const { pendingPlan = subscription.data.plan } = subscription.data;
    if (this.#ignores && pendingPlan.id === plan.id) return this.view(subscription, { kind: "owner", publicUrl });
    throw wrongState("a plan change", subscription);
  }

  /** Changes the payment method. Charges the oldest unpaid invoice at once and returns it too (`subscription.manual-payment`). */
  changeMethod(
    merchantId: string,
    subscriptionId: string,
    paymentMethodId: string,
    publicUrl: string,
  ): ChangedSubscription | { readonly declined: ApiError } {
    const subscription = this.owned(merchantId, subscriptionId);
    const isOver = this.isOver(subscription);
    if (isOver && !this.#ignores) throw wrongState("a change of the payment method", subscription);
    const method = this.#method(merchantId, paymentMethodId);
    if (isOver && method.id === subscription.data.method?.id)
      return this.view(subscription, { kind: "owner", publicUrl });
    if (isOver) throw wrongState("a change of the payment method", subscription);
    const [invoice] =
      subscription.state === "past_due" || subscription.state === "unpaid" ? this.billing.openOf(subscriptionId) : [];
    if (invoice === undefined) {
      return this.view(this.step(subscriptionId, { type: "change_method", method }), { kind: "owner", publicUrl });
    }
    const { declined } = this.#payByHand(subscription, invoice, method);
    if (declined !== undefined) return { declined };
    const charged = this.billing.get(invoice.id) as InvoiceRow;
    return {
      ...this.show(merchantId, subscriptionId, publicUrl),
      invoice: this.invoiceView(charged, { kind: "owner", publicUrl }),
    };
  }

  /** Cancels at once, from any state that is not final (`subscription.cancel`). */
  cancel(merchantId: string, subscriptionId: string, reason: string | undefined, publicUrl: string): SubscriptionView {
    const subscription = this.owned(merchantId, subscriptionId);
    const input = { type: "cancel", reason } as const;
    if (!this.accepts(subscription, input) && this.#ignores)
      return this.view(subscription, { kind: "owner", publicUrl });
    if (!this.accepts(subscription, input)) throw wrongState("a cancellation", subscription);
    const cancelled = this.step(subscriptionId, input);
    this.billing.endOpen(cancelled);
    return this.view(cancelled, { kind: "owner", publicUrl });
  }

  accepts(subscription: SubscriptionRow, input: InputTo<typeof subscriptionMachine>): boolean {
    return this.#lifecycle.accepts(subscription, input);
  }

  /** Whether the subscription has ended. */
  isOver(subscription: SubscriptionRow): boolean {
    return this.#lifecycle.isOver(subscription);
  }

  step(id: string, input: InputTo<typeof subscriptionMachine>): SubscriptionRow {
    return this.#lifecycle.step(id, input);
  }

  /** Warns that a subscription ends its schedule with a period that has just begun. */
  noteLastPeriod(subscription: SubscriptionRow): void {
    const message = warningOfLastPeriod(subscription);
    if (message !== undefined) this.#options.engine.note("warning", { message });
  }

  view(subscription: SubscriptionRow, audience: Audience): SubscriptionView {
    return subscriptionView(subscription, this.invoiceView(this.billing.latestOf(subscription.id), audience));
  }

  invoiceView(invoice: InvoiceRow, audience: Audience): InvoiceView {
    return invoiceView(invoice, this.billing.intentOf(invoice), audience, this.#options.intents.placeAt);
  }

  /** Whether a command that would change nothing answers the subscription as it is (`subscription.wrong-state`). */
  get #ignores(): boolean {
    return this.assumptions.value("subscription.wrong-state") === "ignore";
  }

  #processed({ id }: SubscriptionRow, intent: IntentRow, publicUrl: string): ProcessedPayment {
    return {
      ...confirmationOf(intent, this.#options.intents.placeAt(publicUrl)),
      subscription: this.view(this.existing(id), { kind: "owner", publicUrl }),
    };
  }

  #payByHand(subscription: SubscriptionRow, invoice: InvoiceRow, method: PaymentMethod): Charged {
    if (!this.billing.takesAttempt(invoice))
      throw paymentUnderWay(subscription, invoice, this.billing.intentOf(invoice));
    this.step(subscription.id, { type: "change_method", method });
    return this.billing.pay(subscription, invoice, method);
  }

  #method(merchantId: string, paymentMethodId: string): PaymentMethod {
    return this.#options.intents.charges.methodOf(paymentMethodId, { merchantId, purpose: "subscription" });
  }

  /** @throws {ApiError} `SUBSCRIPTION_NOT_FOUND` */
  owned(merchantId: string, subscriptionId: string): SubscriptionRow {
    const subscription = this.get(subscriptionId);
    if (subscription === undefined || subscription.data.merchantId !== merchantId)
      throw new ApiError("SUBSCRIPTION_NOT_FOUND");
    return subscription;
  }

  #ownedByToken(merchantId: string, sessionToken: string): SubscriptionRow {
    const subscription = this.#lifecycle.rows.by("sessionToken", sessionToken);
    if (subscription === undefined || !opensSession(merchantId, subscription.data.merchantId))
      throw new ApiError("SESSION_NOT_FOUND");
    return subscription;
  }
}
