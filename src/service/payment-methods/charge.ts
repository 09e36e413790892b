import type { PaymentMethod } from "./commands.ts";
import { isPastExpiry } from "./commands.ts";
import type { AnswerFault } from "./faults.ts";
import { testMethodOf } from "./test-methods.ts";
import type { DeclineCode, PaymentMethodKind } from "./test-methods.ts";

/** How a charge ends once nothing stands in its way. */
export type Outcome = { readonly approved: true } | { readonly approved: false; readonly declineCode: DeclineCode };

/** What the processor says to a charge: that it is down, that the customer must act first, or how it will end. */
export type ProcessorAnswer =
  | { readonly kind: "unavailable" }
  | { readonly kind: "challenge"; readonly nextAction: "redirect" | "display_details"; readonly outcome: Outcome }
  | { readonly kind: "decided"; readonly synchronous: boolean; readonly outcome: Outcome };

/** The circumstances of a charge. */
export interface Charge {
  /** Virtual now in milliseconds. */
  readonly now: number;
  /** Whether the processor was down for this payment before. */
  readonly wasUnavailable: boolean;
  /** The fault that answers in the method's place. */
  readonly fault: AnswerFault | undefined;
}

const APPROVED: Outcome = { approved: true };

/**
 * The answer of a test method to a charge with the customer present. A fault that declines does so where the method itself would have
 * been approved or declined, after its challenge; a synchronous one does so before.
 */
export function chargeWithCustomer(method: PaymentMethod, { now, wasUnavailable, fault }: Charge): ProcessorAnswer {
  const behaviour = testMethodOf(method.behaviour);
  if (fault !== undefined) {
    if (fault.kind === "unavailable") return fault;
    const outcome = declined(fault.declineCode);
    if (behaviour?.challenge === undefined || fault.synchronous)
      return { kind: "decided", synchronous: fault.synchronous, outcome };
    return { kind: "challenge", nextAction: behaviour.nextAction ?? "redirect", outcome };
  }
  if (behaviour?.unavailableOnce === true && !wasUnavailable) return { kind: "unavailable" };
  if (isPastExpiry(method, now)) return { kind: "decided", synchronous: false, outcome: declined("card_expired") };
  const outcome = behaviour?.decline === undefined ? APPROVED : declined(behaviour.decline);
  if (behaviour?.challenge !== undefined)
    return { kind: "challenge", nextAction: behaviour.nextAction ?? "redirect", outcome };
  return { kind: "decided", synchronous: behaviour?.synchronous === true, outcome };
}

/** The circumstances of a charge without the customer. */
export interface RenewalCharge {
  /** Virtual now in milliseconds. */
  readonly now: number;
  /** 1 for an invoice's first automatic attempt, 2 for its first retry. */
  readonly attempt: number;
  /** Whether the processor was down for this invoice before. */
  readonly wasUnavailable: boolean;
  /** The fault that answers in the method's place. */
  readonly fault: AnswerFault | undefined;
}

/** How a charge of a test method ends when the customer is not there. */
export function chargeWithoutCustomer(
  method: PaymentMethod,
  { now, attempt, wasUnavailable, fault }: RenewalCharge,
): Outcome {
  if (fault !== undefined) return declined(fault.kind === "unavailable" ? "processor_unavailable" : fault.declineCode);
  const behaviour = testMethodOf(method.behaviour);
  if (isPastExpiry(method, now)) return declined("card_expired");
  if (behaviour?.unavailableOnce === true && !wasUnavailable) return declined("processor_unavailable");
  if (behaviour?.renewals === "declined") return declined("generic_decline");
  if (behaviour?.renewals === "recovers" && attempt < 3) return declined("insufficient_funds");
  if (behaviour?.challenge === "always" && method.kind === "card") return declined("3D_SECURE_REQUIRED");
  return behaviour?.decline === undefined ? APPROVED : declined(behaviour.decline);
}

/** What the service charges the merchant, per kind of method (`intent.fee`). */
export type FeeRates = Readonly<Record<PaymentMethodKind, { readonly percent: number; readonly fixed: number }>>;

/** The fee in centavos: rounded half up, never above the amount. */
export function feeOf(amount: number, kind: PaymentMethodKind | undefined, rates: FeeRates): number {
  if (kind === undefined) return 0;
  const { percent, fixed } = rates[kind];
  // Whole numbers only: 3.5 % of an amount in binary fractions rounds the wrong way now and then.
  const millionths = BigInt(amount) * BigInt(Math.round(percent * 10_000));
  const share = Number((millionths + 500_000n) / 1_000_000n);
  return Math.min(amount, share + fixed);
}

function declined(declineCode: DeclineCode): Outcome {
  return { approved: false, declineCode };
}
