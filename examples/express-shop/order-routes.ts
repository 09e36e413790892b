import { Router } from "express";
import type { Response } from "express";
import { isOpen, prices } from "./orders.ts";
import type { Order, Orders } from "./orders.ts";
import { PaymentRefused } from "./payment-service.ts";
import type { PaymentService } from "./payment-service.ts";
import { refresh } from "./refresh.ts";

/** The parts that the routes use. */
export interface OrderRoutesOptions {
  readonly orders: Orders;
  readonly payments: PaymentService;
  readonly shopUrl: string;
  readonly log: (line: string) => void;
}

/** The statuses of an intent that the shop can still confirm. */
const CONFIRMABLE: ReadonlySet<string> = new Set(["requires_payment_method", "requires_confirmation"]);
/** The statuses of a payment that needs nothing more of the customer. */
const UNDER_WAY: ReadonlySet<string> = new Set(["processing", "succeeded", "completed"]);

const SOLD_OUT = "We have not so many left";

/** The routes of orders. */
export function orderRoutes({ orders, payments, shopUrl, log }: OrderRoutesOptions): Router {
  const router = Router();

  const paymentOf = (order: Order) => ({
    externalId: order.id,
    amount: order.amount,
    description: `${order.quantity} × ${order.sku}`,
    returnUrl: `${shopUrl}/return?order=${order.id}`,
    webhookUrl: `${shopUrl}/webhooks`,
    contact: order.customer,
  });

  /** Asks the service for the status of the latest payment; undefined before the first. */
  const latestStatus = async (order: Order): Promise<string | undefined> => {
    const latest = order.payments.at(-1);
    return latest === undefined ? undefined : refresh({ orders, payments }, order, latest);
  };

  const pay = async (order: Order, paymentMethodId: string): Promise<void> => {
    const latest = order.payments.at(-1);
    const status = (await latestStatus(order)) ?? "";
    if (UNDER_WAY.has(status)) return;
    const mayConfirm = CONFIRMABLE.has(status) && latest?.amount === order.amount;
    const { id } = mayConfirm ? latest : await payments.createIntent(paymentOf(order), keyOf(order));
    const begun = orders.begin(order, { kind: "intent", id, amount: order.amount });
    if (begun.status !== "paid") await confirm(begun, id, paymentMethodId);
  };

  const confirm = async (order: Order, intentId: string, paymentMethodId: string): Promise<void> => {
    try {
      const { requiresAction, redirectUrl } = await payments.confirmIntent(intentId, paymentMethodId);
      if (requiresAction) orders.lead(order, redirectUrl);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      if (error.code === "3D_SECURE_REQUIRED") orders.lead(order, error.redirectUrl);
      else if (error.code === "INSUFFICIENT_FUNDS") orders.move(order, "failed", intentId);
      else if (error.code !== "INTENT_ALREADY_CONFIRMED") throw error;
    }
  };

  router.post("/orders", async (request, response) => {
    const { id, sku = "", quantity = 1, customer, paymentMethodId } = request.body as OrderRequest;
    if (!Object.hasOwn(prices, sku) || !isQuantity(quantity) || customer === undefined) {
      response
        .status(400)
        .json({ problem: "An order has a sku that we sell, a quantity of at least 1 and a customer" });
      return;
    }
    if (!orders.has(sku, quantity, id)) {
      response.status(409).json({ problem: SOLD_OUT });
      return;
    }
    const order = orders.place(sku, quantity, customer, id);
    if (paymentMethodId !== undefined) await pay(order, paymentMethodId);
    const paid = orders.get(order.id);
    response.status(paid?.status === "failed" ? 402 : 201).json(paid);
  });

  router.patch("/orders/:id", (request, response) => {
    const order = found(orders, request.params.id, response);
    if (order === undefined) return;
    const { quantity = 0 } = request.body as OrderRequest;
    const latest = order.payments.at(-1);
    const isUnderWay = order.status === "pending" && latest !== undefined && isOpen(latest);
    if (!isQuantity(quantity)) response.status(400).json({ problem: "A quantity is at least 1" });
    else if (order.status === "paid" || isUnderWay)
      response.status(409).json({ problem: "The order is paid, or being paid" });
    else if (!orders.has(order.sku, quantity, order.id)) response.status(409).json({ problem: SOLD_OUT });
    else response.json(orders.change(order, quantity));
  });

  router.post("/orders/:id/checkout", async (request, response) => {
    const order = found(orders, request.params.id, response);
    if (order === undefined) return;
    const latest = order.payments.at(-1);
    const status = (await latestStatus(order)) ?? "";
    const isOpenStill = status === "pending" && order.redirectUrl !== undefined && latest?.amount === order.amount;
    if (!isOpenStill && !UNDER_WAY.has(status)) {
      const { sessionToken, checkoutUrl } = await payments.createCheckout(paymentOf(order), keyOf(order));
      const begun = orders.begin(order, { kind: "checkout", id: sessionToken, amount: order.amount });
      orders.lead(begun, checkoutUrl);
    }
    response.status(201).json(orders.get(order.id));
  });

  router.get("/orders/:id", (request, response) => {
    const order = found(orders, request.params.id, response);
    if (order !== undefined) response.json(order);
  });

  router.get("/stock", (_request, response) => {
    response.json(orders.stock());
  });

  router.get("/return", async (request, response) => {
    const { order: id } = request.query;
    const order = found(orders, typeof id === "string" ? id : "", response);
    if (order === undefined) return;
    await latestStatus(order);
    const status = orders.get(order.id)?.status;
    log(`shows the customer that ${order.id} is ${status}`);
    response.type("html").send(`<!doctype html><title>Your order</title><p>Order ${order.id}: ${status}</p>`);
  });

  return router;
}

interface OrderRequest {
  /** The id of the customer's cart, such as a form key, which is ordered once, however often it is sent. */
  readonly id?: string;
  readonly sku?: string;
  readonly quantity?: number;
  readonly customer?: Order["customer"];
  readonly paymentMethodId?: string;
}

/** Returns the idempotency key of the next payment: the same until that payment is known, so that it is created once. */
function keyOf({ id, payments }: Order): string {
  return payments.length === 0 ? id : `${id}-${payments.length + 1}`;
}

function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= 1;
}

function found(orders: Orders, id: string, response: Response): Order | undefined {
  const order = orders.get(id);
  if (order === undefined) response.status(404).json({ problem: `There is no order ${id}` });
  return order;
}
