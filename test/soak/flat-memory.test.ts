import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { KEEP } from "../../src/cli/serve-help.ts";
import { hostileRequests } from "../safety/hostile-requests.ts";
import { MEBIBYTE, startServer } from "./server.ts";
import { byNight } from "../by-night.ts";

/** How many rounds are under way at the same time. */
const LANES = 8;
/** The requests of a round: one for a token, three for each payment, those that are refused or broken off, and others without credentials. */
const ROUND = 100;
const TOO_LARGE = 1;
const ABORTED = 4;
const HOSTILE = 10;
/** What the server may have in use, as its documentation states it, in MiB. */
const STATED = 220;
/** How much more it may have in use for each request of the later parts, in bytes. */
const MOST_GROWTH = 105;

interface Part {
  readonly rounds: number;
  /** In each round. */
  readonly payments: number;
}

const tooLarge = Buffer.alloc(MEBIBYTE + 1, " ");
const hostile = hostileRequests.map(({ of }) => of(1024));
const json = { "content-type": "application/json" };

test.for(byNight([KEEP]))(
  `a server that keeps the newest %i of each has less than ${STATED} MiB in use once it has them`,
  async (keep) => {
    const memory = await soaked(keep, [{ rounds: keep / 25, payments: 25 }]);
    expect(Math.max(...memory)).toBeLessThan(STATED);
  },
);

// With few to keep, what a leak leaves stands out from what comes and goes with them, so that fewer requests tell as much.
test("a server stays flat over 60 000 requests, accepted and refused, once it has all that it keeps", async () => {
  const [, settled = 0, ...later] = await soaked(1000, [
    { rounds: 100, payments: 10 },
    { rounds: 100, payments: 4 },
    { rounds: 200, payments: 4 },
    { rounds: 200, payments: 4 },
  ]);
  expect(settled).toBeLessThan(STATED);
  const parts = `in MiB after the second part, and after each later one: ${[settled, ...later].join(", ")}`;
  expect(Math.max(...later), parts).toBeLessThan(settled + (MOST_GROWTH * 400 * ROUND) / MEBIBYTE);
});

/** Has a server of this `--keep` live through the parts, and returns what it has in use after each, in MiB. */
async function soaked(keep: number, parts: readonly Part[]): Promise<readonly number[]> {
  let delivered = 0;
  const receiver = createServer((request, response) => {
    delivered += 1;
    request.resume();
    response.end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => receiver.close().closeAllConnections());
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const server = await startServer(["--webhook-url", hooks, "--keep", String(keep)]);
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

  async function round(number: number, payments: number): Promise<void> {
    const credentials = {
      grant_type: "client_credentials",
      client_id: server.clientId,
      client_secret: server.clientSecret,
    };
    const token = JSON.parse(await send("/oauth", json, JSON.stringify(credentials))) as { access_token: string };
    const authorization = `Bearer ${token.access_token}`;
    const headers = { ...json, authorization };
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
  let end = 0;
  for (const { rounds, payments } of parts) {
    end += rounds;
    const lane = async (): Promise<void> => {
      while (next < end) await round(next++, payments);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    memory.push(await server.memory());
  }

  const paid = parts.reduce((sum, { rounds, payments }) => sum + rounds * payments, 0);
  expect(answered.get(413)).toBe(TOO_LARGE * end);
  expect(answered.get(200)).toBeGreaterThanOrEqual(end + 3 * paid);
  expect([...answered.values()].reduce((sum, count) => sum + count)).toBe((ROUND - ABORTED) * end);
  expect(Math.max(...answered.keys())).toBeLessThan(500);
  expect(delivered).toBeGreaterThanOrEqual(2 * paid - LANES);
  return memory;
}
