import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { createClient } from "centavo/client";
import type { Client } from "centavo/client";
import { serve } from "centavo/server";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { ok } from "../merchant/answers.ts";
import { register } from "../merchant/requests.ts";
import type { Registered } from "../merchant/requests.ts";

const shop = createServer((_, response) => {
  response.setHeader("content-type", "text/html");
  response.end('<link rel="icon" href="data:,"><h1>The shop</h1>');
});
await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
shop.unref();

/** The origin of a shop to which customers return. A browser opens it over the network, because no test can answer a redirect for it. */
export const SHOP = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

/** An order with every required field. */
const ORDER = {
  externalId: "order-1042",
  amount: 179_800,
  description: "Cast iron pan, 26 cm, and two linen towels",
  contact: { name: "Ana Reyes", email: "ana@example.com" },
  returnUrl: `${SHOP}/thanks?from=pay`,
  webhookUrl: `${SHOP}/hooks`,
};

/** A simulator with a merchant that calls it in the process, as a browser reaches it: over HTTP. */
export interface ServedService {
  readonly sim: Simulator;
  readonly client: Client;
  /** The address at which browsers find it. */
  readonly url: string;
  /** Returns the address at which a browser finds a page of the service. */
  readonly at: (address: string | undefined) => string;
  /** Creates a checkout session, and returns the address of its hosted page. */
  readonly checkout: (order?: object) => Promise<string>;
  /** Creates an intent, confirms it with a method that redirects, and returns the address of its challenge. */
  readonly challenge: (method: string, intent?: object) => Promise<string>;
}

/** @param merchantName the name of the merchant that asks for payments; by default it is the first one of the world */
export async function servedService(options: SimulatorOptions = {}, merchantName?: string): Promise<ServedService> {
  const sim = createSimulator(options);
  sim.connect(SHOP, () => new Response("ok"));
  const server = await serve(sim, { port: 0 });
  onTestFinished(() => server.close());
  const credentials =
    merchantName === undefined
      ? sim.credentials
      : ok(await register<Registered>(sim, { name: merchantName, email: "merchant@example.com" }));
  const { clientId, clientSecret } = credentials;
  const client = createClient({ baseUrl: sim.baseUrl, authUrl: sim.authUrl, clientId, clientSecret, fetch: sim.fetch });
  const at = (address = ""): string => server.url + new URL(address).pathname;
  return {
    sim,
    client,
    url: server.url,
    at,
    checkout: async (order = {}) => at((await client.checkout.create({ ...ORDER, ...order })).checkoutUrl),
    async challenge(method, intent = {}) {
      const { id } = await client.paymentIntents.create({ ...ORDER, ...intent });
      const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: method });
      return at(redirectUrl);
    },
  };
}

/** A customer's browser, in which no script runs, and what it did that a page must not make it do. */
export interface CustomerBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What stands on its consoles, but for the statuses of answers. */
  readonly complaints: string[];
  /** Every address that it asked for. */
  readonly requests: string[];
}

export async function customerBrowser(browser: Browser, options: BrowserContextOptions = {}): Promise<CustomerBrowser> {
  const context = await browser.newContext({
    viewport: { width: 1024, height: 800 },
    reducedMotion: "reduce",
    javaScriptEnabled: false,
    ...options,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("console", (message) => {
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  return { context, page: await context.newPage(), complaints, requests };
}

/** Presses a button or a link, and waits until the browser shows where it leads: Playwright's click alone does not. */
export async function press(page: Page, ...testIds: readonly string[]): Promise<void> {
  for (const testId of testIds) {
    const led = page.waitForEvent("framenavigated");
    await page.getByTestId(testId).click();
    await led;
  }
}
