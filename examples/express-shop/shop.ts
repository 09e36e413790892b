import express from "express";
import type { Express, Request, Response } from "express";
import { membershipRoutes } from "./membership-routes.ts";
import { Memberships } from "./memberships.ts";
import { orderRoutes } from "./order-routes.ts";
import { Orders } from "./orders.ts";
import { PaymentService } from "./payment-service.ts";
import type { PaymentServiceConfig } from "./payment-service.ts";
import { emptyStore } from "./store.ts";
import type { ShopStore } from "./store.ts";
import { refreshAll } from "./refresh.ts";
import { isFromPaymentService } from "./webhook-signature.ts";
import { parsed, Webhooks } from "./webhooks.ts";
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
  /** What outlives the program; by default the shop keeps it in memory. */
  readonly store: ShopStore;
  readonly orders: Orders;
  readonly webhooks: Pick<Webhooks, "receive">;
  readonly isGenuine: typeof isFromPaymentService;
}

/** Creates the shop as an Express app. */
export function createShop(config: ShopConfig, parts: Partial<ShopParts> = {}): Express {
  const log = config.log ?? (() => undefined);
  const { store = emptyStore() } = parts;
  const memberships = new Memberships(({ id, status }) => log(`${id} is ${status}`), store);
  const {
    orders = new Orders(({ id, status }) => log(`${id} is ${status}`), store),
    webhooks = new Webhooks(orders, memberships, store),
    isGenuine = isFromPaymentService,
  } = parts;
  const payments = new PaymentService(config);
  const app = express();

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

  app.use(orderRoutes({ orders, payments, shopUrl: config.shopUrl, log }));
  app.use(membershipRoutes({ memberships, payments, shopUrl: config.shopUrl, log }));

  // A timer calls this every ten minutes, because an event may never come.
  app.post("/jobs/refresh", async (_request, response) => {
    await refreshAll({ orders, memberships, payments, log });
    response.sendStatus(204);
  });

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
  ignored: 200,
  suspicious: 200,
  unknown: 404,
  malformed: 400,
};
