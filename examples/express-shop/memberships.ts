import { emptyStore } from "./store.ts";
import type { ShopStore } from "./store.ts";

/** The status of a membership, according to the service's events. `cancelled` is final. */
export type MembershipStatus = "incomplete" | "active" | "past_due" | "unpaid" | "cancelled";

export interface Membership {
  readonly id: string;
  readonly customer: { readonly name: string; readonly email: string };
  /** One of `plans`. */
  readonly plan: string;
  /** The plan that starts with the next invoice, if the member asked for another. */
  readonly nextPlan?: string;
  readonly status: MembershipStatus;
  /** When the status began, at the service. */
  readonly statusFrom: string;
  /** The end of the paid period. */
  readonly paidUntil?: string;
  /** The page where the customer must finish the payment. */
  readonly redirectUrl?: string;
  /** The id of the subscription at the payment service, once it was started. */
  readonly subscriptionId?: string;
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

/** What can change in a membership. What becomes undefined is left out. */
type Changes = { readonly [Field in keyof Membership]?: Membership[Field] | undefined };

/** The shop's memberships. */
export class Memberships {
  readonly #memberships: ShopStore["memberships"];
  readonly #changed: (membership: Membership) => void;

  constructor(
    changed: (membership: Membership) => void,
    { memberships }: Pick<ShopStore, "memberships"> = emptyStore(),
  ) {
    this.#changed = changed;
    this.#memberships = memberships;
  }

  /** Begins a membership, or returns the one that this application has begun already. */
  begin(plan: string, customer: Membership["customer"], id = this.#nextId()): Membership {
    const begun = this.#memberships.get(id);
    if (begun !== undefined) return begun;
    const membership: Membership = { id, customer, plan, status: "incomplete", statusFrom: "" };
    this.#memberships.set(id, membership);
    return membership;
  }

  get(id: string): Membership | undefined {
    return this.#memberships.get(id);
  }

  all(): readonly Membership[] {
    return [...this.#memberships.values()];
  }

  bySubscription(subscriptionId: string): Membership | undefined {
    return this.all().find((membership) => membership.subscriptionId === subscriptionId);
  }

  change({ id }: Pick<Membership, "id">, changes: Changes): Membership {
    const entries = Object.entries({ ...this.#memberships.get(id), ...changes });
    const membership = Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown as Membership;
    this.#memberships.set(id, membership);
    return membership;
  }

  /** Events come late and out of order. One that is older than the known status changes nothing. */
  move({ id }: Pick<Membership, "id">, status: MembershipStatus, happenedAt: string): void {
    const membership = this.#memberships.get(id);
    if (membership === undefined || happenedAt < membership.statusFrom || membership.status === "cancelled") return;
    const isSame = membership.status === status;
    const moved = this.change(membership, {
      status,
      statusFrom: happenedAt,
      ...(!isSame && { redirectUrl: undefined }),
    });
    if (!isSame) this.#changed(moved);
  }

  /** Records a paid invoice: its plan, and the end of its period. */
  paid({ id }: Pick<Membership, "id">, plan: string, until: string): void {
    const membership = this.#memberships.get(id);
    if (membership === undefined || until <= (membership.paidUntil ?? "")) return;
    const { nextPlan } = membership;
    this.change(membership, { paidUntil: until, plan, nextPlan: nextPlan === plan ? undefined : nextPlan });
  }

  #nextId(): string {
    return `member_${String(this.#memberships.size + 1).padStart(4, "0")}`;
  }
}

/** Whether a member has access to the library. */
export function mayRead({ status }: Pick<Membership, "status">): boolean {
  return OPEN.has(status);
}
