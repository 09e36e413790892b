import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { verifyWebhook, type VerifyWebhookOptions } from "centavo/webhooks";
import { Hono } from "hono";
import { SHOP_URL } from "./packs.ts";

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly sessionToken: string;
  status: "open" | "paid" | "given up";
}

const GIVEN_UP = new Set(["checkout.failed", "checkout.cancelled", "checkout.expired"]);

/** A small honest merchant on Hono, whose orders are paid on the hosted page, and who verifies with `verifyWebhook`. */
export function honoShop(sim: Simulator, verifying: VerifyWebhookOptions = {}) {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch: sim.fetch });
  const orders: Order[] = [];
  const parcels: string[] = [];

  const pay = (order: Order): void => {
    if (order.status === "paid") return;
    order.status = "paid";
    parcels.push(order.id);
  };

  const app = new Hono();
  app.post("/webhooks", async (context) => {
    const event = await verifyWebhook(context.req.raw, sim.credentials.webhookSecret, verifying).catch(() => undefined);
    if (event === undefined) return context.text("not from the payment service", 401);
    if (!("sessionToken" in event)) return context.text("none of our payments", 404);
    const order = orders.find(({ sessionToken }) => sessionToken === event.sessionToken);
    if (order === undefined || event.amount !== order.amount) return context.text("none of our payments", 404);
    if (event.type === "checkout.completed") pay(order);
    else if (GIVEN_UP.has(event.type) && order.status === "open") order.status = "given up";
    return context.text("thank you");
  });
  app.get("/return/:id", async (context) => {
    const order = orders.find(({ id }) => id === context.req.param("id"));
    if (order === undefined) return context.text("no such order", 404);
    const { status } = await client.checkout.poll(order.sessionToken);
    if (status === "completed") pay(order);
    return context.text(`your order is ${order.status}`);
  });

  return {
    app,
    placeOrder: async (): Promise<Order> => {
      const id = `order-${orders.length + 1}`;
      const { sessionToken } = await client.checkout.create({
        externalId: id,
        amount: 49_900,
        description: "A book",
        webhookUrl: `${SHOP_URL}/webhooks`,
        returnUrl: `${SHOP_URL}/return/${id}`,
        contact: { name: "Ana Cruz", email: "ana@customer.example" },
      });
      const order: Order = { id, amount: 49_900, sessionToken, status: "open" };
      orders.push(order);
      return order;
    },
    fulfilments: ({ id }: Order): number => parcels.filter((parcel) => parcel === id).length,
    status: ({ status }: Order): string => status,
  };
}
