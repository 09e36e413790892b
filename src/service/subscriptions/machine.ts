import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import { momentOf } from "../../engine/lifecycle.ts";
import type { Contact } from "../payment-intents/machine.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import { periodOf } from "./plan.ts";
import type { Period, Plan } from "./plan.ts";

/** What a subscription is made with. */
export interface SubscriptionTerms {
  readonly merchantId: string;
  readonly sessionToken: string;
  readonly plan: Plan;
  readonly contact: Contact & { readonly name: string; readonly email: string };
  readonly externalId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnUrl?: string;
  readonly webhookUrl?: string;
  /** When an unpaid first payment ends the subscription, in milliseconds since 1970. */
  readonly firstPaymentDue: number;
}

/** A subscription's data: its terms and what has become of them. */
export interface SubscriptionData extends SubscriptionTerms {
  readonly method?: PaymentMethod;
  /** The plan of the next invoice, where a change was asked for. */
  readonly pendingPlan?: Plan | undefined;
  /** Where period 0 starts; absent until activation. */
  readonly anchor?: number;
  /** How many periods lie between the anchor and the current one. */
  readonly cycle?: number;
  readonly period?: Period;
  /** Whether the first payment is being processed, so that the 24 h mark waits for its end. */
  readonly firstPaymentInFlight?: boolean;
  readonly firstPaymentOverdue?: boolean;
  readonly cancellationReason?: string;
  readonly cancelledAt?: number;
}

/** What a subscription takes; the engine stamps `at`, the virtual time in milliseconds. */
export type SubscriptionInput = { readonly at: number } & (
  | { readonly type: "first_payment_started" }
  | { readonly type: "first_payment_due" }
  | { readonly type: "activate" }
  | { readonly type: "renew" }
  | { readonly type: "payment_failed" }
  | { readonly type: "give_up" }
  | { readonly type: "recover" }
  | { readonly type: "change_plan"; readonly plan: Plan }
  | { readonly type: "change_method"; readonly method: PaymentMethod }
  | { readonly type: "cancel"; readonly reason: string | undefined }
);

/** What a subscription announces; `renewed` is for the service itself and goes to nobody. */
export type SubscriptionFact =
  | { type: "subscription.activated" }
  | { type: "subscription.renewed" }
  | { type: "subscription.past_due" }
  | { type: "subscription.unpaid" }
  | { type: "subscription.cancelled" };

const machineSetup = setup({
  types: {
    context: {} as SubscriptionData,
    input: {} as SubscriptionTerms & { at: number },
    events: {} as SubscriptionInput,
    emitted: {} as SubscriptionFact,
  },
  guards: {
    isFirstPaymentInFlight: ({ context }) => context.firstPaymentInFlight === true,
    isFirstPaymentOverdue: ({ context }) => context.firstPaymentOverdue === true,
  },
});

// Free-standing action creators do not know the machine's types; these do.
const { assign, cancel, emit, raise } = machineSetup;

const keepMethod = assign(({ event }) => (event.type === "change_method" ? { method: event.method } : {}));

// Changing back to the plan in force takes the change back.
const keepPlan = assign(({ context, event }) =>
  event.type === "change_plan" ? { pendingPlan: event.plan.id === context.plan.id ? undefined : event.plan } : {},
);

const beginPeriods = assign(({ context, event }) => {
  const anchor = momentOf(event);
  return { anchor, cycle: 0, period: periodOf(context.plan, anchor, 0), firstPaymentInFlight: false };
});

// A plan with another interval starts its own anchor at this boundary.
const nextPeriod = assign(({ context }) => {
  const { plan, pendingPlan = plan, period } = context;
  const boundary = period?.end ?? 0;
  const sameRhythm = pendingPlan.interval === plan.interval && pendingPlan.intervalCount === plan.intervalCount;
  const anchor = sameRhythm ? (context.anchor ?? boundary) : boundary;
  const cycle = sameRhythm ? (context.cycle ?? 0) + 1 : 0;
  return { plan: pendingPlan, pendingPlan: undefined, anchor, cycle, period: periodOf(pendingPlan, anchor, cycle) };
});

// The boundary outlives the state, so every state that it can meet schedules what is left until it.
const scheduleRenewal = raise(({ event }) => ({ type: "renew", at: momentOf(event) }), {
  id: "renewal",
  delay: ({ context, event }) => Math.max(0, (context.period?.end ?? 0) - momentOf(event)),
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
const renewed = [nextPeriod, emit({ type: "subscription.renewed" })] as const;

/** The subscription of part 3.3; what causes its moves is in the `subscription.*` assumptions. */
export const subscriptionMachine = machineSetup.createMachine({
  id: "subscription",
  context: ({ input: { at: _at, ...terms } }) => terms,
  initial: "incomplete",
  states: {
    incomplete: {
      entry: raise(({ event }) => ({ type: "first_payment_due", at: momentOf(event) }), {
        id: "first-payment",
        delay: ({ context, event }) => context.firstPaymentDue - momentOf(event),
      }),
      exit: cancel("first-payment"),
      on: {
        change_method: { actions: keepMethod },
        first_payment_started: { actions: assign({ firstPaymentInFlight: true }) },
        first_payment_due: [
          { guard: "isFirstPaymentInFlight", actions: assign({ firstPaymentOverdue: true }) },
          incompleteCancelled,
        ],
        payment_failed: [
          { guard: "isFirstPaymentOverdue", ...incompleteCancelled },
          { actions: assign({ firstPaymentInFlight: false }) },
        ],
        activate: { target: "active", actions: [beginPeriods, emit({ type: "subscription.activated" })] },
        cancel: cancelled,
      },
    },
    active: {
      ...billing,
      on: {
        ...changes,
        renew: { target: "active", reenter: true, actions: renewed },
        payment_failed: { target: "past_due", actions: emit({ type: "subscription.past_due" }) },
      },
    },
    past_due: {
      ...billing,
      on: {
        ...changes,
        renew: { target: "past_due", reenter: true, actions: renewed },
        payment_failed: {},
        give_up: { target: "unpaid", actions: emit({ type: "subscription.unpaid" }) },
        recover: { target: "active", actions: emit({ type: "subscription.activated" }) },
      },
    },
    unpaid: {
      ...billing,
      on: {
        ...changes,
        renew: { target: "unpaid", reenter: true, actions: renewed },
        payment_failed: {},
        recover: { target: "active", actions: emit({ type: "subscription.activated" }) },
      },
    },
    incomplete_cancelled: { type: "final" },
    cancelled: { type: "final" },
  },
});

export type SubscriptionState = StateValueFrom<typeof subscriptionMachine>;
