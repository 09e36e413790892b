import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "centavo/client";
import type { Client, CreateCheckoutBody } from "centavo/client";
import { test as base } from "centavo/playwright";

/** A shop that is as small as can be: it thanks whoever comes, and takes every webhook. */
interface Shop {
  readonly url: string;
  /** Every request, as `GET /thanks`, without queries. */
  readonly requests: string[];
  readonly client: Client;
  /** Opens a session, and returns the address of its page. */
  checkOut(externalId: string, terms?: Partial<CreateCheckoutBody>): Promise<string>;
}

export const test = base.extend<{ shop: Shop }>({
  shop: async ({ paymentService }, use) => {
    const requests: string[] = [];
    const server = createServer(({ method, url = "" }, response) => {
      requests.push(`${method} ${url.split("?", 1)[0]}`);
      response.setHeader("content-type", "text/html").end("<h1>Thank you</h1>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createClient(paymentService);
    await use({
      url,
      requests,
      client,
      async checkOut(externalId, terms = {}) {
        const { checkoutUrl } = await client.checkout.create({
          externalId,
          amount: 49_900,
          description: "A book",
          contact: { name: "Ana Santos", email: "ana@example.ph" },
          returnUrl: `${url}/thanks`,
          webhookUrl: `${url}/webhooks`,
          ...terms,
        });
        return checkoutUrl;
      },
    });
    server.closeAllConnections();
    server.close();
  },
});
