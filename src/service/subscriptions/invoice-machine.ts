import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import type { RowOf } from "../../kit/engine/lifecycle.ts";
import { deadline, inputsOf, momentOf } from "../../kit/engine/machine.ts";
import type { Period } from "./plan.ts";

/** The number of failed retries after which a subscription is unpaid (part 8). */
export const MOST_RETRIES = 3;

/** The terms of an invoice, fixed when it is issued. */
export interface InvoiceTerms {
  readonly merchantId: string;
  readonly subscriptionId: string;
  /** `INV-000001`, counted per merchant. */
  readonly number: string;
  /** Centavos. */
  readonly amount: number;
  readonly currency: string;
  readonly period: Period;
  readonly intentId: string;
  /** True when it is charged and retried automatically: every invoice but a subscription's first, until the subscription ends. */
  readonly dunning: boolean;
}

/** An invoice's data: its terms, and the state of its payment. */
export interface InvoiceData extends InvoiceTerms {
  /** The number of attempts, the first included. */
  readonly attemptCount: number;
  /** True when the latest attempt was made without the customer. */
  readonly automatic?: boolean;
  /** True when the latest attempt, made without the customer, waits for them (`subscription.off-session-challenge`). */
  readonly challenged?: boolean;
  /** True when an attempt has used the intent, so that the next attempt needs another. */
  readonly intentUsed?: boolean;
  readonly firstFailureAt?: number;
  /** The number of scheduled retries that failed. */
  readonly failedRetries: number;
  /** When the next retry is due, in milliseconds since 1970. */
  readonly nextAttemptAt?: number | undefined;
  /** True when the subscription has ended. */
  readonly ended?: boolean;
  /** True when the invoice will be void unless the attempt in flight succeeds. */
  readonly voidUnlessPaid?: boolean;
  readonly paidAt?: number;
}

/** When the timers of an invoice are due. */
const invoiceDeadlines = { retry: ({ nextAttemptAt }: InvoiceData) => nextAttemptAt };

/** What happens when the clock gives an invoice each of these inputs. */
export const invoiceWhenDue: Partial<Record<InvoiceInput["type"], string>> = {
  retry_due: "its payment is tried again",
};

/** The inputs of an invoice. The engine sets `at`, the virtual time in milliseconds. */
export type InvoiceInput = { readonly at: number } & (
  | { readonly type: "attempt"; readonly intentId: string; readonly automatic: boolean }
  | { readonly type: "challenge_opened" }
  | { readonly type: "replace_intent"; readonly intentId: string }
  | { readonly type: "attempt_succeeded"; readonly period: Period }
  /** `retriesAfter`: when the retries come, in milliseconds after the first failure. */
  | { readonly type: "attempt_failed"; readonly retriesAfter: readonly number[] }
  | { readonly type: "attempt_canceled" }
  | { readonly type: "retry_due" }
  | { readonly type: "void" }
  | { readonly type: "void_unless_paid" }
  | { readonly type: "keep" }
);

/** The facts that an invoice publishes. Merchants are not told of `retry_due`. */
export type InvoiceFact =
  | { type: "subscription.invoice.paid" }
  | { type: "subscription.invoice.payment_failed" }
  | { type: "subscription.invoice.retry_due" };

const on = inputsOf<InvoiceData, InvoiceInput>();

const machineSetup = setup({
  types: {
    context: {} as InvoiceData,
    input: {} as InvoiceTerms & { at: number },
    events: {} as InvoiceInput,
    emitted: {} as InvoiceFact,
  },
  guards: {
    mayBegin: on("attempt", ({ context, event }) => (event.automatic ? isDue(context) : takesAttemptByHand(context))),
    takesNewIntent: ({ context }) => !isRetryDue(context) && takesFurtherAttempts(context),
    hasRetryAhead: ({ context }) => context.nextAttemptAt !== undefined,
    mayEnd: ({ context }) => context.ended !== true && !isRetryDue(context),
    mayBeChallenged: ({ context }) => context.ended !== true && !mayWait(context),
    mayEndUnpaid: ({ context }) => context.ended !== true && mayWait(context),
    mayEndLater: ({ context }) => context.ended !== true,
    mayBeCanceled: ({ context }) => mayWait(context) && context.voidUnlessPaid !== true,
    isVoidUnlessPaid: ({ context }) => context.voidUnlessPaid === true,
  },
});

/** Whether the attempt in flight can be waiting for the customer. */
function mayWait({ automatic, challenged }: InvoiceData): boolean {
  return automatic !== true || challenged === true;
}

/** Whether a retry is due but has not begun. It begins in the same unit. */
function isRetryDue({ dunning, firstFailureAt, failedRetries, nextAttemptAt }: InvoiceData): boolean {
  return dunning && firstFailureAt !== undefined && failedRetries < MOST_RETRIES && nextAttemptAt === undefined;
}

/** Whether the invoice is now to be charged automatically: for the first time, or at a retry. */
function isDue(data: InvoiceData): boolean {
  return (data.dunning && data.firstFailureAt === undefined) || isRetryDue(data);
}

function takesAttemptByHand(data: InvoiceData): boolean {
  return !isRetryDue(data) && (data.intentUsed !== true || takesFurtherAttempts(data));
}

// A renewal that has not failed yet is charged automatically once it is the oldest.
function takesFurtherAttempts({ ended, dunning, firstFailureAt }: InvoiceData): boolean {
  return ended !== true && (!dunning || firstFailureAt !== undefined);
}

// Unlike xstate's free-standing action creators, these know the machine's types.
const { assign, cancel, emit, enqueueActions, raise } = machineSetup;

const beginAttempt = assign(
  on("attempt", ({ context: { attemptCount }, event: { intentId, automatic } }) => ({
    intentId,
    automatic,
    challenged: false,
    intentUsed: true,
    attemptCount: attemptCount + 1,
  })),
);

// A retry is due at its time after the first failure, even if payments by hand came in between (`subscription.retries`).
const countFailure = assign(
  on("attempt_failed", ({ context, event: { at, retriesAfter } }) => {
    const firstFailureAt = context.firstFailureAt ?? at;
    const isRetry = context.automatic === true && context.firstFailureAt !== undefined;
    const failedRetries = context.failedRetries + (isRetry ? 1 : 0);
    const wait = context.dunning ? retriesAfter[failedRetries] : undefined;
    return { firstFailureAt, failedRetries, nextAttemptAt: wait === undefined ? undefined : firstFailureAt + wait };
  }),
);

const keepPeriod = assign(
  on("attempt_succeeded", ({ event: { at, period } }) => ({ period, paidAt: at, nextAttemptAt: undefined })),
);
const endRetries = assign({ ended: true, dunning: false, nextAttemptAt: undefined });
const announceFailure = emit({ type: "subscription.invoice.payment_failed" });

/** The invoice of one billing cycle (`subscription.invoice`). It has at most one attempt in flight. */
export const invoiceMachine = machineSetup.createMachine({
  id: "invoice",
  context: ({ input: { at: _at, ...terms } }) => ({ ...terms, attemptCount: 0, failedRetries: 0 }),
  initial: "open",
  states: {
    open: {
      entry: enqueueActions(({ context, event, enqueue }) => {
        const { nextAttemptAt: due } = context;
        if (due === undefined) return;
        // A retry that fell due while a payment by hand was under way runs now.
        enqueue.assign({ nextAttemptAt: Math.max(due, momentOf(event)) });
        enqueue(raise(...deadline("retry", "retry_due", invoiceDeadlines.retry)));
      }),
      exit: cancel("retry"),
      on: {
        attempt: { guard: "mayBegin", target: "charging", actions: beginAttempt },
        // The processor was unavailable, so the new intent was not charged. The next attempt uses it.
        replace_intent: {
          guard: "takesNewIntent",
          actions: assign(on("replace_intent", ({ event: { intentId } }) => ({ intentId, intentUsed: false }))),
        },
        retry_due: {
          guard: "hasRetryAhead",
          actions: [assign({ nextAttemptAt: undefined }), emit({ type: "subscription.invoice.retry_due" })],
        },
        void: { guard: "mayEnd", target: "void", actions: endRetries },
        keep: { guard: "mayEnd", actions: [endRetries, cancel("retry")] },
      },
    },
    charging: {
      on: {
        challenge_opened: { guard: "mayBeChallenged", actions: assign({ challenged: true }) },
        attempt_succeeded: { target: "paid", actions: [keepPeriod, emit({ type: "subscription.invoice.paid" })] },
        attempt_failed: [
          { guard: "isVoidUnlessPaid", target: "void", actions: [countFailure, announceFailure] },
          { target: "open", actions: [countFailure, announceFailure] },
        ],
        attempt_canceled: { guard: "mayBeCanceled", target: "open" },
        void: { guard: "mayEndUnpaid", target: "void", actions: endRetries },
        void_unless_paid: { guard: "mayEndLater", actions: [endRetries, assign({ voidUnlessPaid: true })] },
        keep: { guard: "mayEndLater", actions: endRetries },
      },
    },
    paid: { type: "final" },
    void: { type: "final" },
  },
});

export type InvoiceState = StateValueFrom<typeof invoiceMachine>;

/** An invoice as it is stored. */
export type InvoiceRow = RowOf<typeof invoiceMachine>;
