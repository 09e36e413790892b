import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import { momentOf } from "../../engine/lifecycle.ts";
import type { Contact } from "../payment-intents/machine.ts";

/** What a checkout session is made with. */
export interface CheckoutTerms {
  readonly merchantId: string;
  readonly sessionToken: string;
  readonly transactionId: string;
  readonly intentId: string;
  readonly externalId: string;
  readonly amount: number;
  readonly description: string;
  readonly webhookUrl: string;
  readonly returnUrl: string;
  readonly contact: Contact;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly isThirdParty: boolean;
  /** Milliseconds since 1970; the session has expired at this very moment. */
  readonly expiresAt: number;
  /** How many more times the customer may try after a decline (`checkout.retry`). */
  readonly triesLeft: number;
}

/** A session's data: its terms, and how its payment goes. */
export interface CheckoutData extends CheckoutTerms {
  /** Whether a challenge of its intent is open. */
  readonly challengeOpen?: boolean;
  /** The intents of earlier tries, which pay for nothing any more. */
  readonly replacedIntentIds?: readonly string[];
}

/** What a session takes; the engine stamps `at`, the virtual time in milliseconds. */
export type CheckoutInput = { readonly at: number } & (
  | { readonly type: "process"; readonly challengeOpen: boolean }
  | { readonly type: "challenge_closed" }
  | { readonly type: "complete" }
  | { readonly type: "decline"; readonly nextIntentId: string | undefined }
  | { readonly type: "cancel" }
  | { readonly type: "expire" }
);

/** What a session announces. */
export type CheckoutFact =
  | { type: "checkout.processing" }
  | { type: "checkout.completed" }
  | { type: "checkout.failed" }
  | { type: "checkout.cancelled" }
  | { type: "checkout.expired" };

const machineSetup = setup({
  types: {
    context: {} as CheckoutData,
    input: {} as CheckoutTerms & { at: number },
    events: {} as CheckoutInput,
    emitted: {} as CheckoutFact,
  },
  guards: {
    mayTryAgain: ({ event }) => event.type === "decline" && event.nextIntentId !== undefined,
    isChallengeOpen: ({ context }) => context.challengeOpen === true,
  },
});

// Free-standing action creators do not know the machine's types; these do.
const { assign, cancel, emit, raise } = machineSetup;

const expired = { target: "expired", actions: emit({ type: "checkout.expired" }) } as const;

/** The checkout session of part 3.2, whose moves the document leaves open (`checkout.moves`). */
export const checkoutMachine = machineSetup.createMachine({
  id: "checkout",
  context: ({ input }) => {
    const { at: _, ...terms } = input;
    return terms;
  },
  // The deadline outlives the states that it can end, so it is scheduled once, and its place among the timers of its moment stays the same.
  entry: raise(({ event }) => ({ type: "expire", at: momentOf(event) }), {
    id: "expiry",
    delay: ({ context, event }) => context.expiresAt - momentOf(event),
  }),
  exit: cancel("expiry"),
  initial: "pending",
  states: {
    pending: {
      on: {
        process: {
          target: "processing",
          actions: [
            assign(({ event }) => ({ challengeOpen: event.type === "process" && event.challengeOpen })),
            emit({ type: "checkout.processing" }),
          ],
        },
        cancel: { target: "cancelled", actions: emit({ type: "checkout.cancelled" }) },
        expire: expired,
      },
    },
    processing: {
      on: {
        challenge_closed: { actions: assign({ challengeOpen: false }) },
        complete: { target: "completed", actions: emit({ type: "checkout.completed" }) },
        decline: [
          {
            guard: "mayTryAgain",
            target: "pending",
            actions: assign(({ context, event }) =>
              event.type === "decline" && event.nextIntentId !== undefined
                ? {
                    intentId: event.nextIntentId,
                    replacedIntentIds: [...(context.replacedIntentIds ?? []), context.intentId],
                    triesLeft: context.triesLeft - 1,
                    challengeOpen: false,
                  }
                : {},
            ),
          },
          { target: "failed", actions: emit({ type: "checkout.failed" }) },
        ],
        // A payment that is under way at the deadline is waited for.
        expire: [{ guard: "isChallengeOpen", ...expired }, {}],
      },
    },
    completed: { type: "final" },
    failed: { type: "final" },
    cancelled: { type: "final" },
    expired: { type: "final" },
  },
});

export type CheckoutState = StateValueFrom<typeof checkoutMachine>;
