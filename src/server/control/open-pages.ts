import { toTimestamp } from "../../kit/engine/timestamp.ts";
import { customerPages } from "../../simulator/payment-service.ts";
import type { CustomerPage } from "../../simulator/customer.ts";
import type { Simulator } from "../../simulator/simulator.ts";

/** A page on which a customer can act now. */
export interface OpenPage {
  readonly kind: CustomerPage["kind"];
  /** Below the address of the world. */
  readonly path: string;
  /** The id of the session or the intent, and its status. */
  readonly id: string;
  readonly status: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  /** What the merchant calls it, such as `order-1`. */
  readonly externalId?: string;
  readonly customer?: string;
  readonly expiresAt?: string;
}

/** Returns the hosted pages of open sessions, and then the open challenges, each oldest first. */
export function openPagesOf(sim: Simulator): OpenPage[] {
  const { checkout, intents } = sim.internals.parts;
  const pages = customerPages(checkout, intents);
  const sessions = sim.checkouts.list({ status: "pending" }).map((session) => {
    const { sessionToken, expiresAt } = session;
    return Object.assign(shownOf(session), {
      kind: "hosted page" as const,
      path: pages.hosting(sessionToken),
      expiresAt,
    });
  });
  const challenges = sim.intents.list({ status: "requires_action" }).flatMap((intent) => {
    const path = pages.displayedBy(intent.id);
    const challenge = intents.get(intent.id)?.data.challenge;
    if (path === undefined || challenge === undefined) return [];
    return [{ kind: "challenge" as const, path, expiresAt: toTimestamp(challenge.expiresAt), ...shownOf(intent) }];
  });
  return [...sessions, ...challenges];
}

interface Payment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency?: string;
  readonly description: string;
  readonly externalId?: string;
  readonly contact?: { readonly name?: string | undefined; readonly email?: string | undefined };
}

function shownOf({ id, status, amount, currency = "PHP", description, externalId, contact }: Payment) {
  const customer = contact?.name ?? contact?.email;
  return {
    id,
    status,
    amount,
    currency,
    description,
    ...(externalId !== undefined && { externalId }),
    ...(customer !== undefined && { customer }),
  };
}
