import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import type { RowOf } from "../../kit/engine/lifecycle.ts";
import { deadline, inputsOf, momentOf } from "../../kit/engine/machine.ts";
import type { Contact } from "../payment-intents/machine.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import { MOST_RETRIES } from "./invoice-machine.ts";
import { isLastPeriod, periodOf } from "./plan.ts";
import type { Period, Plan } from "./plan.ts";

/** The terms of a subscription, fixed at creation except for the plan. */
export interface SubscriptionTerms {
  readonly merchantId: string;
  readonly sessionToken: string;
  readonly plan: Plan;
  readonly contact: Contact & { readonly name: string; readonly email: string };
  readonly externalId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnUrl?: string;
  readonly webhookUrl?: string;
  /** When the subscription ends if the first payment has not been made, in milliseconds since 1970. */
  readonly firstPaymentDue: number;
}

/** A subscription's data: its terms, and the state of its billing. */
export interface SubscriptionData extends SubscriptionTerms {
  readonly method?: PaymentMethod;
  /** The plan from the next invoice on, after a plan change. */
  readonly pendingPlan?: Plan | undefined;
  /** The start of period 0, in milliseconds since 1970; absent until activation. */
  readonly anchor?: number;
  /** The number of the current period, from 0 at the anchor. */
  readonly cycle?: number;
  readonly period?: Period;
  /** True while the first payment is processing. The 24-hour deadline then waits for its end. */
  readonly firstPaymentInFlight?: boolean;
  readonly firstPaymentOverdue?: boolean;
  /** True when a payment method was set after the last failed payment. A payment by hand sets one first. */
  readonly methodNamed?: boolean;
  /** The number of renewals since the subscription last became active. No more invoices than that can be open. */
  readonly openCycles?: number;
  /** The highest number of failed retries of an open invoice; absent until a payment fails. */
  readonly failedRetries?: number | undefined;
  readonly cancellationReason?: string;
  readonly cancelledAt?: number;
}

/** When the timers of a subscription are due. */
const subscriptionDeadlines = {
  "first-payment": ({ firstPaymentDue }: SubscriptionData) => firstPaymentDue,
  renewal: ({ period }: SubscriptionData) => (period === undefined || isLastPeriod(period) ? undefined : period.end),
};

/** What happens when the clock gives a subscription each of these inputs. */
export const subscriptionWhenDue: Partial<Record<SubscriptionInput["type"], string>> = {
  first_payment_due: "it is cancelled unless its first payment has come",
  renew: "it renews",
};

/** The inputs of a subscription. The engine sets `at`, the virtual time in milliseconds. */
export type SubscriptionInput = { readonly at: number } & (
  | { readonly type: "first_payment_started" }
  | { readonly type: "first_payment_due" }
  /** `anchor`: the start of period 0, in milliseconds since 1970. */
  | { readonly type: "activate"; readonly anchor: number }
  | { readonly type: "renew" }
  /** `failedRetries`: how many retries of the invoice have failed, this one included. `isFinal`: whether a first payment had one try alone. */
  | { readonly type: "payment_failed"; readonly failedRetries: number; readonly isFinal?: boolean }
  | { readonly type: "give_up"; readonly failedRetries: number }
  /** `openInvoices`: how many invoices are still to be paid. */
  | { readonly type: "recover"; readonly openInvoices: number }
  | { readonly type: "change_plan"; readonly plan: Plan }
  | { readonly type: "change_method"; readonly method: PaymentMethod }
  | { readonly type: "cancel"; readonly reason: string | undefined }
);

/** The facts that a subscription publishes. Merchants are not told of `renewed`. */
export type SubscriptionFact =
  | { type: "subscription.activated" }
  | { type: "subscription.renewed" }
  | { type: "subscription.past_due" }
  | { type: "subscription.unpaid" }
  | { type: "subscription.cancelled" };

const on = inputsOf<SubscriptionData, SubscriptionInput>();

const machineSetup = setup({
  types: {
    context: {} as SubscriptionData,
    input: {} as SubscriptionTerms & { at: number },
    events: {} as SubscriptionInput,
    emitted: {} as SubscriptionFact,
  },
  guards: {
    mayStartFirstPayment: ({ context }) => context.methodNamed === true && context.firstPaymentInFlight !== true,
    isFirstPaymentInFlight: ({ context }) => context.firstPaymentInFlight === true,
    isFirstFailure: on(
      "payment_failed",
      ({ context, event }) => context.firstPaymentInFlight === true && event.failedRetries === 0,
    ),
    isLastFailure: on(
      "payment_failed",
      ({ context, event }) =>
        context.firstPaymentInFlight === true &&
        (context.firstPaymentOverdue === true || event.isFinal === true) &&
        event.failedRetries === 0,
    ),
    isRenewalFailure: on(
      "payment_failed",
      ({ context, event }) => openCyclesOf(context) > 0 && event.failedRetries === 0,
    ),
    isFurtherFailure: on(
      "payment_failed",
      ({ context, event }) => event.failedRetries < MOST_RETRIES && mayHaveFailed(context, event.failedRetries),
    ),
    isLateFailure: on("payment_failed", ({ context, event }) => mayHaveFailed(context, event.failedRetries)),
    isLastRetry: on(
      "give_up",
      ({ context, event }) => event.failedRetries === MOST_RETRIES && context.failedRetries === MOST_RETRIES - 1,
    ),
    isNothingOpen: on("recover", ({ event }) => event.openInvoices === 0),
    isPaidByHand: on(
      "recover",
      ({ context, event }) => event.openInvoices === 0 && (context.methodNamed === true || openCyclesOf(context) > 1),
    ),
  },
});

function openCyclesOf({ openCycles = 0 }: SubscriptionData): number {
  return openCycles;
}

/** Whether the number of failed retries is possible: one more than before, or the same after a payment by hand. */
function mayHaveFailed(data: SubscriptionData, failedRetries: number): boolean {
  const most = data.failedRetries ?? 0;
  if (openCyclesOf(data) > 1) return failedRetries <= Math.min(most + 1, MOST_RETRIES);
  return failedRetries === most ? data.methodNamed === true : failedRetries === most + 1 && most < MOST_RETRIES;
}

// Unlike xstate's free-standing action creators, these know the machine's types.
const { assign, cancel, emit, enqueueActions, raise } = machineSetup;

const keepMethod = assign(on("change_method", ({ event: { method } }) => ({ method, methodNamed: true })));

// A change to the current plan undoes a pending change.
const keepPlan = assign(
  on("change_plan", ({ context, event: { plan } }) => ({
    pendingPlan: plan.id === context.plan.id ? undefined : plan,
  })),
);

const countFailure = assign(({ context, event }) =>
  event.type === "payment_failed" || event.type === "give_up"
    ? { methodNamed: false, failedRetries: Math.max(context.failedRetries ?? 0, event.failedRetries) }
    : {},
);
const settleAll = assign({ openCycles: 0, failedRetries: undefined });

const beginPeriods = assign(
  on("activate", ({ context, event: { anchor } }) => ({
    anchor,
    cycle: 0,
    period: periodOf(context.plan, anchor, 0),
    firstPaymentInFlight: false,
  })),
);

// A plan with another interval gets a new anchor at this boundary.
const nextPeriod = assign(({ context }) => {
  const { plan, pendingPlan = plan, period } = context;
  const boundary = period?.end ?? 0;
  const sameRhythm = pendingPlan.interval === plan.interval && pendingPlan.intervalCount === plan.intervalCount;
  const anchor = sameRhythm ? (context.anchor ?? boundary) : boundary;
  const cycle = sameRhythm ? (context.cycle ?? 0) + 1 : 0;
  return {
    plan: pendingPlan,
    pendingPlan: undefined,
    anchor,
    cycle,
    period: periodOf(pendingPlan, anchor, cycle),
    openCycles: openCyclesOf(context) + 1,
  };
});

// A period spans several states, so every state with billing schedules the renewal again on entry.
const scheduleRenewal = enqueueActions(({ context, enqueue }) => {
  if (subscriptionDeadlines.renewal(context) !== undefined)
    enqueue(raise(...deadline("renewal", "renew", subscriptionDeadlines.renewal)));
});
const billing = { entry: scheduleRenewal, exit: cancel("renewal") } as const;

const cancelled = {
  target: "cancelled",
  actions: [
    assign(({ event }) => ({
      cancelledAt: momentOf(event),
      pendingPlan: undefined,
      ...(event.type === "cancel" && event.reason !== undefined ? { cancellationReason: event.reason } : {}),
    })),
    emit({ type: "subscription.cancelled" }),
  ],
} as const;
const incompleteCancelled = {
  target: "incomplete_cancelled",
  actions: [assign(({ event }) => ({ cancelledAt: momentOf(event) })), emit({ type: "subscription.cancelled" })],
} as const;
const changes = {
  change_plan: { actions: keepPlan },
  change_method: { actions: keepMethod },
  cancel: cancelled,
} as const;
const recovered = { target: "active", actions: [settleAll, emit({ type: "subscription.activated" })] } as const;
const renewed = [nextPeriod, emit({ type: "subscription.renewed" })] as const;

/** The subscription of part 3.3. The assumptions `subscription.*` say what causes its moves. */
export const subscriptionMachine = machineSetup.createMachine({
  id: "subscription",
  context: ({ input: { at: _at, ...terms } }) => terms,
  initial: "incomplete",
  states: {
    incomplete: {
      entry: raise(...deadline("first-payment", "first_payment_due", subscriptionDeadlines["first-payment"])),
      exit: cancel("first-payment"),
      on: {
        change_method: { actions: keepMethod },
        first_payment_started: { guard: "mayStartFirstPayment", actions: assign({ firstPaymentInFlight: true }) },
        first_payment_due: [
          { guard: "isFirstPaymentInFlight", actions: assign({ firstPaymentOverdue: true }) },
          incompleteCancelled,
        ],
        payment_failed: [
          { guard: "isLastFailure", ...incompleteCancelled },
          { guard: "isFirstFailure", actions: assign({ firstPaymentInFlight: false, methodNamed: false }) },
        ],
        activate: {
          guard: "isFirstPaymentInFlight",
          target: "active",
          actions: [beginPeriods, emit({ type: "subscription.activated" })],
        },
        cancel: cancelled,
      },
    },
    active: {
      ...billing,
      on: {
        ...changes,
        renew: { target: "active", reenter: true, actions: renewed },
        payment_failed: {
          guard: "isRenewalFailure",
          target: "past_due",
          actions: [countFailure, emit({ type: "subscription.past_due" })],
        },
      },
    },
    past_due: {
      ...billing,
      on: {
        ...changes,
        renew: { target: "past_due", reenter: true, actions: renewed },
        payment_failed: { guard: "isFurtherFailure", actions: countFailure },
        give_up: {
          guard: "isLastRetry",
          target: "unpaid",
          actions: [countFailure, emit({ type: "subscription.unpaid" })],
        },
        recover: { guard: "isNothingOpen", ...recovered },
      },
    },
    unpaid: {
      ...billing,
      on: {
        ...changes,
        renew: { target: "unpaid", reenter: true, actions: renewed },
        payment_failed: { guard: "isLateFailure", actions: countFailure },
        recover: { guard: "isPaidByHand", ...recovered },
      },
    },
    incomplete_cancelled: { type: "final" },
    cancelled: { type: "final" },
  },
});

export type SubscriptionState = StateValueFrom<typeof subscriptionMachine>;

/** A subscription as it is stored. */
export type SubscriptionRow = RowOf<typeof subscriptionMachine>;
