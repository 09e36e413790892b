import { buffer } from "node:stream/consumers";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { afterEach, describe, expect, test } from "vitest";
import type { NodeListener } from "../../../src/kit/base/runtime/http.ts";
import type { MerchantApp } from "../../../src/kit/receivers/merchant-app.ts";
import { createReceiver, type Receiver } from "../../../src/kit/receivers/receiver.ts";

const origin = "https://shop.example";
/** Bytes that change when they are decoded and encoded as text. */
const body = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0xe2, 0x98, 0x95, 0x7d]);

interface Seen {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: Buffer;
}

let receivers: Receiver[] = [];
function connect(app: MerchantApp): Receiver {
  const receiver = createReceiver(origin, app);
  receivers.push(receiver);
  return receiver;
}
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  receivers = [];
});

function webhook(): Request {
  return new Request(`${origin}/hooks/pay%20ments?source=centavo&source=2`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Webhook-Signature": "t=1,te=00,li=" },
    body,
  });
}

const apps: Record<string, (see: (seen: Seen) => void) => MerchantApp> = {
  "an Express app with express.raw": (see) => {
    const app = express();
    app.post("/hooks/pay%20ments", express.raw({ type: "application/json" }), (req, res) => {
      see({ method: req.method, url: req.originalUrl, headers: req.headers, body: req.body as Buffer });
      res.status(202).set("Retry-After", "7").send("thanks");
    });
    return app;
  },
  "a Koa app": (see) => {
    const app = new Koa();
    app.use(async (context) => {
      const { method, originalUrl: url, headers } = context;
      see({ method, url, headers, body: await buffer(context.req) });
      context.status = 202;
      context.set("Retry-After", "7");
      context.body = "thanks";
    });
    return app;
  },
  "a Fastify instance that was never listening": (see) => {
    const app = Fastify();
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, raw, done) => done(null, raw));
    app.post("/hooks/pay ments", async (request, reply) => {
      see({
        method: request.method,
        url: request.originalUrl,
        headers: request.headers,
        body: request.body as Buffer,
      });
      return reply.code(202).header("Retry-After", "7").send("thanks");
    });
    return app;
  },
  "a bare (req, res) listener": (see) => {
    const listener: NodeListener = async (req, res) => {
      see({ method: req.method ?? "", url: req.url ?? "", headers: req.headers, body: await buffer(req) });
      res.writeHead(202, { "Retry-After": "7" }).end("thanks");
    };
    return listener;
  },
};

describe.each(Object.entries(apps))("%s", (_, build) => {
  test("gets path, query, method, headers, host and bytes as they were sent, and its answer comes back", async () => {
    const seen: Seen[] = [];
    const answer = await connect(build((request) => seen.push(request))).send(webhook());
    expect(answer).toEqual({ kind: "answered", status: 202, retryAfter: "7", bodyExcerpt: "thanks" });
    expect(seen).toEqual([
      {
        method: "POST",
        url: "/hooks/pay%20ments?source=centavo&source=2",
        headers: {
          "content-type": "application/json",
          "content-length": String(body.length),
          "x-webhook-signature": "t=1,te=00,li=",
          host: "shop.example",
          "x-forwarded-host": "shop.example",
          "x-forwarded-proto": "https",
          connection: "keep-alive",
        },
        body,
      },
    ]);
  });

  test("may be called many times at once", async () => {
    let count = 0;
    const receiver = connect(build(() => (count += 1)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => receiver.send(webhook())));
    expect(answers.every((answer) => answer.kind === "answered" && answer.status === 202)).toBe(true);
    expect(count).toBe(20);
  });
});

describe.each([
  ["a fetch handler", (handle: (request: Request) => Promise<Response>): MerchantApp => handle],
  ["an object with fetch", (handle: (request: Request) => Promise<Response>): MerchantApp => ({ fetch: handle })],
  [
    "a Hono app",
    (handle: (request: Request) => Promise<Response>): MerchantApp =>
      new Hono().post("/hooks/:name", (context) => handle(context.req.raw)),
  ],
])("%s", (_, build) => {
  test("gets the request itself, in the process", async () => {
    const seen: unknown[] = [];
    const receiver = connect(
      build(async (request) => {
        seen.push(request.url, request.method, Buffer.from(await request.arrayBuffer()));
        return new Response("thanks", { status: 202, headers: { "Retry-After": "7" } });
      }),
    );
    expect(await receiver.send(webhook())).toEqual({
      kind: "answered",
      status: 202,
      retryAfter: "7",
      bodyExcerpt: "thanks",
    });
    expect(seen).toEqual([`${origin}/hooks/pay%20ments?source=centavo&source=2`, "POST", body]);
  });
});

test("an Express app behind express.json answers too", async () => {
  const app = express().use(express.json());
  app.post("/hooks", (req, res) => void res.json({ received: (req.body as { id: string }).id }));
  const request = new Request(`${origin}/hooks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"id":"evt_1"}',
  });
  expect(await connect(app).send(request)).toMatchObject({ status: 200, bodyExcerpt: '{"received":"evt_1"}' });
});

test("a customer who returns gets the page, and a redirect is reported and not followed", async () => {
  const app = express();
  app.get("/thanks", (req, res) => void res.send(`you are at ${req.originalUrl}`));
  app.get("/return", (_, res) => res.redirect("/thanks"));
  const receiver = connect(app);
  expect(await receiver.send(new Request(`${origin}/thanks?externalId=order-1`))).toMatchObject({
    bodyExcerpt: "you are at /thanks?externalId=order-1",
  });
  expect(await receiver.send(new Request(`${origin}/return`))).toMatchObject({ status: 302, location: "/thanks" });
});

test("an answer without a body is an answer, and of a long one the beginning is kept", async () => {
  const receiver = connect((request: Request) =>
    request.url.endsWith("/long") ? new Response("x".repeat(100_000)) : new Response(null, { status: 204 }),
  );
  expect(await receiver.send(new Request(`${origin}/none`))).toEqual({ kind: "answered", status: 204 });
  expect(await receiver.send(new Request(`${origin}/long`))).toEqual({
    kind: "answered",
    status: 200,
    bodyExcerpt: "x".repeat(500),
  });
});
