import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { test as base } from "centavo/playwright";
import { createApp } from "../app.ts";
import type { Store } from "../shop.ts";

export { expect } from "centavo/playwright";

interface Shop extends Store {
  readonly url: string;
}

/** A shop for each test, on a port of its own, which calls the payment service of this test. */
export const test = base.extend<{ shop: Shop }>({
  shop: async ({ paymentService }, use) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store: Store = { orders: new Map(), memberships: new Map() };
    server.on("request", createApp({ ...paymentService, url }, store));
    await use({ ...store, url });
    server.closeAllConnections();
    server.close();
  },
  // `page.goto("/")` is the shop.
  baseURL: async ({ shop }, use) => use(shop.url),
});
