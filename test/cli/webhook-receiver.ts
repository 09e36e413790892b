import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { verifyWebhook } from "centavo/webhooks";
import type { WebhookEvent } from "centavo/webhooks";
import { onTestFinished } from "vitest";

export const SECRET = "whsec_c2hvcC1vZi10aGUtdGVzdA==";

/** A webhook handler at a port of its own, until the end of the test. */
export interface Receiver {
  /** The address of the handler. */
  readonly url: string;
  /** Every request, in the order of arrival. */
  readonly received: { readonly body: string; readonly headers: IncomingHttpHeaders; readonly isGenuine: boolean }[];
  /** Returns the events that were signed rightly. */
  readonly events: () => WebhookEvent[];
}

/** Answers the request of a handler. */
type Answer = (response: ServerResponse, isGenuine: boolean, body: string) => void;

/** Serves an honest handler: it answers 200 to what is signed with the secret, else 401. */
export async function receiver(
  answer: Answer = (response, isGenuine) => response.writeHead(isGenuine ? 200 : 401).end(isGenuine ? "thanks" : "no"),
): Promise<Receiver> {
  const received: Receiver["received"][number][] = [];
  const origin = await listening((request, response) => void handle(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { headers } = request;
    const isGenuine = await verifyWebhook({ headers, body }, SECRET).then(
      () => true,
      () => false,
    );
    received.push({ body, headers, isGenuine });
    answer(response, isGenuine, body);
  }
  const events = (): WebhookEvent[] =>
    received.flatMap(({ body, isGenuine }) => (isGenuine ? [JSON.parse(body) as WebhookEvent] : []));
  return { url: `${origin}/webhooks`, received, events };
}

/** Serves a listener at a free loopback port, and returns its origin. */
export async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
