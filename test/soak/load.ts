import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Pool } from "undici";
import { expect, onTestFinished } from "vitest";
import { startServer } from "./server.ts";

const CONNECTIONS = 200;
const WORLDS = 20;
/** How many of the last payments of a world are looked at in the end. A world may forget those that ended before. */
const KEPT = 50;
/** What the process may have resident, in MiB. */
const MOST_MEMORY = 512;
/** Without a limit, Node collects so late that what is resident says nothing of what is in use. */
const HEAP = 256;

interface World {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What it was told that it has: the ids of payments, each with its amount. */
  readonly paid: Map<string, number>;
}

/**
 * Sends a mix of payments, reads, refusals and control calls to worlds of one server over many connections, and looks afterwards whether each
 * answered payment is there, and whether the merchant got the event of each.
 */
export async function loadFor(seconds: number): Promise<void> {
  const succeeded = new Set<string>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { type, data } = (await json(request)) as { readonly type: string; readonly data: { readonly id: string } };
    if (type === "payment_intent.succeeded") succeeded.add(data.id);
    response.end();
  };
  const receiver = createServer((request, response) => void take(request, response));
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => receiver.close().closeAllConnections());
  const server = await startServer(["--world-keep", "500"], { heap: HEAP });
  const pool = new Pool(server.url, { connections: CONNECTIONS });
  onTestFinished(() => pool.destroy());
  const send = async (path: string, method: string, headers: Record<string, string>, body?: object | string) => {
    const text = typeof body === "object" ? JSON.stringify(body) : (body ?? null);
    const response = await pool.request({ path, method, headers, body: text });
    return { status: response.statusCode, body: (await response.body.json()) as Record<string, never> };
  };
  const control = { authorization: `Bearer ${server.controlToken}` };
  const worlds = await Promise.all(
    Array.from({ length: WORLDS }, async (_, number): Promise<World> => {
      const path = `/worlds/w${number}`;
      const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${number}`;
      const options = {
        webhookUrl,
        clock: "auto",
        assumptions: { "intent.processing-time": "1 second", "auth.token-lifetime": "3650 days" },
      };
      const opened = await send(`/_centavo/worlds/w${number}`, "PUT", control, options);
      const { clientId, clientSecret } = opened.body["credentials"] as unknown as Record<string, string>;
      const login = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
      const ofJson = { "content-type": "application/json" };
      const { body } = await send(`${path}/oauth`, "POST", ofJson, login);
      return { path, headers: { ...ofJson, authorization: `Bearer ${body["access_token"]}` }, paid: new Map() };
    }),
  );
  const end = performance.now() + seconds * 1000;
  const unexpected: string[] = [];
  let answered = 0;
  const expectStatus = async (status: number, ...call: Parameters<typeof send>) => {
    const answer = await send(...call);
    answered += 1;
    if (answer.status !== status) unexpected.push(`${call[1]} ${call[0]}: ${answer.status} in place of ${status}`);
    return answer.body["data"] as unknown as Record<string, string> | undefined;
  };
  const lane = async (number: number): Promise<void> => {
    for (let turn = number; performance.now() < end; turn += 1) {
      const { path, headers, paid } = worlds[turn % WORLDS] as World;
      const intents = `${path}/api/payment-intent`;
      const amount = 10_000 + turn;
      const made = await expectStatus(200, intents, "POST", headers, { amount });
      const id = made?.["id"] ?? "";
      paid.set(id, amount);
      await expectStatus(200, `${intents}/${id}/confirm`, "POST", headers, { paymentMethodId: "pm_card_approved" });
      await expectStatus(200, `${intents}/${id}/status`, "GET", headers);
      await expectStatus(401, intents, "POST", { ...headers, authorization: "Bearer wrong" }, { amount });
      await expectStatus(400, intents, "POST", headers, "{");
      await expectStatus(200, `${path}/_centavo/api/v1/clock`, "GET", control);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => lane(number)));
  expect(unexpected).toEqual([]);
  expect(await server.peak()).toBeLessThan(MOST_MEMORY);
  for (const { path, headers, paid } of worlds) {
    expect(paid.size).toBeGreaterThan(0);
    const aMinute = { duration: "1 minute" };
    await expectStatus(200, `${path}/_centavo/api/v1/clock/advance`, "POST", { ...headers, ...control }, aMinute);
    expect([...paid.keys()].filter((id) => !succeeded.has(id))).toEqual([]);
    await Promise.all(
      [...paid].slice(-KEPT).map(async ([id, amount]) => {
        const kept = await expectStatus(200, `${path}/api/payment-intent/${id}/status`, "GET", headers);
        expect(Number(kept?.["amount"])).toBe(amount);
      }),
    );
  }
  expect(unexpected).toEqual([]);
  expect(answered).toBeGreaterThan(1000);
}
