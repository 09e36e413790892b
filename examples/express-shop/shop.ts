import express from "express";
import type { Express, Request, Response } from "express";
import { membershipRoutes } from "./membership-routes.ts";
import { Memberships } from "./memberships.ts";
import { Orders, prices } from "./orders.ts";
import type { Order } from "./orders.ts";
import { PaymentRefused, PaymentService } from "./payment-service.ts";
import type { PaymentServiceConfig } from "./payment-service.ts";
import { isFromPaymentService } from "./webhook-signature.ts";
import { checkoutMove, intentMove, parsed, Webhooks } from "./webhooks.ts";
import type { Outcome } from "./webhooks.ts";

export interface ShopConfig extends PaymentServiceConfig {
  readonly webhookSecret: string;
  /** The shop's own address, for returning customers and webhooks. */
  readonly shopUrl: string;
  /** Called with a line for each thing that happens in the shop. */
  readonly log?: (line: string) => void;
}

/** The parts of the shop that a caller can replace. */
export interface ShopParts {
  readonly orders: Orders;
  readonly webhooks: Pick<Webhooks, "receive">;
  readonly isGenuine: typeof isFromPaymentService;
}

/** Creates the shop as an Express app. */
export function createShop(config: ShopConfig, parts: Partial<ShopParts> = {}): Express {
  const log = config.log ?? (() => undefined);
  const memberships = new Memberships(({ id, status }) => log(`${id} is ${status}`));
  const {
    orders = new Orders(({ id, status }) => log(`${id} is ${status}`)),
    webhooks = new Webhooks(orders, memberships),
    isGenuine = isFromPaymentService,
  } = parts;
  const payments = new PaymentService(config);
  const app = express();

  const paymentOf = (order: Order) => ({
    externalId: order.id,
    amount: order.amount,
    description: `${order.quantity} × ${order.sku}`,
    returnUrl: `${config.shopUrl}/return?order=${order.id}`,
    webhookUrl: `${config.shopUrl}/webhooks`,
    contact: order.customer,
  });

  /** Asks the service for the payment's status, because anyone can forge the query of the redirect. */
  const refresh = async (order: Order): Promise<void> => {
    if (order.intentId !== undefined) {
      const { status, amount } = await payments.intentStatus(order.intentId);
      const move = intentMove(status);
      if (move !== undefined && amount === order.amount) orders.move(order, move);
    } else if (order.sessionToken !== undefined) {
      const { status } = await payments.checkoutStatus(order.sessionToken);
      const move = checkoutMove(status);
      if (move !== undefined) orders.move(order, move);
    }
  };

  // Before express.json(), because the signature is over the raw bytes.
  app.post("/webhooks", express.raw({ type: "application/json" }), (request: Request, response) => {
    const body: unknown = request.body;
    if (!Buffer.isBuffer(body) || !isGenuine(request.get("x-webhook-signature"), body, config.webhookSecret)) {
      log("refuses an event whose signature is wrong");
      response.sendStatus(401);
      return;
    }
    const event = parsed(body.toString());
    const outcome = event === undefined ? "malformed" : webhooks.receive(event);
    if (outcome !== "applied")
      log(`${event?.type ?? "an event"} is ${outcome === "duplicate" ? "a duplicate and changes nothing" : outcome}`);
    response.sendStatus(STATUS_OF[outcome]);
  });

  app.use(express.json());

  app.post("/orders", async (request, response) => {
    const { sku = "", quantity = 1, customer, paymentMethodId } = request.body as OrderRequest;
    if (!Object.hasOwn(prices, sku) || !Number.isInteger(quantity) || quantity < 1 || customer === undefined) {
      response
        .status(400)
        .json({ problem: "An order has a sku that we sell, a quantity of at least 1 and a customer" });
      return;
    }
    const order = orders.place(sku, quantity, customer);
    if (paymentMethodId !== undefined) {
      order.intentId = (await payments.createIntent(paymentOf(order), order.id)).id;
      await confirm(order, paymentMethodId);
    }
    response.status(order.status === "failed" ? 402 : 201).json(order);
  });

  const confirm = async (order: Order, paymentMethodId: string): Promise<void> => {
    try {
      const { requiresAction, redirectUrl } = await payments.confirmIntent(order.intentId ?? "", paymentMethodId);
      if (requiresAction) askCustomer(order, redirectUrl);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      if (error.code === "3D_SECURE_REQUIRED") askCustomer(order, error.redirectUrl);
      else if (error.code === "INSUFFICIENT_FUNDS") orders.move(order, "failed");
      else throw error;
    }
  };

  const askCustomer = (order: Order, redirectUrl: string | undefined): void => {
    if (redirectUrl !== undefined) order.redirectUrl = redirectUrl;
    orders.move(order, "requires_action");
  };

  app.post("/orders/:id/checkout", async (request, response) => {
    const order = found(orders, request.params.id, response);
    if (order === undefined) return;
    const { sessionToken, checkoutUrl } = await payments.createCheckout(paymentOf(order), order.id);
    order.sessionToken = sessionToken;
    askCustomer(order, checkoutUrl);
    response.status(201).json(order);
  });

  app.get("/orders/:id", (request, response) => {
    const order = found(orders, request.params.id, response);
    if (order !== undefined) response.json(order);
  });

  app.get("/return", async (request, response) => {
    const { order: id } = request.query;
    const order = found(orders, typeof id === "string" ? id : "", response);
    if (order === undefined) return;
    await refresh(order);
    log(`shows the customer that ${order.id} is ${order.status}`);
    response.type("html").send(`<!doctype html><title>Your order</title><p>Order ${order.id}: ${order.status}</p>`);
  });

  app.use(membershipRoutes({ memberships, payments, shopUrl: config.shopUrl, log }));

  app.use((error: Error, _request: Request, response: Response, next: (error: Error) => void) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    log(`could not go on: ${error.message}`);
    response.status(502).json({ problem: "The payment could not be made; try again" });
  });

  return app;
}

/** The answer to the service for each result of an event. The service retries after anything but a 2xx. */
const STATUS_OF: Readonly<Record<Outcome, number>> = {
  applied: 200,
  duplicate: 200,
  suspicious: 200,
  unknown: 404,
  malformed: 400,
};

interface OrderRequest {
  readonly sku?: string;
  readonly quantity?: number;
  readonly customer?: Order["customer"];
  readonly paymentMethodId?: string;
}

function found(orders: Orders, id: string, response: Response): Order | undefined {
  const order = orders.get(id);
  if (order === undefined) response.status(404).json({ problem: `There is no order ${id}` });
  return order;
}
