import https from "node:https";
import { setImmediate as nextTurn } from "node:timers/promises";
import axios from "axios";
import { intercept, type Network } from "centavo/node";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService, type EchoService } from "./echo-service.ts";

const shop = "https://shop.example/cart";
const pay = "https://api.pay.example/api/transactions";

let handled: string[];
let service: EchoService;
let network: Network;

const server = setupServer(
  http.get(shop, ({ request }) => {
    handled.push(request.url);
    return HttpResponse.json({ from: "msw" });
  }),
  http.get("https://api.pay.example/handled-by-msw", () => HttpResponse.json({ from: "msw" })),
);

const start = {
  server: () => server.listen({ onUnhandledFrame: "error" }),
  network: () => {
    network = intercept(service);
  },
};
const stop = { server: () => server.close(), network: () => network.close() };

const before = { fetch, request: https.request, Headers, Response };

beforeEach(() => {
  // MSW prints what it refuses, which these tests do on purpose.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  handled = [];
  service = echoService();
});

afterEach(() => {
  vi.restoreAllMocks();
  network.close();
  if (String(server.readyState) !== "0") server.close();
});

const reach: Record<string, (url: string) => Promise<unknown>> = {
  fetch: async (url) => (await fetch(url)).json() as Promise<unknown>,
  axios: async (url) => (await axios.get<unknown>(url, { adapter: "http" })).data,
  "node:https": (url) =>
    new Promise((resolve, reject) => {
      https
        .get(url, (response) => {
          response.setEncoding("utf8").on("data", (text: string) => resolve(JSON.parse(text)));
        })
        .on("error", reject);
    }),
};

const orders = [
  { opens: ["server", "network"], closes: ["server", "network"] },
  { opens: ["server", "network"], closes: ["network", "server"] },
  { opens: ["network", "server"], closes: ["server", "network"] },
  { opens: ["network", "server"], closes: ["network", "server"] },
] as const;

describe.each(orders)("with $opens.0 started first and $closes.0 closed first", ({ opens, closes }) => {
  test.each(Object.keys(reach))(
    "%s reaches the simulator and MSW, each for its own, as long as it is open",
    async (client) => {
      const send = reach[client] as (url: string) => Promise<unknown>;
      for (const name of opens) start[name]();
      expect(await send(shop)).toEqual({ from: "msw" });
      expect(await send(pay)).toMatchObject({ method: "GET", url: pay });
      expect([handled.length, service.seen.length]).toEqual([1, 1]);

      stop[closes[0]]();
      const [still, gone] = closes[0] === "server" ? [pay, shop] : [shop, pay];
      expect(await send(still)).toMatchObject(still === shop ? { from: "msw" } : { url: pay });
      await expect(send(gone)).rejects.toThrow();

      stop[closes[1]]();
      expect([fetch, https.request, Headers, Response]).toEqual(Object.values(before));
      expect(fetch).toBe(before.fetch);
    },
  );
});

describe("beside the user's own server", () => {
  test.each(orders.slice(1, 3))(
    "its handlers do not see the simulator's requests ($opens.0 first)",
    async ({ opens }) => {
      const started: string[] = [];
      server.events.on("request:start", ({ request }) => {
        started.push(request.url);
      });
      for (const name of opens) start[name]();
      await Promise.all(Object.values(reach).map((send) => send(pay)));
      await Promise.all(Object.values(reach).map((send) => send(shop)));
      expect(started).toEqual([shop, shop, shop]);
      server.events.removeAllListeners();
    },
  );

  test("a host that neither knows is the server's to decide about", async () => {
    start.network();
    server.listen({ onUnhandledFrame: "bypass" });
    await expect(fetch("http://elsewhere.invalid/")).rejects.toMatchObject({
      cause: { code: expect.not.stringMatching("UNEXPECTED") as string },
    });
    server.close();
    await expect(fetch("https://elsewhere.example/")).rejects.toMatchObject({ cause: { code: "UNEXPECTED_REQUEST" } });
  });

  test.each(["fetch", "axios"])("%s keeps the connection that the server has answered on before", async (client) => {
    const send = reach[client] as (url: string) => Promise<unknown>;
    start.server();
    expect(await send(shop)).toEqual({ from: "msw" });
    // A client that has read the whole answer keeps the connection for the next call.
    await nextTurn();
    start.network();
    expect(await send(shop)).toEqual({ from: "msw" });
    expect(await send(pay)).toMatchObject({ url: pay });
  });

  test("it may be restarted while the network is open", async () => {
    start.server();
    start.network();
    server.close();
    start.server();
    expect(await reach["axios"]?.(pay)).toMatchObject({ url: pay });
    expect(await reach["axios"]?.(shop)).toEqual({ from: "msw" });
    expect(service.seen).toHaveLength(1);
  });

  test("a network may be reopened while the server is open", async () => {
    start.network();
    start.server();
    network.close();
    start.network();
    expect(await reach["fetch"]?.(pay)).toMatchObject({ url: pay });
    expect(await reach["node:https"]?.(pay)).toMatchObject({ url: pay });
    expect(await reach["fetch"]?.(shop)).toEqual({ from: "msw" });
    network.close();
    server.close();
    expect(fetch).toBe(before.fetch);
  });
});
