import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stage } from "centavo/scenario";
import type { Order } from "../examples/express-shop/orders.ts";
import { createShop } from "../examples/express-shop/shop.ts";

const SHOP_URL = "https://shop.example";
const customer = { name: "Ana Cruz", email: "ana@customer.example" };

/** The express shop on a story's stage: its routes as a browser calls them, and its door to the outside. */
export interface Shop {
  /** Places an order, which is paid at once where a payment method is named. */
  order(sku: string, paymentMethodId?: string): Promise<Order>;
  /** Opens a hosted checkout session for an order; answers the page's address. */
  checkout(order: Order): Promise<string>;
  /** The order as the shop shows it now. */
  read(order: Order): Promise<Order>;
  /** From now on the shop's server answers 503 to whoever comes from outside. */
  goDown(): void;
  comeBack(): void;
}

/** Opens the shop for the rest of the story: the service's webhooks and returning customers come to it. */
export async function openShop({ sim, merchant, note, defer }: Stage): Promise<Shop> {
  const app = createShop({
    payBaseUrl: merchant.baseUrl,
    payAuthUrl: merchant.authUrl,
    clientId: merchant.clientId,
    clientSecret: merchant.clientSecret,
    webhookSecret: merchant.webhookSecret,
    shopUrl: SHOP_URL,
    ...(merchant.fetch !== undefined && { axios: { adapter: "fetch", env: { fetch: merchant.fetch } } }),
    log: (line) => note("shop", line),
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sim.connect(SHOP_URL, app);

  const browse = async (method: string, path: string, body?: object): Promise<Order> => {
    const init: RequestInit = { method, headers: { "content-type": "application/json" } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(address + path, init);
    return (await response.json()) as Order;
  };
  return {
    order: (sku, paymentMethodId) => {
      note("customer", `orders a ${sku}${paymentMethodId === undefined ? "" : ` and pays with ${paymentMethodId}`}`);
      return browse("POST", "/orders", { sku, customer, paymentMethodId });
    },
    checkout: async ({ id }) => {
      note("customer", `goes to the till with ${id}`);
      return (await browse("POST", `/orders/${id}/checkout`)).redirectUrl ?? "";
    },
    read: async ({ id }) => {
      const order = await browse("GET", `/orders/${id}`);
      note("customer", `sees in the shop that ${id} is ${order.status}`);
      return order;
    },
    goDown: () => {
      note("shop", "goes down");
      sim.connect(SHOP_URL, () => new Response("Back soon", { status: 503 }));
    },
    comeBack: () => {
      note("shop", "is back");
      sim.connect(SHOP_URL, app);
    },
  };
}
