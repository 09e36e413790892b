import type { NextApiRequest, NextApiResponse } from "next";
import { verifyWebhook } from "centavo/webhooks";
import { orders } from "../../orders.ts";

/** The signature covers the bytes as they came. */
export const config = { api: { bodyParser: false } };

export default async function handler(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const secret = String(orders.get("secret"));
  const event = await verifyWebhook({ headers: request.headers, body: Buffer.concat(chunks) }, secret);
  orders.set("last event", event.type);
  response.status(200).json({ received: true });
}
