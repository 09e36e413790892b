import assert from "node:assert/strict";
import { Interceptor } from "@mswjs/interceptors";
import { SocketInterceptor } from "@mswjs/interceptors/net";
import axios from "axios";
import { intercept } from "centavo/node";
import { simulated } from "centavo/testing";
import type { TestParts } from "centavo/testing";
import { Hono } from "hono";
import { MockAgent, request } from "undici";
import { describe, expect, test } from "vitest";
import { causeOf, pay, SHOP, shopClient } from "./shop.ts";

const capturedFetch = globalThis.fetch;

describe("a request that does not reach the simulator is explained", () => {
  test("its host resembles the host of the base URL", async () => {
    const cause = await causeOf({ name: "misspelt", cause: "misspelt-base-url" }, async ({ network }) => {
      assert.equal(network.kind, "intercept");
      await axios.get("https://api.pay.exmaple/api/transactions");
    });
    expect(cause).toBe(
      "Likely cause: a request went to https://api.pay.exmaple/api/transactions, which is nearly the base URL https://api.pay.example.",
    );
  });

  test("a MockAgent of undici refuses it", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const cause = await causeOf({ name: "strict agent", cause: "strict-mock" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      await request(`${sim.baseUrl}/api/transactions`, { dispatcher: agent });
    });
    expect(cause).toBe(
      "Likely cause: a MockAgent of undici refused a request to api.pay.example before Centavo saw it.",
    );
    agent.enableNetConnect("api.pay.example");
    await simulated({ name: "an agent that lets it pass" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      expect((await request(`${sim.baseUrl}/api/transactions`, { dispatcher: agent })).statusCode).toBe(401);
    })();
  });

  test.for([
    ["MSW", '[MSW] Cannot bypass a request when using the "error" strategy for the "onUnhandledRequest" option.', ""],
    ["nock", 'Nock: Disallowed net connect for "api.pay.example:443/oauth"', " to api.pay.example"],
  ] as const)("an older %s refuses it", async ([tool, message, to]) => {
    const cause = await causeOf({ name: `strict ${tool}`, cause: "strict-mock" }, async ({ network }) => {
      assert.equal(network.kind, "intercept");
      throw new TypeError("fetch failed", { cause: new Error(message) });
    });
    expect(cause).toBe(`Likely cause: ${tool} refused a request${to} before Centavo saw it.`);
  });

  test("also when the shop swallowed the error", async () => {
    const cause = await causeOf({ name: "swallowed", cause: "misspelt-base-url" }, async ({ network }) => {
      assert.equal(network.kind, "intercept");
      await fetch("https://api.pay.exmaple/api/transactions").catch(() => undefined);
    });
    expect(cause).toContain("which is nearly the base URL https://api.pay.example");
  });

  test("it leads to another host", async () => {
    const cause = await causeOf({ name: "other host", cause: "refused-host" }, async ({ network }) => {
      assert.equal(network.kind, "intercept");
      await axios.post("https://mail.example/send", { to: "ana" });
    });
    expect(cause).toBe(
      "Likely cause: POST https://mail.example/send was refused: it leads to a host that is not simulated.",
    );
  });

  test("nothing intercepts it", async () => {
    const cause = await causeOf({ name: "no network", cause: "real-network" }, async ({ sim }) => pay(shopClient(sim)));
    expect(cause).toBe("Likely cause: a request to api.pay.example went to the real network: nothing intercepts it.");
  });

  test("nothing intercepts a shop that answers its own error with 500", async () => {
    const cause = await causeOf({ name: "visited", cause: "real-network" }, async ({ sim, visit }) => {
      await orderFromShopThatHidesErrors({ sim, visit });
    });
    expect(cause).toBe(
      "Likely cause: your app answered POST https://shop.example/orders with 500, and none of its requests has reached the simulator, because nothing intercepts them.",
    );
  });

  test.for([
    ["fetch", "network.fetch"],
    ["server", "network.baseUrl"],
  ] as const)("a shop that answers its own error with 500 is not given what the kind %s needs", async (example) => {
    const [kind, given] = example;
    const options = { name: `visited by ${kind}`, cause: "real-network", network: kind };
    const cause = await causeOf(options, async ({ sim, network, visit }) => {
      assert.equal(network.kind, kind);
      await orderFromShopThatHidesErrors({ sim, visit });
    });
    expect(cause).toBe(
      `Likely cause: your app answered POST https://shop.example/orders with 500, and none of its requests has reached the simulator: only a client that is given ${given} does.`,
    );
  });

  test("the client captured fetch, where only network.fetch is answered", async () => {
    const cause = await causeOf(
      { name: "captured", cause: "real-network", network: "fetch" },
      async ({ sim, network }) => {
        assert.equal(network.kind, "fetch");
        await capturedFetch(`${sim.baseUrl}/api/transactions`);
      },
    );
    expect(cause).toBe(
      "Likely cause: a request to api.pay.example went to the real network: only a client that is given network.fetch reaches the simulator here, and yours has captured another fetch, or has a fixed address.",
    );
  });

  test.for(["Failed to fetch", "NetworkError when attempting to fetch resource.", "Load failed"])(
    "a browser says of a fetch of the page only %s",
    async (message) => {
      const options = { name: message, cause: "real-network", network: "fetch" } as const;
      const cause = await causeOf(options, async ({ network }) => {
        assert.equal(network.kind, "fetch");
        throw new TypeError(message);
      });
      expect(cause).toBe(
        "Likely cause: a fetch of the page failed, and none of its requests has reached the simulator: only a client that is given network.fetch does.",
      );
    },
  );

  test("it was made before interception", async () => {
    const cause = await causeOf({ name: "early", cause: "real-network" }, async ({ sim }) => {
      const early = capturedFetch(`${sim.baseUrl}/api/transactions`);
      early.catch(() => undefined);
      const interception = intercept(sim);
      await early.finally(() => interception.close());
    });
    expect(cause).toContain("the request was made before intercept(sim), or after its network was closed");
  });

  test.for([
    ["the base URL of the shop has a path too much", "https://api.pay.example/v1", "POST /v1/oauth"],
    ["the base URL of the shop has its /api twice", "https://api.pay.example/api", "POST /api/oauth"],
  ] as const)("%s", async ([name, baseUrl, call]) => {
    const cause = await causeOf({ name, cause: "wrong-base-url" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      const { clientId, clientSecret } = sim.credentials;
      const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
      await axios.post(`${baseUrl}/oauth`, form);
    });
    expect(cause).toBe(
      `Likely cause: ${call} is not an endpoint of the service at https://api.pay.example: the base URL of your app is wrong, or the path.`,
    );
  });

  test("the path of the base URL is missing", async () => {
    const options = { name: "no path", cause: "wrong-base-url", baseUrl: "https://api.pay.example/v2" };
    const cause = await causeOf(options, async ({ network }) => {
      assert.equal(network.kind, "intercept");
      await fetch("https://api.pay.example/api/transactions");
    });
    expect(cause).toContain("is not an endpoint of the service at https://api.pay.example/v2");
  });

  test("a second copy of the interceptors is active", async () => {
    const own = Interceptor.singleton(SocketInterceptor);
    const registry = globalThis.__MSW_INTERCEPTORS_REGISTRY;
    registry?.set(SocketInterceptor.symbol, { readyState: "ACTIVE" } as unknown as typeof own);
    const cause = await causeOf({ name: "second copy", cause: "second-interceptors" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      await axios.get(`${sim.baseUrl}/api/transactions`);
    });
    registry?.set(SocketInterceptor.symbol, own);
    expect(cause).toBe(
      "Likely cause: a second copy of @mswjs/interceptors is active in this process, and two copies break each other.",
    );
  });
});

/** Orders at a shop that answers its own errors with 500. */
async function orderFromShopThatHidesErrors({ sim, visit }: Pick<TestParts, "sim" | "visit">): Promise<void> {
  const app = new Hono().onError((_, context) => context.text("Oops", 500));
  app.post("/orders", async (context) => context.text(await pay(shopClient(sim))));
  sim.connect(SHOP, app);
  const { status } = await visit("POST", "/orders");
  assert.equal(status, 201);
}
