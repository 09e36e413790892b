import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import type { Outcome } from "../payment-methods/charge.ts";
import type { PaymentMethod } from "../payment-methods/commands.ts";
import type { HoldUp } from "../payment-methods/faults.ts";
import type { DeclineCode } from "../payment-methods/test-methods.ts";

/** Who and how to reach: the customer of an intent (2.1). */
export interface Contact {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** What the customer must do before the payment goes on. */
export interface Challenge {
  /** The last part of the page's address. */
  readonly id: string;
  readonly nextAction: "redirect" | "display_details";
  /** Milliseconds since 1970; the window is closed at this very moment. */
  readonly expiresAt: number;
}

/** What an intent is made with. */
export interface IntentTerms {
  readonly merchantId: string;
  /** What it pays for, which decides who announces its end. */
  readonly purpose: "payment_intent" | "checkout" | "subscription";
  readonly subscriptionId?: string;
  readonly invoiceId?: string;
  readonly transactionId: string;
  readonly sessionToken: string;
  readonly clientKey: string;
  readonly amount: number;
  readonly description: string;
  readonly externalId?: string;
  readonly contact?: Contact;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnUrl?: string;
  readonly webhookUrl?: string;
  /** How long `processing` lasts, in milliseconds. */
  readonly processingTime: number;
  /** Whether the processor was down before, for this intent or for what it pays. */
  readonly wasUnavailable?: true;
}

/** An intent's data: its terms and what has become known since. */
export interface IntentData extends IntentTerms {
  readonly method?: PaymentMethod;
  /** The challenge of the confirmation, open while the state is `requires_action`. */
  readonly challenge?: Challenge;
  /** How the payment will end, known to the processor alone until then. */
  readonly outcome?: Outcome;
  /** How a fault holds up the processor, in place of the processing time, where the payment gets there. */
  readonly holdUp?: HoldUp;
  readonly declineCode?: DeclineCode;
}

/** What an intent takes; the engine stamps `at`, the virtual time in milliseconds. */
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

/** What an intent announces. */
export type IntentFact =
  | { type: "payment_intent.requires_action" }
  | { type: "payment_intent.processing" }
  | { type: "payment_intent.succeeded" }
  | { type: "payment_intent.failed" }
  | { type: "payment_intent.canceled" };

const machineSetup = setup({
  types: {
    context: {} as IntentData,
    input: {} as IntentTerms & { at: number },
    events: {} as IntentInput,
    emitted: {} as IntentFact,
  },
  guards: {
    isChallenged: ({ event }) => event.type === "confirm" && event.challenge !== undefined,
    isApproved: ({ context }) => context.outcome?.approved === true,
    isStuck: ({ context, event }) => (event.type === "confirm" ? event.holdUp : context.holdUp) === "for good",
    isNotAuthenticated: ({ event }) => event.type === "authenticate" && !event.passed,
  },
});

// Free-standing action creators do not know the machine's types; these do.
const { assign, cancel, emit, raise } = machineSetup;

const attachMethod = assign(({ context, event }) =>
  event.type === "attach_method"
    ? {
        method: event.method,
        ...(event.contact === undefined ? {} : { contact: { ...context.contact, ...event.contact } }),
      }
    : {},
);
const keepAnswer = assign(({ event }) =>
  event.type === "confirm"
    ? {
        outcome: event.outcome,
        ...(event.challenge === undefined ? {} : { challenge: event.challenge }),
        ...(event.holdUp === undefined ? {} : { holdUp: event.holdUp }),
      }
    : {},
);
const declineAs = (declineCode: DeclineCode) => assign(() => ({ outcome: { approved: false as const, declineCode } }));

const decideAfter = (delay: (data: IntentData) => number) =>
  raise(({ event }) => ({ type: "decide" as const, at: event.at }), {
    id: "decide",
    delay: ({ context }) => delay(context),
  });
// On the ways into `processing` and not its entry, because a payment that is stuck awaits none.
const awaitDecision = decideAfter(({ holdUp, processingTime }) =>
  typeof holdUp === "number" ? holdUp : processingTime,
);
// What the customer did not pass never reaches the processor, which can therefore not hold it up.
const awaitDecline = decideAfter(({ processingTime }) => processingTime);
const announceProcessing = emit({ type: "payment_intent.processing" });
const canceled = { target: "canceled", actions: emit({ type: "payment_intent.canceled" }) } as const;

/**
 * The payment intent of part 3.1: exactly the document's moves, and `canceled` from any state before `processing` (`intent.cancel`).
 *
 * A confirmation is two inputs, `attach_method` and `confirm`, so that both of the document's moves happen and are journaled (`intent.moves`).
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
        processor_unavailable: { actions: assign({ wasUnavailable: true }) },
        cancel: canceled,
      },
    },
    requires_confirmation: {
      on: {
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
      entry: raise(({ event }) => ({ type: "challenge_expired", at: event.at }), {
        id: "challenge",
        delay: ({ context, event }) => (context.challenge?.expiresAt ?? event.at) - event.at,
      }),
      exit: cancel("challenge"),
      on: {
        authenticate: [
          {
            guard: "isNotAuthenticated",
            target: "processing",
            actions: [declineAs("authentication_failed"), announceProcessing, awaitDecline],
          },
          { guard: "isStuck", target: "processing", actions: announceProcessing },
          { target: "processing", actions: [announceProcessing, awaitDecision] },
        ],
        challenge_expired: {
          target: "processing",
          actions: [declineAs("authentication_expired"), announceProcessing, awaitDecline],
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
