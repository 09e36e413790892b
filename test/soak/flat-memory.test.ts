import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { KEEP } from "../../src/cli/serve.ts";
import { hostileRequests } from "../../bench/hostile-requests.ts";
import { MEBIBYTE, startServer } from "./server.ts";

const REQUESTS = 200_000;
const PARTS = 4;
/** How many rounds are under way at the same time. */
const LANES = 8;
/** The requests of a round: one for a token, three for each payment, those that are refused or broken off, and others without credentials. */
const ROUND = 100;
const ROUNDS_OF_A_PART = REQUESTS / PARTS / ROUND;
const TOO_LARGE = 1;
const ABORTED = 4;
const HOSTILE = 10;
/** The payments of a round: the first part makes as many as the server keeps, and the others go on more slowly. */
const PAYMENTS_AT_FIRST = KEEP / ROUNDS_OF_A_PART;
const PAYMENTS_LATER = 4;

/** What the server may have in use, as its documentation states it, in MiB. */
const STATED = 220;
/** How much more it may have in use at the end of a later part than when the second, which began with all that is kept, has ended. */
const MOST_GROWTH = 1.1;

const tooLarge = Buffer.alloc(MEBIBYTE + 1, " ");
const hostile = hostileRequests.map(({ of }) => of(1024));
const json = { "content-type": "application/json" };

test(`a server that keeps the newest ${KEEP} of each stays flat over ${REQUESTS} requests, accepted and refused`, async () => {
  let delivered = 0;
  const receiver = createServer((request, response) => {
    delivered += 1;
    request.resume();
    response.end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => receiver.close().closeAllConnections());
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const server = await startServer("--webhook-url", hooks);
  const pool = new Pool(server.url, { connections: LANES });
  onTestFinished(() => pool.destroy());

  const answered = new Map<number, number>();
  async function send(path: string, headers: Record<string, string>, body: string | Buffer | null, method = "POST") {
    const response = await pool.request({ path, method, headers, body });
    const text = await response.body.text();
    answered.set(response.statusCode, (answered.get(response.statusCode) ?? 0) + 1);
    return text;
  }

  async function pay(headers: Record<string, string>): Promise<void> {
    const { data } = JSON.parse(await send("/api/payment-intent", headers, '{"amount":10000}')) as {
      data: { id: string };
    };
    const path = `/api/payment-intent/${data.id}`;
    await send(`${path}/confirm`, headers, '{"paymentMethodId":"pm_card_approved"}');
    await send(`${path}/status`, headers, null, "GET");
  }

  /** Leaves in the middle of a body. */
  async function abort(authorization: string): Promise<void> {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    await once(socket, "connect");
    const head = ["POST /api/payment-intent HTTP/1.1", "host: centavo", `authorization: ${authorization}`];
    const text = [...head, "content-type: application/json", "content-length: 100000", "", '{"amount":'].join("\r\n");
    await new Promise((resolve) => socket.write(text, resolve));
    socket.destroy();
  }

  async function round(number: number): Promise<void> {
    const credentials = {
      grant_type: "client_credentials",
      client_id: server.clientId,
      client_secret: server.clientSecret,
    };
    const token = JSON.parse(await send("/oauth", json, JSON.stringify(credentials))) as { access_token: string };
    const authorization = `Bearer ${token.access_token}`;
    const headers = { ...json, authorization };
    const payments = number < ROUNDS_OF_A_PART ? PAYMENTS_AT_FIRST : PAYMENTS_LATER;
    const unauthenticated = ROUND - 1 - 3 * payments - TOO_LARGE - ABORTED - HOSTILE;
    for (let count = 0; count < payments; count += 1) await pay(headers);
    for (let count = 0; count < TOO_LARGE; count += 1) await send("/api/payment-intent", headers, tooLarge);
    for (let count = 0; count < ABORTED; count += 1) await abort(authorization);
    for (let count = 0; count < unauthenticated; count += 1)
      await send("/api/payment-intent", json, '{"amount":10000}');
    for (let count = 0; count < HOSTILE; count += 1) {
      const { path, init } = hostile[(number * HOSTILE + count) % hostile.length] ?? { path: "/", init: {} };
      const given = init.headers as Record<string, string> | undefined;
      await send(path, { authorization, ...given }, (init.body as string | undefined) ?? null, init.method ?? "GET");
    }
  }

  const memory: number[] = [];
  let next = 0;
  for (let part = 1; part <= PARTS; part += 1) {
    const lane = async (): Promise<void> => {
      while (next < part * ROUNDS_OF_A_PART) await round(next++);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    memory.push(await server.memory());
  }

  const rounds = REQUESTS / ROUND;
  const paid = ROUNDS_OF_A_PART * (PAYMENTS_AT_FIRST + (PARTS - 1) * PAYMENTS_LATER);
  expect(answered.get(413)).toBe(TOO_LARGE * rounds);
  expect(answered.get(200)).toBeGreaterThanOrEqual(rounds + 3 * paid);
  expect([...answered.values()].reduce((sum, count) => sum + count)).toBe(REQUESTS - ABORTED * rounds);
  expect(Math.max(...answered.keys())).toBeLessThan(500);
  expect(delivered).toBeGreaterThanOrEqual(2 * paid - LANES);

  const [, settled = 0, ...later] = memory;
  const parts = `in MiB after each part: ${memory.join(", ")}`;
  expect(Math.max(...memory), parts).toBeLessThan(STATED);
  expect(Math.max(...later), parts).toBeLessThan(settled * MOST_GROWTH);
});
