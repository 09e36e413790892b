import type { PaymentMethod } from "./commands.ts";
import { isPastExpiry } from "./commands.ts";
import type { AnswerFault } from "./faults.ts";
import { testMethodOf } from "../test-methods.ts";
import type { DeclineCode } from "../decline-codes.ts";
import type { PaymentMethodKind } from "../test-methods.ts";

/** How a charge ends: approved, or declined with a code. */
export type Outcome = { readonly approved: true } | { readonly approved: false; readonly declineCode: DeclineCode };

/** The processor's answer to a charge: unavailable, challenged, or decided. */
export type ProcessorAnswer =
  | { readonly kind: "unavailable" }
  | { readonly kind: "challenge"; readonly nextAction: "redirect" | "display_details"; readonly outcome: Outcome }
  | { readonly kind: "decided"; readonly synchronous: boolean; readonly outcome: Outcome };

/** The circumstances of a charge with the customer present. */
export interface Charge {
  /** Virtual time in milliseconds since 1970. */
  readonly now: number;
  /** Whether the processor was unavailable before for this payment. */
  readonly wasUnavailable: boolean;
  /** The fault that answers instead of the method. */
  readonly fault: AnswerFault | undefined;
  /** When a decline comes that needs no challenge (`intent.decline`). */
  readonly declines: () => "by-method" | "at-once" | "later";
}

const APPROVED: Outcome = { approved: true };

/**
 * Returns a test method's answer to a charge with the customer present. A fault that declines takes effect after the method's challenge, or
 * before it if the fault is synchronous.
 */
export function chargeWithCustomer(
  method: PaymentMethod,
  { now, wasUnavailable, fault, declines }: Charge,
): ProcessorAnswer {
  const behaviour = testMethodOf(method.behaviour);
  if (fault !== undefined) {
    if (fault.kind === "unavailable") return fault;
    const outcome = declined(fault.declineCode);
    if (behaviour?.challenge === undefined || fault.synchronous)
      return { kind: "decided", synchronous: fault.synchronous || declines() === "at-once", outcome };
    return { kind: "challenge", nextAction: behaviour.nextAction ?? "redirect", outcome };
  }
  if (behaviour?.unavailableOnce === true && !wasUnavailable) return { kind: "unavailable" };
  if (isPastExpiry(method, now))
    return { kind: "decided", synchronous: declines() === "at-once", outcome: declined("card_expired") };
  const outcome = behaviour?.decline === undefined ? APPROVED : declined(behaviour.decline);
  if (behaviour?.challenge !== undefined)
    return { kind: "challenge", nextAction: behaviour.nextAction ?? "redirect", outcome };
  if (outcome.approved) return { kind: "decided", synchronous: false, outcome };
  const when = declines();
  const synchronous = when === "by-method" ? behaviour?.synchronous === true : when === "at-once";
  return { kind: "decided", synchronous, outcome };
}

/** The circumstances of a charge without the customer. */
export interface RenewalCharge {
  /** Virtual time in milliseconds since 1970. */
  readonly now: number;
  /** 1 for an invoice's first automatic attempt, 2 for its first retry. */
  readonly attempt: number;
  /** Whether the processor was unavailable before for this invoice. */
  readonly wasUnavailable: boolean;
  /** The fault that answers instead of the method. */
  readonly fault: AnswerFault | undefined;
  /** What becomes of a card that asks for a challenge (`subscription.off-session-challenge`). */
  readonly challenged: () => "decline" | "redirect";
}

/** How a charge without the customer ends, and the challenge that the customer may still pass before, if any. */
export interface RenewalAnswer {
  readonly outcome: Outcome;
  readonly nextAction?: "redirect" | "display_details";
}

/** Returns how a charge of a test method ends without the customer. */
export function chargeWithoutCustomer(
  method: PaymentMethod,
  { now, attempt, wasUnavailable, fault, challenged }: RenewalCharge,
): RenewalAnswer {
  const decline = (code: DeclineCode): RenewalAnswer => ({ outcome: declined(code) });
  if (fault !== undefined) return decline(fault.kind === "unavailable" ? "processor_unavailable" : fault.declineCode);
  const behaviour = testMethodOf(method.behaviour);
  if (isPastExpiry(method, now)) return decline("card_expired");
  if (behaviour?.unavailableOnce === true && !wasUnavailable) return decline("processor_unavailable");
  if (behaviour?.renewals === "declined") return decline("generic_decline");
  if (behaviour?.renewals === "recovers" && attempt < 3) return decline("insufficient_funds");
  const outcome = behaviour?.decline === undefined ? APPROVED : declined(behaviour.decline);
  if (behaviour?.challenge !== "always" || method.kind !== "card") return { outcome };
  return challenged() === "decline"
    ? decline("3D_SECURE_REQUIRED")
    : { outcome, nextAction: behaviour.nextAction ?? "redirect" };
}

/** The service's fees by kind of payment method (`intent.fee`). */
export type FeeRates = Readonly<Record<PaymentMethodKind, { readonly percent: number; readonly fixed: number }>>;

/** Returns the fee in centavos, rounded half up and never above the amount. */
export function feeOf(amount: number, kind: PaymentMethodKind | undefined, rates: FeeRates): number {
  if (kind === undefined) return 0;
  const { percent, fixed } = rates[kind];
  // Integers only: with binary fractions, 3.5 % of some amounts rounds the wrong way.
  const millionths = BigInt(amount) * BigInt(Math.round(percent * 10_000));
  const share = Number((millionths + 500_000n) / 1_000_000n);
  return Math.min(amount, share + fixed);
}

function declined(declineCode: DeclineCode): Outcome {
  return { approved: false, declineCode };
}
