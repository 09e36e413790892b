import { passesLuhn } from "../kit/base/redaction/card-number.ts";
import type { DeclineCode } from "./decline-codes.ts";

/** The kinds of payment method in the document's `paymentMethods` (2.2). */
export type PaymentMethodKind = "card" | "gcash" | "grab_pay";

/** How a test method behaves. */
interface Behaviour {
  readonly kind: PaymentMethodKind;
  /** The card numbers that behave like it. */
  readonly numbers: readonly string[];
  /** The behaviour in words. */
  readonly outcome: string;
  /** Whether a charge is challenged: only with the customer present, or on renewals too. By default, never. */
  readonly challenge?: "customer-present" | "always";
  /** The customer's next action at a challenge; `"redirect"` by default. */
  readonly nextAction?: "redirect" | "display_details";
  /** The decline code, after a passed challenge if there is one. By default, charges are approved. */
  readonly decline?: DeclineCode;
  /** True when the decline is in the answer to the call. By default it comes later. */
  readonly synchronous?: boolean;
  /** How renewals end: always declined, or paid on the second retry. By default, as with the customer present. */
  readonly renewals?: "declined" | "recovers";
  /** True when the first try of each intent answers 500 and leaves the intent in `requires_confirmation`. */
  readonly unavailableOnce?: boolean;
}

function method<const Id extends string>(id: Id, behaviour: Behaviour): Behaviour & { readonly id: Id } {
  return { id, ...behaviour };
}

function card<const Id extends string>(
  id: Id,
  numbers: readonly string[],
  outcome: string,
  behaviour: Partial<Behaviour> = {},
): Behaviour & { readonly id: Id } {
  return method(id, { kind: "card", numbers, outcome, ...behaviour });
}

const declared = [
  card("pm_card_approved", ["4343434343434345", "5555444444444457"], "approved"),
  card("pm_card_challenge", ["4120000000000007"], "challenge whenever the customer is present; renewals approved", {
    challenge: "customer-present",
  }),
  card("pm_card_challenge_always", [], "challenge on renewals too, which declines them with 3D_SECURE_REQUIRED", {
    challenge: "always",
  }),
  card("pm_card_declined_before_challenge", ["4230000000000004"], "declined before the challenge", {
    decline: "generic_decline",
  }),
  card("pm_card_declined_after_challenge", ["5234000000000106"], "declined after a passed challenge", {
    challenge: "customer-present",
    decline: "generic_decline",
  }),
  card("pm_card_declines_renewals", ["5123000000000001"], "first payment approved, every renewal declined", {
    renewals: "declined",
  }),
  card(
    "pm_card_recovers",
    [],
    "first payment approved; a renewal and its first retry declined, the second retry approved",
    { renewals: "recovers" },
  ),
  card("pm_card_expired", ["4200000000000018"], "declined: card_expired", { decline: "card_expired" }),
  card("pm_card_cvc_invalid", ["4300000000000017"], "declined: cvc_invalid", { decline: "cvc_invalid" }),
  card("pm_card_generic_decline", ["4400000000000016", "4028220000001457"], "declined: generic_decline", {
    decline: "generic_decline",
  }),
  card("pm_card_fraudulent", ["4500000000000015"], "declined: fraudulent", { decline: "fraudulent" }),
  card("pm_card_blocked", ["4600000000000014"], "declined: blocked", { decline: "blocked" }),
  card("pm_card_insufficient_funds", ["5100000000000198", "5240460000001466"], "declined at once: INSUFFICIENT_FUNDS", {
    decline: "insufficient_funds",
    synchronous: true,
  }),
  card("pm_card_processor_blocked", ["5200000000000197"], "declined: processor_blocked", {
    decline: "processor_blocked",
  }),
  card("pm_card_lost", ["5300000000000196", "5483530000001462"], "declined: lost_card", { decline: "lost_card" }),
  card("pm_card_stolen", ["5400000000000195"], "declined: stolen_card", { decline: "stolen_card" }),
  card(
    "pm_card_processor_unavailable",
    ["5500000000000194"],
    "500 INTERNAL_ERROR once per intent or session, which leaves the intent in requires_confirmation; then approved",
    { unavailableOnce: true },
  ),
  method("pm_gcash", { kind: "gcash", numbers: [], outcome: "redirect to a wallet page", challenge: "always" }),
  method("pm_grab_pay", { kind: "grab_pay", numbers: [], outcome: "redirect to a wallet page", challenge: "always" }),
  card("pm_display_details", [], "next action display_details, paid when the customer acts", {
    challenge: "always",
    nextAction: "display_details",
  }),
] as const;

/** The id of a test method. */
export type TestMethodId = (typeof declared)[number]["id"];

/** What a field for a payment method takes: a test method, a kind, or the id of a stored card. */
export type PaymentMethodName = TestMethodId | PaymentMethodKind | (string & {});

/** A payment method with a fixed behaviour. */
export interface TestMethod extends Behaviour {
  /** The id, for `paymentMethodId`. */
  readonly id: TestMethodId;
}

/**
 * Every test card and wallet, with its behaviour. Use any future expiry date, and any CVC of 3 or 4 digits.
 *
 * @example
 * const stolen = testMethods.find(({ decline }) => decline === "stolen_card");
 * await client.paymentIntents.confirm(intent.id, { paymentMethodId: stolen?.id ?? "" });
 */
export const testMethods: readonly TestMethod[] = declared;

for (const each of testMethods) {
  Object.freeze(each.numbers);
  Object.freeze(each);
}
Object.freeze(testMethods);

const byId = new Map<string, TestMethod>(testMethods.map((each) => [each.id, each]));
const byNumber = new Map(
  testMethods.flatMap((each) => each.numbers.map((number): [string, TestMethod] => [number, each])),
);
const PLAIN_KINDS: Readonly<Record<string, string>> = {
  card: "pm_card_approved",
  gcash: "pm_gcash",
  grab_pay: "pm_grab_pay",
};

/** Returns the test method with an id, or the test method of a plain kind such as `gcash`. */
export function testMethodOf(id: string): TestMethod | undefined {
  return byId.get(Object.hasOwn(PLAIN_KINDS, id) ? (PLAIN_KINDS[id] as string) : id);
}

/** Returns the test method of a card number: approved for unlisted numbers, undefined for one that fails the Luhn check. */
export function testMethodOfNumber(number: string): TestMethod | undefined {
  return byNumber.get(number) ?? (passesLuhn(number) ? byId.get("pm_card_approved") : undefined);
}

/** Returns the network of a card number, by its first digits. */
export function brandOf(number: string): string {
  if (number.startsWith("4")) return "visa";
  if (/^(5[1-5]|2[2-7])/.test(number)) return "mastercard";
  if (/^3[47]/.test(number)) return "amex";
  if (number.startsWith("35")) return "jcb";
  return "unknown";
}
