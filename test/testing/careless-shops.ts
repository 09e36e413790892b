import { createHmac } from "node:crypto";
import express from "express";
import type { Express } from "express";
import { Memberships } from "../../examples/express-shop/memberships.ts";
import { Orders } from "../../examples/express-shop/orders.ts";
import type { Order, OrderStatus } from "../../examples/express-shop/orders.ts";
import { createShop } from "../../examples/express-shop/shop.ts";
import type { ShopConfig } from "../../examples/express-shop/shop.ts";
import { emptyStore } from "../../examples/express-shop/store.ts";
import { isFromPaymentService } from "../../examples/express-shop/webhook-signature.ts";
import { Webhooks } from "../../examples/express-shop/webhooks.ts";

/** A shop, whose orders are told to `changed`. */
export type OpenShop = (config: ShopConfig, changed: (order: Order) => void) => Express;

/** An honest shop. */
export const honestShop: OpenShop = (config, changed) => createShop(config, { orders: new Orders(changed) });

/** Accepts every sender without verifying. */
export const withoutSignatureCheck: OpenShop = (config, changed) =>
  createShop(config, { orders: new Orders(changed), isGenuine: () => true });

/** Verifies, and does not ask how old the signature is. */
export const withoutStampCheck: OpenShop = (config, changed) =>
  createShop(config, {
    orders: new Orders(changed),
    isGenuine: (header, rawBody, secret) => {
      const [, stamp, signature] = /^t=(\d+),te=(\w*),li=$/.exec(header ?? "") ?? [];
      return signature === createHmac("sha256", secret).update(`${stamp}.`).update(rawBody).digest("hex");
    },
  });

/** Verifies JSON that was parsed and written again, as a framework without a raw body would. */
export const verifyingParsedJson: OpenShop = (config, changed) =>
  createShop(config, {
    orders: new Orders(changed),
    isGenuine: (header, rawBody, secret) =>
      isFromPaymentService(header, Buffer.from(JSON.stringify(JSON.parse(rawBody.toString()))), secret),
  });

/** Remembers neither events nor that an order was paid before. */
export const withoutDeduplication: OpenShop = (config, changed) => {
  class ForgetfulOrders extends Orders {
    override move(order: Order, status: OrderStatus, paymentId?: string): void {
      if (order.status === "paid" && status === "paid") changed(order);
      else super.move(order, status, paymentId);
    }
  }
  const orders = new ForgetfulOrders(changed);
  const receive: Webhooks["receive"] = (event) => new Webhooks(orders, new Memberships(() => undefined)).receive(event);
  return createShop(config, { orders, webhooks: { receive } });
};

/** Believes the address that a customer comes back to. */
export const trustingTheRedirect: OpenShop = (config, changed) => {
  const orders = new Orders(changed);
  const believe: express.RequestHandler = ({ query }, _response, next) => {
    const { order: id } = query;
    const order = orders.get(typeof id === "string" ? id : "");
    if (order !== undefined && query["status"] === "succeeded") orders.move(order, "paid");
    next();
  };
  return express().get("/return", believe).use(createShop(config, { orders }));
};

/** Treats the event that arrived last as the one that happened last. */
export const trustingTheOrderOfEvents: OpenShop = (config, changed) => {
  const store = emptyStore();
  class ObedientOrders extends Orders {
    override move(order: Order, status: OrderStatus, paymentId?: string): void {
      if (order.status === status) return;
      const payments = order.payments.map((payment) => ({ ...payment, status: "pending" as const }));
      store.orders.set(order.id, { ...order, status: "pending", payments });
      super.move(order, status, paymentId);
    }
  }
  return createShop(config, { orders: new ObedientOrders(changed, store) });
};

/** Fulfils an order for any amount. */
export const withoutAmountCheck: OpenShop = (config, changed) => {
  const orders = new Orders(changed);
  const webhooks = new Webhooks(orders, new Memberships(() => undefined));
  const receive: Webhooks["receive"] = (event) => {
    const data = event["data"] as { readonly id: string; readonly attributes: object } | null | undefined;
    const amount = orders.byPayment(data?.id ?? "")?.amount;
    const forAllOfIt = { ...data, attributes: { ...data?.attributes, amount } };
    return webhooks.receive(amount === undefined ? event : { ...event, data: forAllOfIt });
  };
  return createShop(config, { orders, webhooks: { receive } });
};
