/** The status of a membership, according to the service's events. `cancelled` is final. */
export type MembershipStatus = "incomplete" | "active" | "past_due" | "unpaid" | "cancelled";

export interface Membership {
  readonly id: string;
  readonly customer: { readonly name: string; readonly email: string };
  /** One of `plans`. */
  plan: string;
  /** The plan that starts with the next invoice, if the member asked for another. */
  nextPlan?: string;
  status: MembershipStatus;
  /** The end of the paid period. */
  paidUntil?: string;
  /** The page where the customer must finish the payment. */
  redirectUrl?: string;
  /** The id of the subscription at the payment service, once it was started. */
  subscriptionId?: string;
}

/** A plan that the shop sells; amounts in centavos. */
export interface MembershipPlan {
  readonly amount: number;
  readonly interval: "month" | "year";
}

export const plans: Readonly<Record<string, MembershipPlan>> = {
  reader: { amount: 19_900, interval: "month" },
  scholar: { amount: 49_900, interval: "month" },
  patron: { amount: 499_000, interval: "year" },
};

/** What members may read while their membership is open. */
export const library = ["The Tide Pools of Batanes", "A Short History of Centavos", "Letters to a Young Cook"];

// The service retries a failed renewal for three days. Members keep their access meanwhile.
const OPEN: ReadonlySet<MembershipStatus> = new Set(["active", "past_due"]);

/** The shop's memberships. A real shop has a database here. */
export class Memberships {
  readonly #memberships = new Map<string, Membership>();
  /** The time of the event that set a membership's status. */
  readonly #statusFrom = new Map<string, string>();
  readonly #changed: (membership: Membership) => void;

  constructor(changed: (membership: Membership) => void) {
    this.#changed = changed;
  }

  begin(plan: string, customer: Membership["customer"]): Membership {
    const id = `member_${String(this.#memberships.size + 1).padStart(4, "0")}`;
    const membership: Membership = { id, customer, plan, status: "incomplete" };
    this.#memberships.set(id, membership);
    return membership;
  }

  get(id: string): Membership | undefined {
    return this.#memberships.get(id);
  }

  bySubscription(subscriptionId: string): Membership | undefined {
    return [...this.#memberships.values()].find((membership) => membership.subscriptionId === subscriptionId);
  }

  /** Events come late and out of order. One that is older than the known status changes nothing. */
  move(membership: Membership, status: MembershipStatus, happenedAt: string): void {
    const isOld = happenedAt < (this.#statusFrom.get(membership.id) ?? "");
    if (isOld || membership.status === "cancelled") return;
    this.#statusFrom.set(membership.id, happenedAt);
    if (membership.status === status) return;
    membership.status = status;
    delete membership.redirectUrl;
    this.#changed(membership);
  }

  /** Records a paid invoice: its plan, and the end of its period. */
  paid(membership: Membership, plan: string, until: string): void {
    if (until <= (membership.paidUntil ?? "")) return;
    membership.paidUntil = until;
    membership.plan = plan;
    if (membership.nextPlan === plan) delete membership.nextPlan;
  }
}

/** Whether a member has access to the library. */
export function mayRead({ status }: Membership): boolean {
  return OPEN.has(status);
}
