import { Injectable } from "@nestjs/common";
import { PaymentsService, Settings } from "./payments.service";
import { plans, Store } from "./store";
import type { Membership, Order } from "./store";

/** The shop stores before it calls, and believes neither events nor addresses, but what the service says when it asks. */
@Injectable()
export class ShopService {
  constructor(
    private readonly settings: Settings,
    private readonly payments: PaymentsService,
    private readonly store: Store,
  ) {}

  async checkOut(id: string, contact: object): Promise<Order> {
    const order = this.store.orders.get(id) ?? { id, amount: 49_900, status: "pending", parcels: 0 };
    this.store.orders.set(id, order);
    const addresses = this.addressesOf(`/orders/${id}`);
    const terms = { externalId: id, amount: order.amount, description: "A book", contact, ...addresses };
    await this.refresh(id);
    if (order.session === undefined || ["failed", "expired", "cancelled"].includes(order.status)) {
      // The key names the session that is over, so that another is opened once.
      const key = `${id}-${order.session?.sessionToken ?? "first"}`;
      order.session = await this.payments.call<NonNullable<Order["session"]>>("POST", "/api/checkout", terms, key);
      order.status = "pending";
    }
    return order;
  }

  async join(id: string, plan: string, contact: object, paymentMethodId: string): Promise<object> {
    const membership = this.store.memberships.get(id) ?? { id, plan, status: "incomplete" };
    this.store.memberships.set(id, membership);
    const terms = { name: plan, amount: plans[plan], interval: "month" };
    const { id: planId } = await this.payments.call<{ id: string }>("POST", "/api/subscription/plans", terms, plan);
    const addresses = this.addressesOf(`/memberships/${id}`);
    const subscription = { planId, externalId: id, contact, ...addresses };
    membership.subscription ??= await this.payments.call<{ id: string }>(
      "POST",
      "/api/subscription/initiate",
      subscription,
      id,
    );
    return this.changeCard(membership, paymentMethodId);
  }

  /** Pays what is owed with another card. The answer may lead the customer to the bank. */
  changeCard({ subscription, status }: Membership, paymentMethodId: string): Promise<object> {
    if (status !== "incomplete")
      return this.payments.call("PATCH", `/api/subscription/${subscription?.id}/payment-method`, { paymentMethodId });
    return this.payments.call("POST", "/api/subscription/process-payment", {
      subscriptionId: subscription?.id,
      paymentMethodId,
    });
  }

  /** Asks the service about an order or a membership. */
  async refresh(id: string): Promise<Order | Membership | undefined> {
    const [order, membership] = [this.store.orders.get(id), this.store.memberships.get(id)];
    const session = order?.session;
    if (order !== undefined && session !== undefined) {
      const { status } = await this.payments.call<Order>("GET", `/api/checkout/polling/${session.sessionToken}`);
      if (status === "completed") order.parcels = 1;
      // Answers overtake each other, and what is paid stays paid.
      if (order.status !== "completed" && order.session === session) order.status = status;
    }
    if (membership?.subscription !== undefined) {
      type Subscription = Membership & {
        readonly latestInvoice: { readonly status: string; readonly periodEnd: string };
      };
      const path = `/api/subscription/${membership.subscription.id}`;
      const { status, latestInvoice } = await this.payments.call<Subscription>("GET", path);
      membership.status = status;
      if (latestInvoice.status === "paid") membership.paidUntil = latestInvoice.periodEnd;
    }
    return order ?? membership;
  }

  /** For a timer, because an event may never come. */
  async refreshAll(): Promise<void> {
    for (const id of [...this.store.orders.keys(), ...this.store.memberships.keys()])
      await this.refresh(id).catch(console.error);
  }

  private addressesOf(path: string) {
    return { returnUrl: this.settings.url + path, webhookUrl: `${this.settings.url}/webhooks` };
  }
}
