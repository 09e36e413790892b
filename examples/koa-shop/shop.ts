import type { Payments } from "./payments.ts";

export interface Order {
  readonly id: string;
  readonly amount: number;
  status: string;
  parcels: number;
  session?: { readonly sessionToken: string; readonly checkoutUrl: string };
}

export interface Membership {
  readonly id: string;
  readonly plan: string;
  status: string;
  subscription?: { readonly id: string };
  paidUntil?: string;
}

/** What outlives the program. A real shop has a database here. */
export interface Store {
  readonly orders: Map<string, Order>;
  readonly memberships: Map<string, Membership>;
}

/** Centavos a month. */
export const plans: Readonly<Record<string, number>> = { reader: 19_900, scholar: 49_900 };

/** A failed renewal is tried again for three days, and the member may read meanwhile. */
export const mayRead = ({ status }: Pick<Membership, "status">): boolean =>
  status === "active" || status === "past_due";

/** The shop stores before it calls, and believes neither events nor addresses, but what the service says when it asks. */
export function createShop(call: Payments, url: string, { orders, memberships }: Store) {
  const webhookUrl = `${url}/webhooks`;

  async function checkOut(id: string, contact: object): Promise<Order> {
    const order = orders.get(id) ?? { id, amount: 49_900, status: "pending", parcels: 0 };
    orders.set(id, order);
    const returnUrl = `${url}/orders/${id}`;
    const terms = { externalId: id, amount: order.amount, description: "A book", contact, returnUrl, webhookUrl };
    await refresh(id);
    if (order.session === undefined || ["failed", "expired", "cancelled"].includes(order.status)) {
      // The key names the session that is over, so that another is opened once.
      const key = `${id}-${order.session?.sessionToken ?? "first"}`;
      order.session = await call<NonNullable<Order["session"]>>("POST", "/api/checkout", terms, key);
      order.status = "pending";
    }
    return order;
  }

  async function join(id: string, plan: string, contact: object, paymentMethodId: string): Promise<object> {
    const membership = memberships.get(id) ?? { id, plan, status: "incomplete" };
    memberships.set(id, membership);
    const terms = { name: plan, amount: plans[plan], interval: "month" };
    const { id: planId } = await call<{ id: string }>("POST", "/api/subscription/plans", terms, plan);
    const returnUrl = `${url}/memberships/${id}`;
    const subscription = { planId, externalId: id, contact, returnUrl, webhookUrl };
    membership.subscription ??= await call<{ id: string }>("POST", "/api/subscription/initiate", subscription, id);
    return changeCard(membership, paymentMethodId);
  }

  /** Pays what is owed with another card. The answer may lead the customer to the bank. */
  function changeCard({ subscription, status }: Membership, paymentMethodId: string): Promise<object> {
    if (status !== "incomplete")
      return call("PATCH", `/api/subscription/${subscription?.id}/payment-method`, { paymentMethodId });
    return call("POST", "/api/subscription/process-payment", { subscriptionId: subscription?.id, paymentMethodId });
  }

  /** Asks the service about an order or a membership. */
  async function refresh(id: string): Promise<Order | Membership | undefined> {
    const [order, membership] = [orders.get(id), memberships.get(id)];
    const session = order?.session;
    if (order !== undefined && session !== undefined) {
      const { status } = await call<Order>("GET", `/api/checkout/polling/${session.sessionToken}`);
      if (status === "completed") order.parcels = 1;
      // Answers overtake each other, and what is paid stays paid.
      if (order.status !== "completed" && order.session === session) order.status = status;
    }
    if (membership?.subscription !== undefined) {
      type Subscription = Membership & {
        readonly latestInvoice: { readonly status: string; readonly periodEnd: string };
      };
      const path = `/api/subscription/${membership.subscription.id}`;
      const { status, latestInvoice } = await call<Subscription>("GET", path);
      membership.status = status;
      if (latestInvoice.status === "paid") membership.paidUntil = latestInvoice.periodEnd;
    }
    return order ?? membership;
  }

  /** For a timer, because an event may never come. */
  async function refreshAll(): Promise<void> {
    for (const id of [...orders.keys(), ...memberships.keys()]) await refresh(id).catch(console.error);
  }

  return { checkOut, join, changeCard, refresh, refreshAll };
}
