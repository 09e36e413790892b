import https from "node:https";
import { Interceptor } from "@mswjs/interceptors";
import { HttpRequestInterceptor } from "@mswjs/interceptors/http";
import { SocketInterceptor } from "@mswjs/interceptors/net";
import { intercept } from "centavo/node";
import { afterEach, describe, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

const realFetch = fetch;
const get = (url: string) =>
  new Promise((resolve, reject) => {
    https.get(url, resolve).on("error", reject);
  });
const conflict = (message: RegExp): unknown =>
  expect.objectContaining({ code: "INTERCEPTION_CONFLICT", message: expect.stringMatching(message) as string });

afterEach(async () => {
  // A call that failed is over a turn of the event loop later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(fetch).toBe(realFetch);
});

describe("another copy of the interception library", () => {
  test("that is active is refused when a connection needs it, and the message says what to do", async () => {
    const own = Interceptor.singleton(SocketInterceptor);
    globalThis.__MSW_INTERCEPTORS_REGISTRY?.set(SocketInterceptor.symbol, {
      readyState: "ACTIVE",
    } as unknown as typeof own);
    using _ = intercept(echoService());
    expect((await fetch("https://api.pay.example/")).status).toBe(200);
    await expect(get("https://api.pay.example/")).rejects.toEqual(
      conflict(/another copy of @mswjs\/interceptors.*npm ls @mswjs\/interceptors/s),
    );
    globalThis.__MSW_INTERCEPTORS_REGISTRY?.set(SocketInterceptor.symbol, own);
  });
});

describe("an interceptor that started first", () => {
  test("decides about requests that are not to a service", async () => {
    const first = new HttpRequestInterceptor();
    first.apply();
    first.on("request", ({ controller }) => controller.respondWith(new Response("first")));
    const service = echoService();
    const network = intercept(service);
    expect((await fetch("https://api.pay.example/")).status).toBe(200);
    expect(await (await fetch("https://elsewhere.example/")).text()).toBe("first");
    expect(service.seen).toHaveLength(1);
    network.close();
    expect(await (await fetch("https://api.pay.example/")).text()).toBe("first");
    first.dispose();
  });

  test("is named when a connection comes and intercept cannot go before it", async () => {
    const first = new HttpRequestInterceptor();
    first.apply();
    const source = globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(Symbol.for("node-http-request-source"));
    const emitter = Object.getPrototypeOf((source as unknown as { emitter: object }).emitter) as { earlyOn: unknown };
    const { earlyOn } = emitter;
    emitter.earlyOn = undefined;
    using _ = intercept(echoService());
    await expect(get("https://api.pay.example/")).rejects.toEqual(
      conflict(/call intercept\(\) before it, which for MSW means before server.listen\(\)/),
    );
    emitter.earlyOn = earlyOn;
    first.dispose();
  });
});

test("a call that is refused leaves nothing behind", async () => {
  const service = echoService();
  const network = intercept(service);
  expect(() => intercept([echoService("https://other.example"), echoService()])).toThrow(
    conflict(/another service already answers/),
  );
  await expect(fetch("https://other.example/")).rejects.toThrow("fetch failed");
  network.close();
});
