import type { Payments } from "./payments.ts";

/** The books by their ids, with prices in centavos. */
export const books: Readonly<Record<string, { readonly title: string; readonly price: number }>> = {
  noli: { title: "Noli Me Tángere", price: 49_900 },
  dekada: { title: "Dekada ’70", price: 35_000 },
};

export interface Order {
  readonly id: string;
  readonly amount: number;
  readonly contact: Contact;
  status: string;
  parcels: number;
  session?: { readonly sessionToken: string; readonly checkoutUrl: string };
}

export interface Membership {
  readonly id: string;
  status: string;
  subscription?: { readonly id: string };
}

export interface Contact {
  readonly name: string;
  readonly email: string;
}

/** What outlives the program. A real shop has a database here. */
export interface Store {
  readonly orders: Map<string, Order>;
  readonly memberships: Map<string, Membership>;
}

/** The answer to a payment of a membership. The bank may want to see the customer. */
interface Paid {
  readonly redirectUrl?: string;
}

/** The shop stores before it calls, and believes neither events nor addresses, but what the service says when it asks. */
export function createShop(call: Payments, url: string, { orders, memberships }: Store) {
  const webhookUrl = `${url}/webhooks`;

  /** Opens a session for an order that has none, or whose last one is over. */
  async function checkOut(order: Order): Promise<string> {
    const { id, amount, contact } = order;
    orders.set(id, order);
    await refresh(id);
    if (order.session === undefined || ["failed", "expired", "cancelled"].includes(order.status)) {
      const terms = {
        externalId: id,
        amount,
        description: "Books",
        contact,
        returnUrl: `${url}/orders/${id}`,
        webhookUrl,
      };
      // The key names the session that is over, so that another is opened once.
      const key = `${id}-${order.session?.sessionToken ?? "first"}`;
      order.session = await call<NonNullable<Order["session"]>>("POST", "/api/checkout", terms, key);
      order.status = "pending";
    }
    return order.session.checkoutUrl;
  }

  /** Pays what a member owes by a card: the first payment, or with another card. */
  async function payMembership(membership: Membership, contact: Contact, paymentMethodId: string): Promise<Paid> {
    const { id } = membership;
    memberships.set(id, membership);
    const plan = await call<{ id: string }>(
      "POST",
      "/api/subscription/plans",
      { name: "Reader", amount: 19_900, interval: "month" },
      "reader",
    );
    const terms = { planId: plan.id, externalId: id, contact, returnUrl: `${url}/membership`, webhookUrl };
    membership.subscription ??= await call<{ id: string }>("POST", "/api/subscription/initiate", terms, id);
    const subscriptionId = membership.subscription.id;
    if (membership.status === "incomplete")
      return call("POST", "/api/subscription/process-payment", { subscriptionId, paymentMethodId });
    return call("PATCH", `/api/subscription/${subscriptionId}/payment-method`, { paymentMethodId });
  }

  /** Asks the service about an order or a membership. */
  async function refresh(id: string): Promise<void> {
    const [order, membership] = [orders.get(id), memberships.get(id)];
    const session = order?.session;
    if (order !== undefined && session !== undefined) {
      const { status } = await call<{ status: string }>("GET", `/api/checkout/polling/${session.sessionToken}`);
      if (status === "completed") order.parcels = 1;
      // Answers overtake each other, and what is paid stays paid.
      if (order.status !== "completed" && order.session === session) order.status = status;
    }
    if (membership?.subscription !== undefined) {
      const { status } = await call<{ status: string }>("GET", `/api/subscription/${membership.subscription.id}`);
      membership.status = status;
    }
  }

  return { checkOut, payMembership, refresh };
}
