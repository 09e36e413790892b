import { filledPath, valueIn } from "../../kit/http/route-path.ts";
import type { PaymentIntents } from "../payment-intents/commands.ts";
import { statusOf as intentStatusOf } from "../payment-intents/status.ts";
import type { Checkout } from "./commands.ts";

/** The pages of this service on which a customer acts: hosted pages of sessions, and challenges of intents (`checkout.url`). */
export function customerPages(checkout: Checkout, intents: PaymentIntents) {
  const { paths } = intents.placeAt("");
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
  const statusOf = { "hosted page": sessionStatus, challenge: challengedStatus };
  const pageAt = (path: string) => {
    const token = valueIn(paths.session, path);
    if (token !== undefined) return { kind: "hosted page" as const, id: token };
    const challenge = valueIn(paths.challenge, path);
    return challenge === undefined ? undefined : { kind: "challenge" as const, id: challenge };
  };
  return {
    /** Returns which page stands at an address of the service, whether or not its payment exists; undefined for any other address. */
    kindAt: (baseUrl: string, url: string) =>
      url.startsWith(`${baseUrl}/`) ? pageAt(url.slice(baseUrl.length).split(/[?#]/, 1)[0] ?? "")?.kind : undefined,
    at(path: string) {
      const page = pageAt(path);
      if (page === undefined) return undefined;
      const { kind, id } = page;
      const status = (): string | undefined => statusOf[kind](id);
      return status() === undefined ? undefined : { kind, path, status };
    },
    /** Returns the path of a session's hosted page. */
    hosting: (sessionToken: string): string => filledPath(paths.session, { sessionToken }),
    displayedBy(id: string): string | undefined {
      const challenge = intents.get(id)?.data.challenge;
      return challenge === undefined ? undefined : filledPath(paths.challenge, { challengeId: challenge.id });
    },
  };
}
