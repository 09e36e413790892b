import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { verifyWebhook } from "centavo/webhooks";
import { onTestFinished } from "vitest";
import { ok } from "../merchant/answers.ts";
import { register } from "../merchant/requests.ts";
import type { Registered } from "../merchant/requests.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem }
  h1 { font-family: Georgia, serif; font-size: 2rem }
  section { padding: 1.5rem; border: 1px solid #8885; border-radius: 1rem }
  [data-testid=status] { display: inline-block; padding: .25rem .75rem; border-radius: 1rem; font-weight: 600; background: #8882 }
  [data-testid=status].paid { color: #fff; background: #0b6b46 }
  button { min-height: 3rem; padding: 0 1.5rem; font: inherit; font-weight: 600; border: 0; border-radius: .75rem; color: #fff; background: #7a2e12 }
`;

/** A shop of one order, as a process of its own would run it: it calls the service over HTTP, and believes signed events alone. */
export async function smallShop(sim: Simulator, serviceUrl: string): Promise<{ readonly url: string }> {
  const order = {
    id: "order-1042",
    amount: 179_800,
    title: "Cast iron pan, 26 cm, and two linen towels",
    status: "open",
  };
  let url = "";
  const merchant = { name: "Kusina & Co", email: "kusina@example.com" };
  const { clientId, clientSecret, webhookSecret } = ok(await register<Registered>(sim, merchant));
  const client = createClient({ baseUrl: serviceUrl, authUrl: serviceUrl, clientId, clientSecret });
  const pay = async (): Promise<string> => {
    const { checkoutUrl } = await client.checkout.create({
      externalId: order.id,
      amount: order.amount,
      description: order.title,
      contact: { name: "Ana Reyes", email: "ana@example.com" },
      returnUrl: `${url}/orders/1042`,
      webhookUrl: `${url}/hooks`,
    });
    return checkoutUrl;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === "/hooks") {
      const verified = verifyWebhook({ headers: request.headers, body: await text(request) }, webhookSecret);
      const event = await verified.catch(() => undefined);
      if (event?.["type"] === "checkout.completed" && event["externalId"] === order.id) order.status = "paid";
      response.writeHead(event === undefined ? 401 : 200).end();
    } else if (request.method === "POST") {
      response.writeHead(303, { location: await pay() }).end();
    } else {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(pageOf(order));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url };
}

function pageOf({
  id,
  title,
  status,
}: {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>Order</title><style>${STYLE}</style>
<main><h1>Kusina &amp; Co</h1><section><p>Order ${id}</p><h2>${title}</h2><p>₱1,798.00</p>
<p data-testid="status" class="${status}">${status === "paid" ? "Paid. Thank you!" : "Not paid yet"}</p>
${status === "paid" ? "" : `<form method="post"><button>Pay</button></form>`}</section></main></html>`;
}
