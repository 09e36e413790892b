import express from "express";
import Fastify from "fastify";
import { describe, expect, test, vi } from "vitest";
import type { NodeListener } from "../../../src/kit/base/runtime/http.ts";
import type { MerchantApp } from "../../../src/kit/receivers/merchant-app.ts";
import { createReceiver, type ReceiverOptions } from "../../../src/kit/receivers/receiver.ts";

const origin = "https://shop.example";

async function answerOf(app: MerchantApp, options?: ReceiverOptions) {
  const receiver = createReceiver(origin, app, options);
  try {
    return await receiver.send(new Request(`${origin}/hooks`, { method: "POST", body: "{}" }));
  } finally {
    await receiver.close();
  }
}

function failure(reason: string, ...words: string[]): object {
  const message: unknown = expect.stringMatching(words.join(".*"));
  return { kind: "failed", reason, message };
}

describe("an app that throws is a failure that carries the message", () => {
  test.each<[string, MerchantApp]>([
    [
      "a fetch handler",
      () => {
        throw new Error("no stock");
      },
    ],
    [
      "a fetch handler that rejects",
      async () => {
        throw new Error("no stock");
      },
    ],
    [
      "a listener",
      (_req, _res) => {
        throw new Error("no stock");
      },
    ],
    [
      "a listener that rejects",
      async (_req, _res) => {
        throw new Error("no stock");
      },
    ],
  ])("%s", async (_, app) => {
    expect(await answerOf(app)).toEqual(failure("threw", "shop.example threw on POST", "/hooks: Error: no stock"));
  });

  test("but a framework that turns the error into a 500 has answered", async () => {
    const app = express();
    app.set("env", "test");
    app.post("/hooks", () => {
      throw new Error("no stock");
    });
    expect(await answerOf(app)).toMatchObject({ kind: "answered", status: 500 });
  });

  test("and so is an app that cannot start", async () => {
    const app = Fastify();
    app.register(async () => {
      throw new Error("no database");
    });
    expect(await answerOf(app)).toEqual(failure("threw", "could not be started: Error: no database"));
  });
});

describe("an app that never settles is given up after receiverTimeout", () => {
  const listener: NodeListener = (req) => void req.resume();
  test.each<[string, MerchantApp]>([
    ["a fetch handler", () => new Promise<Response>(() => undefined)],
    [
      "a body that never ends",
      () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) })),
    ],
    ["a listener", { listener }],
  ])("%s", async (_, app) => {
    expect(await answerOf(app, { receiverTimeout: 50 })).toEqual({
      ...failure("timeout", "did not answer POST", "within 50 ms of real time", "receiverTimeout"),
      clock: "real",
    });
  });

  test("under fake timers too", async () => {
    vi.useFakeTimers();
    try {
      expect(await answerOf(() => new Promise<Response>(() => undefined), { receiverTimeout: 50 })).toMatchObject({
        reason: "timeout",
        clock: "real",
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test("and its late answer is dropped and its body released", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const released = Promise.withResolvers<string>();
    expect(await answerOf(() => promise, { receiverTimeout: 50 })).toMatchObject({ reason: "timeout" });
    resolve(new Response(new ReadableStream({ cancel: () => released.resolve("released") })));
    expect(await released.promise).toBe("released");
  });
});

test("a connection that the app breaks is a reset", async () => {
  const listener: NodeListener = (_req, res) => void res.destroy();
  const halfway: NodeListener = (_req, res) => {
    res.writeHead(200);
    res.write("half", () => res.destroy());
  };
  expect(await answerOf({ listener })).toEqual(failure("reset", "broke the connection before it had answered POST"));
  expect(await answerOf({ listener: halfway })).toMatchObject({ reason: "reset" });
  expect(await answerOf(() => Response.error())).toMatchObject({ reason: "reset" });
});

test("a fetch handler that returns no Response is told what it may be", async () => {
  const notAHandler = (() => undefined) as unknown as MerchantApp;
  expect(await answerOf(notAHandler)).toEqual(failure("not-a-response", "returned undefined", "{ listener: app }"));
});

test("a fetch handler of two parameters, taken for a listener, is told how to say so", async () => {
  const routeHandler = async (_request: unknown, _context: unknown) => new Response("ok");
  expect(await answerOf(routeHandler)).toEqual(failure("threw", "returned a Response", "{ fetch: app }"));
  expect(await answerOf({ fetch: (request) => routeHandler(request, {}) })).toMatchObject({ status: 200 });
});
