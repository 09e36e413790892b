import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { ProxyAgent, request } from "undici";
import { describe, expect, test } from "vitest";
import { echoService } from "../../ways-in/echo-service.ts";
import { clients } from "./clients.ts";

const telemetry = "https://telemetry.example";

describe.each(clients)("$name", ({ call }) => {
  test("gets an empty 204 from a host that is dropped", async () => {
    await using sim = createSimulator();
    intercept(sim, { drop: [telemetry] });
    const answer = await call(`${telemetry}/v1/events?key=secret`, { method: "POST", body: "{}" });
    expect(answer).toMatchObject({ status: 204, body: "" });
    expect(droppedBy(sim)).toEqual([{ method: "POST", url: `${telemetry}/v1/events?…` }]);
  });

  test("reaches the rest of a server of this machine of which one path is dropped", async () => {
    const server = http.createServer(({ url }, response) => response.end(`real ${url}`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const collector = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    using _ = intercept(echoService(), { drop: [`${collector}/v1/traces`] });
    expect(await call(`${collector}/v1/traces`, { method: "POST", body: "{}" })).toMatchObject({ status: 204 });
    expect(await call(`${collector}/health`)).toMatchObject({ status: 200, body: "real /health" });
    server.closeAllConnections();
    server.close();
  });
});

function droppedBy({ journal }: ReturnType<typeof createSimulator>): unknown[] {
  return journal.entries.flatMap(({ kind, volatile }) => (kind === "dropped" ? [volatile] : []));
}

test.each([
  ["an origin", telemetry],
  ["a URL object", new URL(telemetry)],
  ["an expression over the whole URL", /^https:\/\/telemetry\.example\/v1\//],
  ["a URL with a path", `${telemetry}/v1`],
])("a host is dropped by %s", async (_how, entry) => {
  using _ = intercept(echoService(), { drop: [entry] });
  expect((await fetch(`${telemetry}/v1/events`)).status).toBe(204);
  expect((await request(`${telemetry}/v1/events`)).statusCode).toBe(204);
});

test("paths beside the one that is dropped are refused", async () => {
  using _ = intercept(echoService(), { drop: [`${telemetry}/v1`] });
  await expect(fetch(`${telemetry}/v10/events`)).rejects.toMatchObject({ cause: { code: "UNEXPECTED_REQUEST" } });
});

test("a host that is allowed and dropped is dropped", async () => {
  using _ = intercept(echoService(), { allow: [telemetry], drop: [`${telemetry}/v1`] });
  expect((await fetch(`${telemetry}/v1/events`)).status).toBe(204);
  expect((await request(`${telemetry}/v1/events`)).statusCode).toBe(204);
});

test("the service and other hosts are answered and refused as before", async () => {
  using _ = intercept(echoService(), { drop: [telemetry] });
  expect((await fetch("https://api.pay.example/thing")).status).toBe(200);
  await expect(fetch("https://elsewhere.example/")).rejects.toMatchObject({ cause: { code: "UNEXPECTED_REQUEST" } });
});

test("a script of another origin gets the headers that its browser asks for", async () => {
  using _ = intercept(echoService(), { drop: [telemetry] });
  const headers = { origin: "https://shop.example", "access-control-request-headers": "x-key" };
  const preflight = await fetch(telemetry, { method: "OPTIONS", headers });
  expect(preflight.headers.get("access-control-allow-headers")).toBe("x-key");
  const answer = await fetch(telemetry, { method: "POST", headers, body: "{}" });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
});

test("a call that its client has aborted is not answered", async () => {
  using _ = intercept(echoService(), { drop: [telemetry] });
  await expect(fetch(telemetry, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
});

test("a client that uses a proxy is told to bypass it", async () => {
  using _ = intercept(echoService(), { drop: [telemetry] });
  const dispatcher = new ProxyAgent("http://proxy.example:3128");
  await expect(request(telemetry, { dispatcher })).rejects.toThrow(
    `${telemetry} cannot be dropped behind a proxy: add its host to NO_PROXY`,
  );
  await dispatcher.destroy();
});

test("a request to the host after the interception has ended is not answered", async () => {
  intercept(echoService(), { drop: ["http://127.0.0.1:1"] }).close();
  const code = await new Promise((resolve) => {
    http.get("http://127.0.0.1:1/").on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  expect(code).toBe("ECONNREFUSED");
});

test("requests that arrive at the same time leave the digest as it is", async () => {
  const digests: string[] = [];
  for (const count of [0, 3]) {
    await using sim = createSimulator();
    intercept(sim, { drop: [telemetry] });
    await Promise.all(Array.from({ length: count }, () => getByHttps(`${telemetry}/v1/events`)));
    expect(droppedBy(sim)).toHaveLength(count);
    digests.push(sim.journal.digest());
  }
  expect(digests[1]).toBe(digests[0]);
});

function getByHttps(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    https.get(url, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
}

describe("an entry is refused", () => {
  const refusedFor = (drop: unknown): string => {
    try {
      intercept(echoService("https://api.pay.example/v1"), { drop } as never).close();
      return "taken";
    } catch (error) {
      expect(error).toMatchObject({ code: "INVALID_OPTION" });
      return (error as Error).message;
    }
  };

  test.each(["telemetry.example", "localhost:4318", "ftp://telemetry.example", ""])("that is no URL: %o", (entry) => {
    expect(refusedFor([entry])).toBe(
      `intercept(): "${entry}" in "drop" is not a URL. Write the scheme too, as in "https://other.example", or use a regular expression.`,
    );
  });

  test.each([telemetry, /telemetry/, null, {}])("that is no list: %o", (drop) => {
    expect(refusedFor(drop)).toContain('"drop" takes a list, as in { drop: ["https://other.example"] }, and got ');
  });

  test.each([
    "https://api.pay.example",
    "https://api.pay.example/v1",
    "https://api.pay.example/v1/oauth",
    /pay\.example/,
    /^/,
  ])("that covers the simulator's own address: %s", (entry) => {
    expect(refusedFor([entry])).toContain("covers https://api.pay.example/v1, where the simulator answers");
  });

  test("only if it does so: another path, port or host is taken", () => {
    expect(refusedFor(["https://api.pay.example/v2", "https://api.pay.example:8443", "https://pay.example"])).toBe(
      "taken",
    );
  });
});
