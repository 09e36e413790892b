import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { intercept } from "centavo/node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService } from "./echo-service.ts";

/** Everything that an interceptor could replace, with its property descriptor. */
function surface(): Map<string, unknown> {
  const owners: [string, object][] = [
    ["globalThis", globalThis],
    ["Headers", Headers],
    ["Headers.prototype", Headers.prototype],
    ["Request.prototype", Request.prototype],
    ["Response.prototype", Response.prototype],
    ["http", http],
    ["https", https],
    ["net", net],
    ["tls", tls],
    ["http.Agent.prototype", http.Agent.prototype],
    ["https.Agent.prototype", https.Agent.prototype],
    ["http.ClientRequest.prototype", http.ClientRequest.prototype],
    ["net.Socket.prototype", net.Socket.prototype],
    ["tls.TLSSocket.prototype", tls.TLSSocket.prototype],
    ["process", process],
  ];
  return new Map(
    owners.flatMap(([name, owner]) =>
      Reflect.ownKeys(owner).map(
        (key) => [`${name}.${String(key)}`, Object.getOwnPropertyDescriptor(owner, key)] as const,
      ),
    ),
  );
}

function changes(before: Map<string, unknown>): string[] {
  const after = surface();
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !sameDescriptor(before.get(name), after.get(name)));
}

/** A turn of the event loop after the end, the last patch goes. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function sameDescriptor(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right;
  return Object.entries(left as object).every(([key, value]) =>
    Object.is(value, (right as Record<string, unknown>)[key]),
  );
}

// Loads what loads itself on first use (undici, llhttp), and what the library keeps on the global object on purpose.
const warmUp = intercept(echoService());
await fetch("https://api.pay.example/");
await new Promise((resolve) =>
  https.get("https://api.pay.example/", (response) => response.resume().on("end", resolve)),
);
warmUp.close();

// What came before leaves nothing to the test.
beforeEach(async () => {
  for (let turns = 0; turns < 5; turns += 1) await turn();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("after close()", () => {
  test("nothing of the process stays patched", async () => {
    const before = surface();
    const network = intercept(echoService());
    expect(changes(before)).not.toEqual([]);
    await fetch("https://api.pay.example/");
    await new Promise((resolve) =>
      https.get("https://api.pay.example/", (response) => response.resume().on("end", resolve)),
    );
    network.close();
    await turn();
    expect(changes(before)).toEqual([]);
  });

  test("nothing stays patched when networks close in the order they opened, or the other way round", async () => {
    const before = surface();
    const first = intercept(echoService("https://one.example"));
    const second = intercept(echoService("https://two.example"));
    first.close();
    second.close();
    await turn();
    expect(changes(before)).toEqual([]);
    const outer = intercept(echoService("https://one.example"));
    const inner = intercept(echoService("https://two.example"));
    inner.close();
    outer.close();
    await turn();
    expect(changes(before)).toEqual([]);
  });

  test("requests no longer reach the service, and a second close() does nothing", async () => {
    const service = echoService("http://api.pay.localhost:59999");
    const network = intercept(service);
    await fetch("http://api.pay.localhost:59999/before");
    network.close();
    network.close();
    await expect(fetch("http://api.pay.localhost:59999/after")).rejects.toThrow("fetch failed");
    expect(service.seen.map(({ path }) => path)).toEqual(["/before"]);
  });

  test("a fetch that was kept from before closing reaches the network", async () => {
    const service = echoService("http://api.pay.localhost:59999");
    const network = intercept(service);
    const kept = fetch;
    network.close();
    await expect(kept("http://api.pay.localhost:59999/")).rejects.toThrow("fetch failed");
    expect(service.seen).toEqual([]);
  });

  test("a Request and a Response that a client kept from before closing still work", async () => {
    const network = intercept(echoService());
    const kept = { Request, Response };
    network.close();
    const again = intercept(echoService());
    const headers = { "x-order": "one" };
    expect((await fetch(new kept.Request("https://api.pay.example/", { headers }))).status).toBe(200);
    expect(new Response(null, new kept.Response(null, { headers })).headers.get("x-order")).toBe("one");
    again.close();
    expect(new kept.Request("https://api.pay.example/", { headers }).headers.get("x-order")).toBe("one");
    expect(new kept.Response(null, { headers }).headers.get("x-order")).toBe("one");
    expect(new kept.Request("https://api.pay.example/")).toBeInstanceOf(Request);
  });

  test("a request that is being answered still gets its answer", async () => {
    const service = echoService();
    const network = intercept(service);
    const viaFetch = fetch("https://api.pay.example/a");
    const viaSocket = new Promise((resolve, reject) => {
      https
        .get("https://api.pay.example/b", (response) => response.resume().on("end", () => resolve(response.statusCode)))
        .on("error", reject);
    });
    await service.arrival();
    await service.arrival();
    network.close();
    expect((await viaFetch).status).toBe(200);
    expect(await viaSocket).toBe(200);
  });

  test("a fetch that another tool put over Centavo's stays, and what it leaves behind goes with the next call", async () => {
    const before = surface();
    const network = intercept(echoService());
    const stub = vi.fn<typeof fetch>();
    vi.stubGlobal("fetch", stub);
    network.close();
    expect(fetch).toBe(stub);
    vi.unstubAllGlobals();
    await expect(fetch("http://127.0.0.1:59999")).rejects.toThrow("fetch failed");
    await turn();
    expect(changes(before)).toEqual([]);
  });
});

test("`using` closes the network with its block", async () => {
  const before = surface();
  {
    using network = intercept(echoService());
    expect(network).toBeDefined();
  }
  {
    await using network = intercept(echoService());
    expect(network).toBeDefined();
  }
  await turn();
  expect(changes(before)).toEqual([]);
});

test("production is refused, unless it is forced", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const before = surface();
  expect(() => intercept(echoService())).toThrow(expect.objectContaining({ code: "INTERCEPTION_REFUSED" }));
  expect(changes(before)).toEqual([]);
  intercept(echoService(), { force: true }).close();
  await turn();
  expect(changes(before)).toEqual([]);
});
