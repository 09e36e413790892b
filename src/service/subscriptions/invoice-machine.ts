import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import type { RowOf } from "../../engine/lifecycle.ts";
import { deadline, inputsOf } from "../../engine/machine.ts";
import type { Period } from "./plan.ts";

const HOUR = 3_600_000;
const HOURS_BETWEEN_RETRIES = 24;

/** The retries after which a subscription is unpaid (part 8). */
export const MOST_RETRIES = 3;

/** What an invoice is made with. */
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
  /** True when it is charged and retried by itself: every invoice but a subscription's first, until the subscription ends. */
  readonly dunning: boolean;
}

/** An invoice's data: its terms and how its payment went. */
export interface InvoiceData extends InvoiceTerms {
  /** Every attempt, the first included. */
  readonly attemptCount: number;
  /** True when the attempt under way was made without the customer. */
  readonly automatic?: boolean;
  /** True when an attempt was made with its intent, so that the next one needs another intent. */
  readonly intentUsed?: boolean;
  readonly firstFailureAt?: number;
  /** Retries of the schedule that failed. */
  readonly failedRetries: number;
  /** When the next retry is due. */
  readonly nextAttemptAt?: number | undefined;
  /** True when the subscription has ended. */
  readonly ended?: boolean;
  /** True when the invoice is void unless the attempt under way succeeds. */
  readonly voidUnlessPaid?: boolean;
  readonly paidAt?: number;
}

/** What an invoice takes; the engine stamps `at`, the virtual time in milliseconds. */
export type InvoiceInput = { readonly at: number } & (
  | { readonly type: "attempt"; readonly intentId: string; readonly automatic: boolean }
  | { readonly type: "replace_intent"; readonly intentId: string }
  | { readonly type: "attempt_succeeded"; readonly period: Period }
  | { readonly type: "attempt_failed" }
  | { readonly type: "attempt_canceled" }
  | { readonly type: "retry_due" }
  | { readonly type: "void" }
  | { readonly type: "void_unless_paid" }
  | { readonly type: "keep" }
);

/** What an invoice announces; `retry_due` is for the service alone. */
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
    mayEndUnpaid: ({ context }) => context.ended !== true && context.automatic !== true,
    mayEndLater: ({ context }) => context.ended !== true,
    mayBeCanceled: ({ context }) => context.automatic !== true && context.voidUnlessPaid !== true,
    isVoidUnlessPaid: ({ context }) => context.voidUnlessPaid === true,
  },
});

/** Returns true between the moment at which a retry is due and the attempt, which follows at once. */
function isRetryDue({ dunning, firstFailureAt, failedRetries, nextAttemptAt }: InvoiceData): boolean {
  return dunning && firstFailureAt !== undefined && failedRetries < MOST_RETRIES && nextAttemptAt === undefined;
}

/** Returns true when the invoice is charged without the customer now: for the first time, or because a retry is due. */
function isDue(data: InvoiceData): boolean {
  return (data.dunning && data.firstFailureAt === undefined) || isRetryDue(data);
}

function takesAttemptByHand(data: InvoiceData): boolean {
  return !isRetryDue(data) && (data.intentUsed !== true || takesFurtherAttempts(data));
}

// A renewal that never failed is charged by itself as soon as it is the oldest.
function takesFurtherAttempts({ ended, dunning, firstFailureAt }: InvoiceData): boolean {
  return ended !== true && (!dunning || firstFailureAt !== undefined);
}

// Free-standing action creators do not know the machine's types; these do.
const { assign, cancel, emit, enqueueActions, raise } = machineSetup;

const beginAttempt = assign(
  on("attempt", ({ context: { attemptCount }, event: { intentId, automatic } }) => ({
    intentId,
    automatic,
    intentUsed: true,
    attemptCount: attemptCount + 1,
  })),
);

// Retry n is due n days after the first failure, whatever attempts by hand lie between (`subscription.retries`).
const countFailure = assign(
  on("attempt_failed", ({ context, event: { at } }) => {
    const firstFailureAt = context.firstFailureAt ?? at;
    const isRetry = context.automatic === true && context.firstFailureAt !== undefined;
    const failedRetries = context.failedRetries + (isRetry ? 1 : 0);
    const isRetried = context.dunning && failedRetries < MOST_RETRIES;
    const nextAttemptAt = isRetried ? firstFailureAt + (failedRetries + 1) * HOURS_BETWEEN_RETRIES * HOUR : undefined;
    return { firstFailureAt, failedRetries, nextAttemptAt };
  }),
);

const keepPeriod = assign(
  on("attempt_succeeded", ({ event: { at, period } }) => ({ period, paidAt: at, nextAttemptAt: undefined })),
);
const endRetries = assign({ ended: true, dunning: false, nextAttemptAt: undefined });
const announceFailure = emit({ type: "subscription.invoice.payment_failed" });

/** The invoice of one billing cycle (`subscription.invoice`). While one attempt is under way, no other begins. */
export const invoiceMachine = machineSetup.createMachine({
  id: "invoice",
  context: ({ input: { at: _at, ...terms } }) => ({ ...terms, attemptCount: 0, failedRetries: 0 }),
  initial: "open",
  states: {
    open: {
      entry: enqueueActions(({ check, enqueue }) => {
        if (check("hasRetryAhead"))
          enqueue(raise(...deadline("retry", "retry_due", ({ nextAttemptAt }: InvoiceData) => nextAttemptAt)));
      }),
      exit: cancel("retry"),
      on: {
        attempt: { guard: "mayBegin", target: "charging", actions: beginAttempt },
        // After a try that was not an attempt, because the processor was down. The next attempt is made with the same intent.
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
