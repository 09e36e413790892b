import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import { momentOf } from "../../engine/lifecycle.ts";
import type { Period } from "./plan.ts";

const HOUR = 3_600_000;
const HOURS_BETWEEN_RETRIES = 24;

/** Retries before a subscription is unpaid (part 8). */
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
  /** Whether it is charged and retried by itself: every invoice but a subscription's first, until the subscription ends. */
  readonly dunning: boolean;
}

/** An invoice's data: its terms and how its payment went. */
export interface InvoiceData extends InvoiceTerms {
  /** Every attempt, the first included. */
  readonly attemptCount: number;
  /** Whether the attempt under way was made without the customer. */
  readonly automatic?: boolean;
  readonly firstFailureAt?: number;
  /** Retries of the schedule that failed. */
  readonly failedRetries: number;
  /** When the next retry is due; absent where none is. */
  readonly nextAttemptAt?: number | undefined;
  /** Whether the invoice is void unless the attempt under way succeeds. */
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

/** What an invoice announces; `retry_due` is for the service itself and goes to nobody. */
export type InvoiceFact =
  | { type: "subscription.invoice.paid" }
  | { type: "subscription.invoice.payment_failed" }
  | { type: "subscription.invoice.retry_due" };

const machineSetup = setup({
  types: {
    context: {} as InvoiceData,
    input: {} as InvoiceTerms & { at: number },
    events: {} as InvoiceInput,
    emitted: {} as InvoiceFact,
  },
  guards: {
    hasRetryAhead: ({ context }) => context.nextAttemptAt !== undefined,
    isVoidUnlessPaid: ({ context }) => context.voidUnlessPaid === true,
  },
});

// Free-standing action creators do not know the machine's types; these do.
const { assign, cancel, emit, enqueueActions, raise } = machineSetup;

// Retry n is due n days after the first failure, whatever attempts by hand lie between (`subscription.retries`).
const countFailure = assign(({ context, event }) => {
  const firstFailureAt = context.firstFailureAt ?? momentOf(event);
  const isRetry = context.automatic === true && context.firstFailureAt !== undefined;
  const failedRetries = context.failedRetries + (isRetry ? 1 : 0);
  const isRetried = context.dunning && failedRetries < MOST_RETRIES;
  const nextAttemptAt = isRetried ? firstFailureAt + (failedRetries + 1) * HOURS_BETWEEN_RETRIES * HOUR : undefined;
  return { firstFailureAt, failedRetries, nextAttemptAt };
});

const keepPeriod = assign(({ event }) =>
  event.type === "attempt_succeeded" ? { period: event.period, paidAt: event.at, nextAttemptAt: undefined } : {},
);
const endRetries = assign({ dunning: false, nextAttemptAt: undefined });
const announceFailure = emit({ type: "subscription.invoice.payment_failed" });

/** The invoice of one billing cycle (`subscription.invoice`). An attempt that is under way keeps every other from starting. */
export const invoiceMachine = machineSetup.createMachine({
  id: "invoice",
  context: ({ input: { at: _at, ...terms } }) => ({ ...terms, attemptCount: 0, failedRetries: 0 }),
  initial: "open",
  states: {
    open: {
      entry: enqueueActions(({ check, enqueue }) => {
        if (!check("hasRetryAhead")) return;
        enqueue(
          raise(({ event }) => ({ type: "retry_due", at: momentOf(event) }), {
            id: "retry",
            delay: ({ context, event }) => Math.max(0, (context.nextAttemptAt ?? 0) - momentOf(event)),
          }),
        );
      }),
      exit: cancel("retry"),
      on: {
        attempt: {
          target: "charging",
          actions: assign(({ context, event }) =>
            event.type === "attempt"
              ? { intentId: event.intentId, automatic: event.automatic, attemptCount: context.attemptCount + 1 }
              : {},
          ),
        },
        // Of a try that was no attempt, because the processor was down: the next one is made with the same intent.
        replace_intent: {
          actions: assign(({ event }) => (event.type === "replace_intent" ? { intentId: event.intentId } : {})),
        },
        retry_due: {
          actions: [assign({ nextAttemptAt: undefined }), emit({ type: "subscription.invoice.retry_due" })],
        },
        void: { target: "void", actions: endRetries },
        keep: { actions: [endRetries, cancel("retry")] },
      },
    },
    charging: {
      on: {
        attempt_succeeded: { target: "paid", actions: [keepPeriod, emit({ type: "subscription.invoice.paid" })] },
        attempt_failed: [
          {
            guard: "isVoidUnlessPaid",
            target: "void",
            actions: [countFailure, announceFailure],
          },
          { target: "open", actions: [countFailure, announceFailure] },
        ],
        attempt_canceled: { target: "open" },
        void: { target: "void", actions: endRetries },
        void_unless_paid: { actions: [endRetries, assign({ voidUnlessPaid: true })] },
        keep: { actions: endRetries },
      },
    },
    paid: { type: "final" },
    void: { type: "final" },
  },
});

export type InvoiceState = StateValueFrom<typeof invoiceMachine>;
