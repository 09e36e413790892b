import type { Cause } from "./cause.ts";
import { SUCCESS } from "./methods.ts";
import { quoted, timeOf } from "./wording.ts";

/** Ways for a customer to come too late. */
export const expiryCauses: readonly Cause[] = [
  {
    name: "expired-session",
    looksAt: "checkout sessions that expired, and what was asked of them afterwards",
    explanation:
      "A checkout session lives as long as the assumption `checkout.lifetime` says. After that it cannot be paid. Let the customer pay before the clock passes `expiresAt`, or create a new session.",
    find: ({ of, entries, exchanges }) => {
      const moves = [...of("timer"), ...of("step")].filter(({ details }) => details.resource === "checkout");
      const expired = moves.findLast(({ details }) => details.to === "expired");
      if (expired === undefined) return undefined;
      const isLate = ({ sequence }: { readonly sequence: number }): boolean => sequence > expired.sequence;
      const visit = of("customer").find((entry) => isLate(entry) && entry.details.act === "pay");
      const call = exchanges.find(
        (exchange) =>
          isLate(exchange) && exchange.answer.status >= 400 && exchange.request.route?.startsWith("checkout.") === true,
      );
      const late = visit ?? call;
      const wentOn = entries.some(
        ({ kind, sequence, details }) =>
          kind === "step" && sequence > (late?.sequence ?? 0) && details.resource === "checkout",
      );
      if (late === undefined || wentOn) return undefined;
      const who = visit === undefined ? quoted(`${call?.request.method} ${call?.request.path}`) : "the customer";
      return {
        sentence: `the checkout session ${expired.details.id} expired at ${timeOf(expired.at)}, and ${who} came at ${timeOf(late.at)}`,
        wayOut: "let the customer pay before the clock passes the session's expiresAt",
        weight: "certain",
      };
    },
  },
  {
    name: "expired-challenge",
    looksAt: "challenges that ran out before the customer answered, when the test expected the payment to succeed",
    explanation:
      "A challenge, such as 3-D Secure, is open as long as the assumption `intent.authentication` says, an hour for a card. Then the payment is declined, and what the customer does on that page changes nothing. Let the customer answer before the clock passes it.",
    find: ({ of, thrown, attempt }) => {
      if (thrown?.isAssertion === true && !SUCCESS.test(`${thrown.text} ${String(thrown.expected)}`)) return undefined;
      const expired = of("timer").findLast(
        ({ details }) => details.id === attempt?.intent && details.input === "challenge_expired",
      );
      if (expired === undefined) return undefined;
      const late = of("customer").find(
        ({ sequence, details }) => sequence > expired.sequence && /authenticat/i.test(details.act),
      );
      return {
        sentence: `the challenge of ${expired.details.id} ran out at ${timeOf(expired.at)}, and ${late === undefined ? "the customer had not answered it" : `the customer answered at ${timeOf(late.at)}`}`,
        wayOut: "call await sim.customer.authenticate(redirectUrl) before the clock passes that moment",
        weight: "certain",
      };
    },
  },
];
