import { createClient } from "centavo/client";
import { verifyWebhook } from "centavo/webhooks";
import { createSimulator } from "centavo";
import { text } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listening } from "./webhook-receiver.ts";

/** The credentials that `centavo run --merchant` has by default, in every run. */
export const { credentials } = createSimulator();

/** A shop that listens at a port of its own, until the end of the test, and is not in the process of any story. */
export interface RunningShop {
  readonly url: string;
  /** What arrived at its webhook handler: the types of genuine events, and "forged". */
  readonly events: string[];
}

/** @param baseUrl where it calls the payment service */
export async function runningShop(baseUrl: string, given: object = credentials): Promise<RunningShop> {
  const config = { ...credentials, ...given };
  const client = createClient({ baseUrl, ...config });
  const orders = new Map<string, string>();
  const events: string[] = [];
  const url = await listening((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await answerTo(request.method ?? "", request.url ?? "", request).catch((error: unknown) => [
      500,
      String(error),
    ]);
    response.writeHead(Number(status), { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  async function answerTo(method: string, path: string, request: IncomingMessage): Promise<readonly [number, unknown]> {
    const body = await text(request);
    const id = path.split("/").at(-1) ?? "";
    if (path === "/hooks") {
      const event = await verifyWebhook({ headers: request.headers, body }, config.webhookSecret).catch(
        () => undefined,
      );
      events.push(event?.type ?? "forged");
      if (event?.type === "payment_intent.succeeded") orders.set(event.data.attributes.externalId ?? "", "paid");
      return [event === undefined ? 401 : 200, {}];
    }
    if (method === "GET") return [200, orders.get(id) ?? "unknown"];
    orders.set(id, "pending");
    const webhookUrl = path.startsWith("/own/") ? { webhookUrl: `${url}/hooks` } : {};
    const intent = await client.paymentIntents.create({ amount: 49_900, externalId: id, ...webhookUrl });
    await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
    return [201, "pending"];
  }
  return { url, events };
}
