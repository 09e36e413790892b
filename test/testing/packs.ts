import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator, type Simulator, type SimulatorOptions } from "centavo";
import { hostileDeliveries, type HostileReport } from "centavo/testing";
import { onTestFinished } from "vitest";
import type { Order } from "../../examples/express-shop/orders.ts";
import type { OpenShop } from "./careless-shops.ts";

export const SHOP_URL = "https://shop.example";
const customer = { name: "Ana Cruz", email: "ana@customer.example" };

/** How orders come to be: with a card on the shop's own page, or by the hosted page. */
export interface PackOptions extends SimulatorOptions {
  readonly paymentMethodId?: string;
  readonly checkout?: boolean;
}

/** What came of the pack against a shop, an Express app that calls the simulator through its own axios. */
export async function packAgainst(
  open: OpenShop,
  { paymentMethodId = "pm_card_challenge", checkout = false, ...options }: PackOptions = {},
): Promise<{ readonly sim: Simulator; readonly report: HostileReport }> {
  const sim = createSimulator(options);
  const paid: string[] = [];
  const app = open(
    {
      ...sim.credentials,
      payBaseUrl: sim.baseUrl,
      payAuthUrl: sim.authUrl,
      shopUrl: SHOP_URL,
      axios: { adapter: "fetch", env: { fetch: sim.fetch } },
    },
    ({ id, status }) => void (status === "paid" && paid.push(id)),
  );
  sim.connect(SHOP_URL, app);
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await sim.close();
  });

  const ask = async (method: string, path: string, body?: object): Promise<Order> => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return (await answer.json()) as Order;
  };
  const report = await hostileDeliveries(sim, {
    order: async () => {
      const { id, payments } = await ask("POST", "/orders", {
        sku: "book",
        customer,
        ...(!checkout && { paymentMethodId }),
      });
      if (!checkout) return { id, intentId: payments[0]?.id };
      const opened = await ask("POST", `/orders/${id}/checkout`);
      return { id, sessionToken: opened.payments[0]?.id };
    },
    fulfilments: ({ id }) => paid.filter((each) => each === id).length,
    status: async ({ id }) => (await ask("GET", `/orders/${id}`)).status,
  });
  return { sim, report };
}

/** The names of the cases that a shop failed, with what it did. */
export function failed(report: HostileReport): string[] {
  return report.faults.map(({ name, kind }) => `${name}: ${kind}`);
}
