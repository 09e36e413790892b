/** Where a membership stands, as the service's events told. `cancelled` is the end. */
export type MembershipStatus = "incomplete" | "active" | "past_due" | "unpaid" | "cancelled";

export interface Membership {
  readonly id: string;
  readonly customer: { readonly name: string; readonly email: string };
  /** One of `plans`. */
  plan: string;
  /** The plan that begins with the next invoice, where the member asked for another. */
  nextPlan?: string;
  status: MembershipStatus;
  /** The end of the period that was paid for. */
  paidUntil?: string;
  /** Where the customer has to go to finish paying. */
  redirectUrl?: string;
  /** How the payment service knows the membership, once it was started. */
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

// A failed renewal is retried for three days, in which nobody is locked out.
const OPEN: ReadonlySet<MembershipStatus> = new Set(["active", "past_due"]);

/** The shop's memberships. A real shop has a database here. */
export class Memberships {
  readonly #memberships = new Map<string, Membership>();
  /** When the event happened that a membership's status is from. */
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

  /** Events come late and out of order: one that happened before what is known changes nothing. */
  move(membership: Membership, status: MembershipStatus, happenedAt: string): void {
    const isOld = happenedAt < (this.#statusFrom.get(membership.id) ?? "");
    if (isOld || membership.status === "cancelled") return;
    this.#statusFrom.set(membership.id, happenedAt);
    if (membership.status === status) return;
    membership.status = status;
    delete membership.redirectUrl;
    this.#changed(membership);
  }

  /** An invoice was paid: for this plan, until then. */
  paid(membership: Membership, plan: string, until: string): void {
    if (until <= (membership.paidUntil ?? "")) return;
    membership.paidUntil = until;
    membership.plan = plan;
    if (membership.nextPlan === plan) delete membership.nextPlan;
  }
}

/** Whether the library is open to a member. */
export function mayRead({ status }: Membership): boolean {
  return OPEN.has(status);
}
