import type { Memberships } from "./memberships.ts";
import { isOpen } from "./orders.ts";
import type { Order, Orders, Payment } from "./orders.ts";
import type { PaymentService } from "./payment-service.ts";
import { checkoutMove, intentMove, membershipMove } from "./webhooks.ts";

/** What the shop asks, and where it writes down the answers. */
export interface RefreshOptions {
  readonly orders: Orders;
  readonly memberships: Memberships;
  readonly payments: PaymentService;
  readonly log: (line: string) => void;
}

/** Asks the service for the status of a payment, and returns it. Anyone can forge the query of a redirect, and an event may never come. */
export async function refresh(
  { orders, payments }: Pick<RefreshOptions, "orders" | "payments">,
  order: Order,
  { kind, id, amount: asked }: Payment,
): Promise<string> {
  if (kind === "checkout") {
    const { status } = await payments.checkoutStatus(id);
    const move = checkoutMove(status);
    if (move !== undefined) orders.move(order, move, id);
    return status;
  }
  const { status, amount } = await payments.intentStatus(id);
  const move = intentMove(status);
  if (move !== undefined && amount === asked) orders.move(order, move, id);
  return status;
}

/** Asks the service for everything that is not settled, and gives up what nobody pays. */
export async function refreshAll(options: RefreshOptions): Promise<void> {
  const { orders, memberships, payments, log } = options;
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log(`could not ask for ${what}: ${String(error)}`);
    }
  };
  for (const order of orders.all()) {
    for (const payment of order.payments.filter(isOpen))
      await attempt(order.id, () => refresh(options, order, payment));
    orders.giveUpIfOld(order);
  }
  for (const membership of memberships.all()) {
    const { id, subscriptionId, status: known } = membership;
    if (subscriptionId === undefined || known === "cancelled") continue;
    await attempt(id, async () => {
      const { status, plan, latestInvoice, updatedAt } = await payments.subscription(subscriptionId);
      const move = membershipMove(status);
      if (move !== undefined) memberships.move(membership, move, updatedAt);
      if (latestInvoice.status === "paid") memberships.paid(membership, plan.name, latestInvoice.periodEnd);
    });
  }
}
