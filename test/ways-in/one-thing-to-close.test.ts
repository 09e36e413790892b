import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { describe, expect, test } from "vitest";

const shop = "https://shop.example";
const {
  Headers: NativeHeaders,
  Request: NativeRequest,
  Response: NativeResponse,
  fetch: nativeFetch,
  Date: NativeDate,
} = globalThis;

describe("sim.close()", () => {
  test("ends the interception, the servers and the faked Date of that simulator", async () => {
    const sim = createSimulator();
    intercept(sim, { fakeDate: true });
    const server = await serve(sim);
    expect(fetch).not.toBe(nativeFetch);
    await sim.close();
    expect([fetch, Date]).toEqual([nativeFetch, NativeDate]);
    await expect(fetch(server.url)).rejects.toThrow("fetch failed");
  });

  test("leaves the other simulators of the same interception as they are", async () => {
    await using other = createSimulator({ baseUrl: "https://other.example" });
    const sim = createSimulator();
    intercept([sim, other]);
    await sim.close();
    expect((await fetch(`${other.baseUrl}/api/transactions`)).status).toBe(401);
    await expect(fetch(`${sim.baseUrl}/api/transactions`)).rejects.toThrow("fetch failed");
  });

  test("may come before or after network.close(), and the next simulator has the address at once", async () => {
    for (const simFirst of [true, false]) {
      const sim = createSimulator();
      const network = intercept(sim);
      const closing = simFirst ? sim.close() : network.close();
      await using next = createSimulator();
      intercept(next);
      await closing;
      await sim.close();
      network.close();
      expect((await fetch(`${next.baseUrl}/api/transactions`)).status).toBe(401);
    }
  });
});

describe("interception", () => {
  test("sends requests to a connected origin to its app, through fetch and redirects", async () => {
    await using sim = createSimulator();
    intercept(sim);
    sim.connect(shop, (request: Request) =>
      request.url.endsWith("/old")
        ? new Response(null, { status: 302, headers: { location: "/new" } })
        : new Response(`this is ${request.url}`),
    );
    expect(await (await fetch(`${shop}/old`)).text()).toBe(`this is ${shop}/new`);
    expect(String(sim.journal)).toContain(`GET ${shop}/new: answered 200`);
  });

  test("notes what it keeps from leaving the test", async () => {
    await using sim = createSimulator();
    intercept(sim);
    await expect(fetch("https://api.pay.exmaple/oauth", { method: "POST" })).rejects.toThrow("fetch failed");
    const refused = sim.journal.entries.filter(({ kind }) => kind === "refused");
    expect(refused.map(({ volatile }) => volatile)).toMatchObject([
      { method: "POST", url: "https://api.pay.exmaple/oauth", reason: expect.stringContaining("simulated") as string },
    ]);
    expect(String(sim.journal)).toContain("POST https://api.pay.exmaple/oauth is refused");
  });

  test("leaves Headers, Request and Response as they are, for clients that are loaded meanwhile", async () => {
    await using sim = createSimulator();
    intercept(sim);
    expect([Headers, Request, Response]).toEqual([NativeHeaders, NativeRequest, NativeResponse]);
    expect(Object.keys(globalThis)).not.toContain("Request");
    const Captured = globalThis.Request;
    await sim.close();
    expect(new Captured("https://a.example", { headers: { "x-a": "b" } }).headers.get("x-a")).toBe("b");
  });
});
