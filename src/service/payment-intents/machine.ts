import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import type { RowOf } from "../../kit/engine/lifecycle.ts";
import { deadline, inputsOf } from "../../kit/engine/machine.ts";
import type { Outcome } from "../payment-methods/charge.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import type { HoldUp } from "../payment-methods/faults.ts";
import type { DeclineCode } from "../decline-codes.ts";

/** The customer of an intent, and how to reach them (2.1). */
export interface Contact {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** An action that the customer must take before the payment goes on. */
export interface Challenge {
  /** The last segment of the page's path. */
  readonly id: string;
  readonly nextAction: "redirect" | "display_details";
  /** Milliseconds since 1970. At this instant the challenge has expired. */
  readonly expiresAt: number;
}

/** The terms of an intent, fixed at creation. */
export interface IntentTerms {
  readonly merchantId: string;
  /** The kind of resource that it pays for. */
  readonly purpose: "payment_intent" | "checkout" | "subscription";
  readonly subscriptionId?: string;
  readonly invoiceId?: string;
  readonly transactionId: string;
  readonly sessionToken: string;
  readonly clientKey: string;
  readonly amount: number;
  /** The currency of the invoice that it pays. */
  readonly currency?: string;
  readonly description: string;
  readonly externalId?: string;
  readonly contact?: Contact;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnUrl?: string;
  readonly webhookUrl?: string;
  /** How long `processing` lasts, in milliseconds. */
  readonly processingTime: number;
  /** True when the processor was unavailable before, for this intent or an earlier one of the same owner. */
  readonly wasUnavailable?: true;
}

/** An intent's data: its terms, and the state of its payment. */
export interface IntentData extends IntentTerms {
  readonly method?: PaymentMethod;
  /** The challenge of the confirmation. It is open while the state is `requires_action`. */
  readonly challenge?: Challenge;
  /** How the payment will end. It stays hidden until then. */
  readonly outcome?: Outcome;
  /** How long a fault makes the processor take, instead of the processing time. */
  readonly holdUp?: HoldUp;
  /** When the payment ends, in milliseconds since 1970. Absent before processing, and while the payment is stuck. */
  readonly decidesAt?: number;
  readonly declineCode?: DeclineCode;
}

/** When the timers of an intent are due. */
const intentDeadlines = {
  challenge: ({ challenge }: IntentData) => challenge?.expiresAt,
  decide: ({ decidesAt }: IntentData) => decidesAt,
};

/** What happens when the clock gives an intent each of these inputs. */
export const intentWhenDue: Partial<Record<IntentInput["type"], string>> = {
  challenge_expired: "its challenge expires",
  decide: "the processor decides",
};

/** The inputs of an intent. The engine sets `at`, the virtual time in milliseconds. */
export type IntentInput = { readonly at: number } & (
  | { readonly type: "attach_method"; readonly method: PaymentMethod; readonly contact: Contact | undefined }
  | {
      readonly type: "confirm";
      readonly outcome: Outcome;
      readonly challenge: Challenge | undefined;
      readonly holdUp?: HoldUp | undefined;
    }
  | { readonly type: "processor_unavailable" }
  | { readonly type: "authenticate"; readonly passed: boolean }
  | { readonly type: "challenge_expired" }
  | { readonly type: "decide" }
  | { readonly type: "cancel" }
);

/** The facts that an intent publishes. */
export type IntentFact =
  | { type: "payment_intent.requires_action" }
  | { type: "payment_intent.processing" }
  | { type: "payment_intent.succeeded" }
  | { type: "payment_intent.failed" }
  | { type: "payment_intent.canceled" };

const on = inputsOf<IntentData, IntentInput>();

const machineSetup = setup({
  types: {
    context: {} as IntentData,
    input: {} as IntentTerms & { at: number },
    events: {} as IntentInput,
    emitted: {} as IntentFact,
  },
  guards: {
    isFirstOutage: ({ context }) => context.wasUnavailable !== true,
    isChallenged: on("confirm", ({ event }) => event.challenge !== undefined),
    isStuck: ({ context, event }) => (event.type === "confirm" ? event.holdUp : context.holdUp) === "for good",
    isNotAuthenticated: on("authenticate", ({ event }) => !event.passed),
    isApproved: ({ context, event }) => isDecided(context, event.at) && context.outcome?.approved === true,
    isDeclined: ({ context, event }) => isDecided(context, event.at) && context.outcome?.approved === false,
  },
});

function isDecided({ decidesAt = Number.POSITIVE_INFINITY }: IntentData, at: number): boolean {
  return at >= decidesAt;
}

function decisionOf({ holdUp, processingTime }: Pick<IntentData, "holdUp" | "processingTime">, at: number) {
  return holdUp === "for good" ? {} : { decidesAt: at + (holdUp ?? processingTime) };
}

// Unlike xstate's free-standing action creators, these know the machine's types.
const { assign, cancel, emit, raise } = machineSetup;

const attachMethod = assign(
  on("attach_method", ({ context, event: { method, contact } }) => ({
    method,
    ...(contact === undefined ? {} : { contact: { ...context.contact, ...contact } }),
  })),
);
const keepAnswer = assign(
  on("confirm", ({ context: { processingTime }, event: { at, outcome, challenge, holdUp } }) => {
    const kept = holdUp === undefined ? {} : { holdUp };
    // A challenged payment is decided only after the challenge.
    const further = challenge === undefined ? decisionOf({ ...kept, processingTime }, at) : { challenge };
    return { outcome, ...kept, ...further };
  }),
);
const keepDecision = assign(({ context, event }) => decisionOf(context, event.at));
// A payment whose challenge was not passed never reaches the processor, so `holdUp` does not apply.
const declineAs = (declineCode: DeclineCode) =>
  assign(({ context: { processingTime }, event }) => ({
    outcome: { approved: false as const, declineCode },
    ...decisionOf({ processingTime }, event.at),
  }));

// An action of transitions, not the entry of `processing`, because a stuck payment has no decision to wait for.
const awaitDecision = raise(...deadline("decide", "decide", intentDeadlines.decide));
const announceProcessing = emit({ type: "payment_intent.processing" });
const canceled = { target: "canceled", actions: emit({ type: "payment_intent.canceled" }) } as const;

/**
 * The payment intent of part 3.1: the moves of the document, and `canceled` from any state before `processing` (`intent.cancel`).
 *
 * A confirmation is two inputs, `attach_method` and `confirm`, so that both of the document's moves are journaled. Between the two, the
 * processor may turn out to be unavailable, which leaves the intent in `requires_confirmation` (`intent.moves`).
 */
export const paymentIntentMachine = machineSetup.createMachine({
  id: "payment_intent",
  context: ({ input }) => {
    const { at: _, ...terms } = input;
    return terms;
  },
  initial: "requires_payment_method",
  states: {
    requires_payment_method: {
      on: {
        attach_method: { target: "requires_confirmation", actions: attachMethod },
        cancel: canceled,
      },
    },
    requires_confirmation: {
      on: {
        // A confirmation after an outage may name another method.
        attach_method: { actions: attachMethod },
        processor_unavailable: { guard: "isFirstOutage", actions: assign({ wasUnavailable: true }) },
        confirm: [
          {
            guard: "isChallenged",
            target: "requires_action",
            actions: [keepAnswer, emit({ type: "payment_intent.requires_action" })],
          },
          { guard: "isStuck", target: "processing", actions: [keepAnswer, announceProcessing] },
          { target: "processing", actions: [keepAnswer, announceProcessing, awaitDecision] },
        ],
        cancel: canceled,
      },
    },
    requires_action: {
      entry: raise(...deadline("challenge", "challenge_expired", intentDeadlines.challenge)),
      exit: cancel("challenge"),
      on: {
        authenticate: [
          {
            guard: "isNotAuthenticated",
            target: "processing",
            actions: [declineAs("authentication_failed"), announceProcessing, awaitDecision],
          },
          { guard: "isStuck", target: "processing", actions: announceProcessing },
          { target: "processing", actions: [keepDecision, announceProcessing, awaitDecision] },
        ],
        challenge_expired: {
          target: "processing",
          actions: [declineAs("authentication_expired"), announceProcessing, awaitDecision],
        },
        cancel: canceled,
      },
    },
    processing: {
      exit: cancel("decide"),
      on: {
        decide: [
          { guard: "isApproved", target: "succeeded", actions: emit({ type: "payment_intent.succeeded" }) },
          {
            guard: "isDeclined",
            target: "failed",
            actions: [
              assign(({ context: { outcome } }) =>
                outcome?.approved === false ? { declineCode: outcome.declineCode } : {},
              ),
              emit({ type: "payment_intent.failed" }),
            ],
          },
        ],
      },
    },
    succeeded: { type: "final" },
    failed: { type: "final" },
    canceled: { type: "final" },
  },
});

export type IntentState = StateValueFrom<typeof paymentIntentMachine>;

/** A payment intent as it is stored. */
export type IntentRow = RowOf<typeof paymentIntentMachine>;
