import type { PaymentIntents } from "../payment-intents/commands.ts";
import { statusOf as intentStatusOf } from "../payment-intents/status.ts";
import type { Checkout } from "./commands.ts";

/** The pages of this service on which a customer acts: hosted pages of sessions, and challenges of intents. */
export function customerPages(checkout: Checkout, intents: PaymentIntents) {
  const sessionStatus = (token: string): string | undefined => {
    const session = checkout.byToken(token);
    return session === undefined ? undefined : checkout.statusOf(session);
  };
  const challengedStatus = (challenge: string): string | undefined => {
    const intent = intents.byChallenge(challenge);
    if (intent === undefined) return undefined;
    // The intent of a session is never shown, so the customer sees the session's status (`checkout.payment`).
    return (
      (intent.data.purpose === "checkout" ? sessionStatus(intent.data.sessionToken) : undefined) ??
      intentStatusOf[intent.state]
    );
  };
  return {
    at(path: string) {
      const [, page, id = ""] = /^\/(pay|authenticate)\/([^/?#]+)$/.exec(path) ?? [];
      const kind = page === "pay" ? ("hosted page" as const) : ("challenge" as const);
      const status = (): string | undefined => (page === "pay" ? sessionStatus(id) : challengedStatus(id));
      return page === undefined || status() === undefined ? undefined : { kind, path, status };
    },
    displayedBy(id: string): string | undefined {
      const challenge = intents.get(id)?.data.challenge;
      return challenge === undefined ? undefined : `/authenticate/${challenge.id}`;
    },
  };
}
