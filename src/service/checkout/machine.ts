import { setup } from "xstate";
import type { StateValueFrom } from "xstate";
import type { RowOf } from "../../kit/engine/lifecycle.ts";
import { deadline, inputsOf } from "../../kit/engine/machine.ts";
import type { Contact } from "../payment-intents/machine.ts";

/** The terms of a checkout session, fixed at creation. */
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
  /** Milliseconds since 1970. At this instant the session has expired. */
  readonly expiresAt: number;
  /** How many further tries the customer has after a decline (`checkout.retry`). */
  readonly triesLeft: number;
}

/** A session's data: its terms, and the state of its payment. */
export interface CheckoutData extends CheckoutTerms {
  /** True while a challenge of its intent is open. */
  readonly challengeOpen?: boolean;
  /** The intents of earlier tries, which were declined. */
  readonly replacedIntentIds?: readonly string[];
}

/** When the timers of a session are due. */
const checkoutDeadlines = { expiry: ({ expiresAt }: CheckoutData) => expiresAt };

/** What happens when the clock gives a session each of these inputs. */
export const checkoutWhenDue: Partial<Record<CheckoutInput["type"], string>> = { expire: "it expires" };

/** The inputs of a session. The engine sets `at`, the virtual time in milliseconds. */
export type CheckoutInput = { readonly at: number } & (
  | { readonly type: "process"; readonly challengeOpen: boolean }
  | { readonly type: "challenge_closed" }
  | { readonly type: "complete" }
  | { readonly type: "decline"; readonly nextIntentId: string | undefined }
  | { readonly type: "cancel" }
  | { readonly type: "expire" }
);

/** The facts that a session publishes. */
export type CheckoutFact =
  | { type: "checkout.processing" }
  | { type: "checkout.completed" }
  | { type: "checkout.failed" }
  | { type: "checkout.cancelled" }
  | { type: "checkout.expired" };

const on = inputsOf<CheckoutData, CheckoutInput>();

const machineSetup = setup({
  types: {
    context: {} as CheckoutData,
    input: {} as CheckoutTerms & { at: number },
    events: {} as CheckoutInput,
    emitted: {} as CheckoutFact,
  },
  guards: {
    isChallengeOpen: ({ context }) => context.challengeOpen === true,
    isUnderWay: ({ context }) => isUnderWay(context),
    isFurtherTry: on(
      "decline",
      ({ context, event }) => isUnderWay(context) && event.nextIntentId !== undefined && hasTryLeft(context, event.at),
    ),
    isLastTry: on(
      "decline",
      ({ context, event }) => isUnderWay(context) && event.nextIntentId === undefined && !hasTryLeft(context, event.at),
    ),
  },
});

/** Whether the customer has done their part, so that the payment can end. */
function isUnderWay({ challengeOpen }: CheckoutData): boolean {
  return challengeOpen !== true;
}

function hasTryLeft({ triesLeft, expiresAt }: CheckoutData, at: number): boolean {
  return triesLeft > 0 && at < expiresAt;
}

// Unlike xstate's free-standing action creators, these know the machine's types.
const { assign, cancel, emit, raise } = machineSetup;

const expired = { target: "expired", actions: emit({ type: "checkout.expired" }) } as const;

/** The checkout session of part 3.2, whose moves the document leaves open (`checkout.moves`). */
export const checkoutMachine = machineSetup.createMachine({
  id: "checkout",
  context: ({ input }) => {
    const { at: _, ...terms } = input;
    return terms;
  },
  // The deadline spans several states. It is scheduled once, so that it keeps its place among timers that are due at the same instant.
  entry: raise(...deadline("expiry", "expire", checkoutDeadlines.expiry)),
  exit: cancel("expiry"),
  initial: "pending",
  states: {
    pending: {
      on: {
        process: {
          target: "processing",
          actions: [
            assign(on("process", ({ event: { challengeOpen } }) => ({ challengeOpen }))),
            emit({ type: "checkout.processing" }),
          ],
        },
        cancel: { target: "cancelled", actions: emit({ type: "checkout.cancelled" }) },
        expire: expired,
      },
    },
    processing: {
      on: {
        challenge_closed: { guard: "isChallengeOpen", actions: assign({ challengeOpen: false }) },
        complete: { guard: "isUnderWay", target: "completed", actions: emit({ type: "checkout.completed" }) },
        decline: [
          {
            guard: "isFurtherTry",
            target: "pending",
            actions: assign(
              on("decline", ({ context, event: { nextIntentId = context.intentId } }) => ({
                intentId: nextIntentId,
                replacedIntentIds: [...(context.replacedIntentIds ?? []), context.intentId],
                triesLeft: context.triesLeft - 1,
                challengeOpen: false,
              })),
            ),
          },
          { guard: "isLastTry", target: "failed", actions: emit({ type: "checkout.failed" }) },
        ],
        // A payment in flight at the deadline may still succeed or fail.
        expire: [{ guard: "isChallengeOpen", ...expired }, { target: "processing" }],
      },
    },
    completed: { type: "final" },
    failed: { type: "final" },
    cancelled: { type: "final" },
    expired: { type: "final" },
  },
});

export type CheckoutState = StateValueFrom<typeof checkoutMachine>;

/** A checkout session as it is stored. */
export type CheckoutRow = RowOf<typeof checkoutMachine>;
