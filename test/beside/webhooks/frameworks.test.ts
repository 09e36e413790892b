import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator, type FetchApp, type ListenerApp } from "centavo";
import { verifyWebhook } from "centavo/webhooks";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { describe, expect, test } from "vitest";
import { Merchant } from "../../merchant.ts";
import { HOOKS, SHOP } from "../../merchant/requests.ts";

type Verify = (headers: IncomingMessage["headers"], body: string | Uint8Array) => Promise<void>;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks = await request.toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}

/** Each as its own documentation writes an app that needs the raw body. */
const apps: Record<string, (verify: Verify) => FetchApp | ListenerApp> = {
  Express: (verify) =>
    express().post("/hooks", express.raw({ type: "application/json" }), (request, response, next) => {
      verify(request.headers, request.body as Buffer).then(() => response.sendStatus(200), next);
    }),
  Fastify: (verify) => {
    const app = Fastify();
    app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
    app.post("/hooks", (request) => verify(request.headers, request.body as string));
    return app;
  },
  Koa: (verify) =>
    new Koa().use(async (context) => {
      await verify(context.headers, await textOf(context.req));
      context.status = 200;
    }),
  Hono: (verify) =>
    new Hono().post("/hooks", async (context) => {
      await verify(context.req.header(), await context.req.text());
      return context.body(null);
    }),
  "a bare listener": (verify) => async (request: IncomingMessage, response: { end(): unknown }) => {
    await verify(request.headers, await textOf(request));
    response.end();
  },
};

describe("a merchant's app receives and verifies its webhooks, written in", () => {
  test.each(Object.keys(apps))("%s", async (name) => {
    const sim = createSimulator();
    const verified: unknown[] = [];
    const verify: Verify = async (headers, body) => {
      verified.push((await verifyWebhook({ headers, body }, sim.credentials.webhookSecret)).type);
    };
    sim.connect(SHOP, apps[name]?.(verify) as FetchApp);
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: HOOKS });
    await sim.clock.settle();
    await sim.close();
    expect(verified).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
  });

  test("any server on a loopback port, without connecting it", async () => {
    const sim = createSimulator();
    const verified: unknown[] = [];
    const answer = async (request: IncomingMessage): Promise<void> => {
      verified.push(
        (await verifyWebhook({ headers: request.headers, body: await textOf(request) }, sim.credentials.webhookSecret))
          .type,
      );
    };
    const server = createServer((request, response) => void answer(request).finally(() => response.end()));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: `http://localhost:${(server.address() as AddressInfo).port}/hooks` });
    await sim.clock.settle();
    await new Promise((resolve) => server.close(resolve));
    expect(verified).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
  });
});

test("closing a simulator disconnects its apps", async () => {
  await using sim = createSimulator();
  sim.connect(SHOP, () => new Response());
  await sim.close();
  const merchant = await Merchant.of(sim);
  await merchant.pay();
  await sim.clock.settle();
  expect(sim.webhooks.attempts()[0]).toMatchObject({ answer: { reason: "not-connected" } });
});
