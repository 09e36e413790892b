import { call } from "./payments.ts";
import { setting } from "./setting.ts";

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
export const database = { orders: new Map<string, Order>(), memberships: new Map<string, Membership>() };

/** Centavos a month. */
export const plans: Readonly<Record<string, number>> = { reader: 19_900, scholar: 49_900 };

/** A failed renewal is tried again for three days, and the member may read meanwhile. */
export const mayRead = ({ status }: Pick<Membership, "status">): boolean =>
  status === "active" || status === "past_due";

function addressesOf(path: string) {
  return { returnUrl: setting("SHOP_URL") + path, webhookUrl: `${setting("SHOP_URL")}/webhooks` };
}

export async function checkOut(id: string, contact: object): Promise<Order> {
  const order = database.orders.get(id) ?? { id, amount: 49_900, status: "pending", parcels: 0 };
  database.orders.set(id, order);
  const addresses = addressesOf(`/orders/${id}`);
  const terms = { externalId: id, amount: order.amount, description: "A book", contact, ...addresses };
  await refresh(id);
  if (order.session === undefined || ["failed", "expired", "cancelled"].includes(order.status)) {
    // The key names the session that is over, so that another is opened once.
    const key = `${id}-${order.session?.sessionToken ?? "first"}`;
    order.session = await call<NonNullable<Order["session"]>>("POST", "/api/checkout", terms, key);
    order.status = "pending";
  }
  return order;
}

export async function join(id: string, plan: string, contact: object, paymentMethodId: string): Promise<object> {
  const membership = database.memberships.get(id) ?? { id, plan, status: "incomplete" };
  database.memberships.set(id, membership);
  const terms = { name: plan, amount: plans[plan], interval: "month" };
  const { id: planId } = await call<{ id: string }>("POST", "/api/subscription/plans", terms, plan);
  const addresses = addressesOf(`/memberships/${id}`);
  const subscription = { planId, externalId: id, contact, ...addresses };
  membership.subscription ??= await call<{ id: string }>("POST", "/api/subscription/initiate", subscription, id);
  return changeCard(membership, paymentMethodId);
}

/** Pays what is owed with another card. The answer may lead the customer to the bank. */
export function changeCard({ subscription, status }: Membership, paymentMethodId: string): Promise<object> {
  if (status !== "incomplete")
    return call("PATCH", `/api/subscription/${subscription?.id}/payment-method`, { paymentMethodId });
  return call("POST", "/api/subscription/process-payment", { subscriptionId: subscription?.id, paymentMethodId });
}

/** Asks the service about an order or a membership. */
export async function refresh(id: string): Promise<Order | Membership | undefined> {
  const [order, membership] = [database.orders.get(id), database.memberships.get(id)];
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
export async function refreshAll(): Promise<void> {
  for (const id of [...database.orders.keys(), ...database.memberships.keys()]) await refresh(id).catch(console.error);
}
