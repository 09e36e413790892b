import { declineCodes } from "./words.ts";
import type { DeclineCode, MethodKind } from "./words.ts";

/** What a test method does, as `docs/reference/test-methods.md` says it. */
export interface TestMethod {
  readonly id: string;
  readonly kind: MethodKind;
  /** When the customer is asked: only while present, or always. A card that always asks is declined without the customer. */
  readonly asks?: "present" | "always";
  /** How the payment ends, after a passed challenge. Approved without it. */
  readonly decline?: DeclineCode;
  /** The decline is the answer to the call. */
  readonly atOnce?: true;
  /** How charges without the customer end, one after the other; the last stands for all further ones. */
  readonly renewals?: readonly ("approved" | DeclineCode)[];
  /** The processor is down for the first try of a payment. */
  readonly downOnce?: true;
}

type Behaviour = Omit<TestMethod, "id">;

const card = (behaviour: Omit<Behaviour, "kind"> = {}): Behaviour => ({ kind: "card", ...behaviour });

export const behaviours: Readonly<Record<string, Behaviour>> = {
  pm_card_approved: card(),
  pm_card_challenge: card({ asks: "present" }),
  pm_card_challenge_always: card({ asks: "always" }),
  pm_card_declined_before_challenge: card({ decline: "generic_decline" }),
  pm_card_declined_after_challenge: card({ asks: "present", decline: "generic_decline" }),
  pm_card_declines_renewals: card({ renewals: ["generic_decline"] }),
  pm_card_recovers: card({ renewals: ["insufficient_funds", "insufficient_funds", "approved"] }),
  pm_card_expired: card({ decline: "card_expired" }),
  pm_card_cvc_invalid: card({ decline: "cvc_invalid" }),
  pm_card_generic_decline: card({ decline: "generic_decline" }),
  pm_card_fraudulent: card({ decline: "fraudulent" }),
  pm_card_blocked: card({ decline: "blocked" }),
  pm_card_insufficient_funds: card({ decline: "insufficient_funds", atOnce: true }),
  pm_card_processor_blocked: card({ decline: "processor_blocked" }),
  pm_card_lost: card({ decline: "lost_card" }),
  pm_card_stolen: card({ decline: "stolen_card" }),
  pm_card_processor_unavailable: card({ downOnce: true }),
  pm_gcash: { kind: "gcash", asks: "always" },
  pm_grab_pay: { kind: "grab_pay", asks: "always" },
  pm_display_details: card({ asks: "always" }),
};

const PLAIN_KINDS: Readonly<Record<string, string>> = {
  card: "pm_card_approved",
  gcash: "pm_gcash",
  grab_pay: "pm_grab_pay",
};

/** Returns the test method that a call names by its id or its plain kind. */
export function methodOf(name: string): TestMethod | undefined {
  const id = PLAIN_KINDS[name] ?? name;
  const behaviour = behaviours[id];
  return behaviour === undefined ? undefined : { id, ...behaviour };
}

/** How a charge without the customer ends: undefined is approved. */
export function declineWithoutCustomer(
  { renewals, decline, asks, downOnce }: TestMethod,
  attempt: number,
  wasDown: boolean,
): DeclineCode | undefined {
  if (downOnce === true && !wasDown) return "processor_unavailable";
  const planned = renewals?.[Math.min(attempt, renewals.length) - 1];
  if (planned !== undefined) return declineCodes.find((code) => code === planned);
  return decline ?? (asks === "always" ? "3D_SECURE_REQUIRED" : undefined);
}
