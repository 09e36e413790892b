import { declineInWords } from "../page.ts";
import { brandOf, testMethods } from "../test-methods.ts";
import type { PaymentMethodKind, TestMethod } from "../test-methods.ts";

/** The kinds of payment method as customers know them. */
export const kindNames: Readonly<Record<PaymentMethodKind, string>> = {
  card: "Card",
  gcash: "GCash",
  grab_pay: "GrabPay",
};

/** A test card that a page offers: a click pays with it. */
export interface OfferedCard {
  readonly id: string;
  /** Its network and last digits, if it has a number. */
  readonly face: string;
  /** What a payment with it does while the customer is present. */
  readonly does: string;
  /** How such a payment ends, unless the customer ends it otherwise. */
  readonly ends: "paid" | "declined";
}

const BRANDS: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard" };

/** Every test card, for a page that a customer sees. */
export const offeredCards: readonly OfferedCard[] = testMethods
  .filter(({ kind }) => kind === "card")
  .map((method) => {
    const [number] = method.numbers;
    return {
      id: method.id,
      face: number === undefined ? "Stored card" : `${BRANDS[brandOf(number)] ?? ""} •••• ${number.slice(-4)}`.trim(),
      does: inWords(method),
      ends: method.decline === undefined ? "paid" : "declined",
    };
  });

function inWords({ challenge, nextAction, decline, synchronous, renewals, unavailableOnce }: TestMethod): string {
  const asks = nextAction === "display_details" ? "shows details to act on" : "asks for 3-D Secure";
  const end =
    decline === undefined ? "paid" : `declined${synchronous === true ? " at once" : ""}: ${declineInWords(decline)}`;
  const first = unavailableOnce === true ? "fails once with an error" : challenge === undefined ? undefined : asks;
  const later = { declined: "; renewals are declined", recovers: "; a renewal recovers on its second retry" };
  const offSession = challenge === "always" && nextAction === undefined ? "; on renewals too" : "";
  const words = `${first === undefined ? "" : `${first}, then `}${end}${renewals === undefined ? offSession : later[renewals]}`;
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
