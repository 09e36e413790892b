import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import type { SimulatorServer } from "centavo/server";
import { describe, expect, test } from "vitest";
import { Page, signIn } from "../inspector/page.ts";
import { errorOf, open, raw, served } from "../server/served.ts";

const READING = [
  "/_centavo/api/v1/clock",
  "/_centavo/api/v1/report",
  "/_centavo/worlds",
  "/_centavo/inspector/worlds",
  "/_centavo/inspector/run",
  "/worlds/a/_centavo/api/v1/clock",
  "/worlds/a/_centavo/inspector/run",
];

/** What a browser says of a request that another page sends, with the cookie that it has for this host. */
const FOREIGN: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ["another site", { origin: "http://evil.example", "sec-fetch-site": "cross-site" }],
  ["another site that sends no origin, as with an image", { "sec-fetch-site": "cross-site" }],
  ["another port of this host", { origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-site" }],
  ["another port, which sends no origin", { "sec-fetch-site": "same-site" }],
  ["another scheme of this host", { origin: "https://127.0.0.1", "sec-fetch-site": "cross-site" }],
  ["a page that hides its origin, as a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a page without an origin that says that it is our own", { origin: "null" }],
  ["an address that a person types or a bookmark", { "sec-fetch-site": "none" }],
  ["an old browser that names no page at all", {}],
  ["an old browser on another port, by its referrer", { referer: "http://127.0.0.1:3000/page" }],
  ["an extension", { origin: "chrome-extension://abcdef", "sec-fetch-site": "none" }],
];

async function signedIn(): Promise<{ server: SimulatorServer; page: Page }> {
  const server = await served();
  await open(server, "a");
  return { server, page: await Page.of(server) };
}

describe.each(FOREIGN)("with the cookie of the inspector, %s", (_what, headers) => {
  test("reads nothing", async () => {
    const { server, page } = await signedIn();
    for (const path of READING) {
      const refused = await fetch(server.url + path, { headers: { cookie: page.cookie, ...headers } });
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
      expect(await errorOf(refused), path).toMatchObject({ status: 403, code: "FOREIGN_ORIGIN" });
    }
  });

  test("changes nothing, not even by a form", async () => {
    const { server, page } = await signedIn();
    for (const [method, path, body] of [
      ["POST", "/_centavo/api/v1/clock/advance", '{"duration":"1 day"}'],
      ["POST", "/_centavo/api/v1/reset", "{}"],
      ["POST", "/_centavo/api/v1/inspector", "{}"],
      ["POST", "/_centavo/inspector/sign-out", ""],
      ["PUT", "/_centavo/worlds/b", "{}"],
      ["DELETE", "/_centavo/worlds/a", undefined],
    ] as const) {
      const refused = await fetch(server.url + path, {
        method,
        headers: { cookie: page.cookie, "content-type": "text/plain", ...headers },
        ...(body !== undefined && { body }),
      });
      expect(await errorOf(refused), path).toMatchObject({ status: 403, code: "FOREIGN_ORIGIN" });
    }
    const now = await page.fetch("/_centavo/api/v1/clock");
    expect(await now.json()).toMatchObject({ now: "2026-01-01T00:00:00.000Z" });
    expect((await page.fetch("/_centavo/worlds/a")).status).toBe(200);
  });

  test("does not use the code of an address up", async () => {
    const server = await served();
    const address = server.inspectorUrl();
    const { "sec-fetch-site": site = "", origin = "", ...others } = headers;
    const refused = await fetch(`${server.url}/_centavo/inspector/sign-in`, {
      method: "POST",
      headers: { ...others, ...(site !== "" && { "sec-fetch-site": site }), ...(origin !== "" && { origin }) },
      body: JSON.stringify({ code: address.split("=")[1] }),
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("set-cookie")).toBeNull();
    expect((await signIn(address)).status).toBe(204);
  });
});

test("a change needs the page's own origin, also where the browser says that the site is the same", async () => {
  const { server, page } = await signedIn();
  for (const origin of [undefined, "null"]) {
    const refused = await fetch(`${server.url}/_centavo/api/v1/reset`, {
      method: "POST",
      headers: { cookie: page.cookie, "sec-fetch-site": "same-origin", ...(origin !== undefined && { origin }) },
      body: "{}",
    });
    expect(refused.status).toBe(403);
  }
});

test("a browser that says nothing of the site gets in by the origin or the referrer of the page", async () => {
  const { server, page } = await signedIn();
  for (const headers of [{ origin: server.url }, { referer: `${server.url}/_centavo` }])
    expect(
      (await fetch(`${server.url}/_centavo/api/v1/clock`, { headers: { cookie: page.cookie, ...headers } })).status,
    ).toBe(200);
});

test("no preflight lets a page of another origin in, allowed or not", async () => {
  const server = await served({ allowedOrigins: ["http://localhost:3000"] });
  const page = await Page.of(server);
  for (const origin of ["http://localhost:3000", "http://evil.example"])
    for (const path of [...READING, "/_centavo/inspector/sign-in"]) {
      const asked = await fetch(server.url + path, {
        method: "OPTIONS",
        headers: { cookie: page.cookie, origin, "access-control-request-method": "POST" },
      });
      expect(asked.ok, path).toBe(false);
      expect(asked.headers.get("access-control-allow-origin")).toBeNull();
    }
});

test("a name that leads to this machine gets neither the page nor what it shows", async () => {
  const { server, page } = await signedIn();
  for (const path of ["/_centavo", ...READING]) {
    const lines = [
      `GET ${path} HTTP/1.1`,
      "Host: evil.example",
      `Cookie: ${page.cookie}`,
      "Sec-Fetch-Site: same-origin",
    ];
    expect(await raw(server, `${lines.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 421 /);
  }
});

test.each([
  ["no value", (cookie: string) => cookie.replace(/=.*/, "=")],
  ["another value", (cookie: string) => `${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`],
  ["a longer value", (cookie: string) => `${cookie}A`],
  ["another name", (cookie: string) => cookie.replace("=", "x=")],
  ["another port", (cookie: string) => cookie.replace(/\d+=/, "1=")],
])("a cookie with %s lets nobody in", async (_what, changed) => {
  const { page } = await signedIn();
  for (const path of READING)
    expect((await page.fetch(path, { headers: { cookie: changed(page.cookie) } })).status).toBe(401);
});

test("a wrong token is refused, whatever the cookie", async () => {
  const { page } = await signedIn();
  const refused = await page.fetch("/_centavo/api/v1/clock", { headers: { authorization: "Bearer wrong" } });
  expect(refused.status).toBe(401);
});

test("the cookie opens nothing of the service, and stands in no recording and no report", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const page = await Page.of(server);
  expect((await page.fetch("/api/transactions")).status).toBe(401);
  const client = createClient({
    ...sim.credentials,
    baseUrl: server.url,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("cookie", `a=1; ${page.cookie}; b`);
      return fetch(input, { ...init, headers });
    },
  });
  await client.paymentIntents.create({ amount: 10_000 });
  const [, secret = ""] = page.cookie.split("=");
  const recorded = JSON.stringify(sim.recording());
  expect(recorded).toContain('"inputs":[{"kind":"request"');
  for (const text of [recorded, await sim.report(), JSON.stringify(sim.snapshot())]) expect(text).not.toContain(secret);
});

test("codes are not in what the page loads, nor in the log of its server", async () => {
  const { server, page } = await signedIn();
  const code = server.inspectorUrl().split("=")[1] ?? "";
  for (const path of ["/_centavo", "/_centavo/worlds", "/_centavo/api/v1/openapi.json"])
    expect(await (await page.fetch(path)).text()).not.toContain(code);
});

test.each(["POST", "PUT", "DELETE", "PATCH"])("%s is nothing that a stream or the page takes", async (method) => {
  const { page } = await signedIn();
  for (const path of ["/_centavo", "/_centavo/inspector/worlds", "/_centavo/inspector/run"])
    expect((await page.fetch(path, { method })).status).toBe(405);
});

test("a body that is too large is refused before it is read", async () => {
  const server = await served();
  const refused = await fetch(`${server.url}/_centavo/inspector/sign-in`, {
    method: "POST",
    headers: { origin: server.url },
    body: JSON.stringify({ code: "x".repeat(2_000_000) }),
  });
  expect(await errorOf(refused)).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
});
