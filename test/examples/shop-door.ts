import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator, type Simulator, type SimulatorOptions } from "centavo";
import { onTestFinished, vi } from "vitest";
import type { Membership } from "../../examples/express-shop/memberships.ts";
import type { Order } from "../../examples/express-shop/orders.ts";
import { createShop } from "../../examples/express-shop/shop.ts";

export const SHOP_URL = "https://shop.example";
export const customer = { name: "Ana Cruz", email: "ana@customer.example" };

/** The shop over a socket, a simulator behind its axios, and the shop connected for webhooks and returning customers. */
export interface Door {
  readonly sim: Simulator;
  readonly log: readonly string[];
  /** Requests that the shop sent to the service, as `POST /oauth`. */
  readonly calls: () => string[];
  readonly send: (method: string, path: string, body?: object) => Promise<{ status: number; order: Order }>;
  /** The same for memberships. */
  readonly ask: (method: string, path: string, body?: object) => Promise<{ status: number; answer: Membership }>;
  /** Opens a page of the shop as a browser does, or calls a job; answers its text. */
  readonly visit: (path: string, method?: "GET" | "POST") => Promise<string>;
  /** Posts an event to the shop as the service would, signed with this secret and stamped this many seconds ago. */
  readonly post: (event: object, signed?: { secret?: string; age?: number }) => Promise<number>;
}

export async function openDoor(options: SimulatorOptions = {}): Promise<Door> {
  // The shop judges a stamp by its own time, which stands still here.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") });
  const sim = createSimulator(options);
  const { clientId, clientSecret, webhookSecret } = sim.credentials;
  const log: string[] = [];
  const app = createShop({
    payBaseUrl: sim.baseUrl,
    payAuthUrl: sim.authUrl,
    clientId,
    clientSecret,
    webhookSecret,
    shopUrl: SHOP_URL,
    axios: { adapter: "fetch", env: { fetch: sim.fetch } },
    log: (line) => void log.push(line),
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  sim.connect(SHOP_URL, app);
  onTestFinished(async () => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
    await sim.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const browse = async (method: string, path: string, body?: object): Promise<{ status: number; answer: unknown }> => {
    const init: RequestInit = { method, headers: { "content-type": "application/json" } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(address + path, init);
    return { status: response.status, answer: await response.json() };
  };

  return {
    sim,
    log,
    calls: () =>
      sim.journal.entries
        .filter(({ kind }) => kind === "request")
        .map(({ details }) => `${String(details["method"])} ${String(details["path"])}`),
    send: async (...call) => {
      const { status, answer } = await browse(...call);
      return { status, order: answer as Order };
    },
    ask: async (...call) => {
      const { status, answer } = await browse(...call);
      return { status, answer: answer as Membership };
    },
    visit: async (path, method = "GET") => (await fetch(address + path, { method })).text(),
    post: async (event, { secret = webhookSecret, age = 0 } = {}) => {
      const body = JSON.stringify(event);
      const stamp = Math.floor(Date.now() / 1000) - age;
      const signature = createHmac("sha256", secret).update(`${stamp}.${body}`).digest("hex");
      const headers = { "content-type": "application/json", "x-webhook-signature": `t=${stamp},te=${signature},li=` };
      return (await fetch(`${address}/webhooks`, { method: "POST", headers, body })).status;
    },
  };
}

/** A `payment_intent.succeeded` event about an order, as the service writes it. */
export function succeeded(order: Order, attributes: object = {}): object {
  return {
    id: `evt_of_${order.id}`,
    type: "payment_intent.succeeded",
    data: {
      id: order.payments.at(-1)?.id ?? "pi_unknown",
      attributes: { status: "succeeded", externalId: order.id, amount: order.amount, ...attributes },
    },
  };
}
