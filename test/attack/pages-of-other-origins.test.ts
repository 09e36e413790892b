import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import type { SimulatorServer } from "centavo/server";
import { describe, expect, test } from "vitest";
import { errorOf, open, served } from "../server/served.ts";

const SHOP = "http://localhost:3000";

function from(origin: string, url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), origin } });
}

function preflight(origin: string, url: string, method = "POST"): Promise<Response> {
  const headers = {
    "access-control-request-method": method,
    "access-control-request-headers": "authorization, content-type",
  };
  return from(origin, url, { method: "OPTIONS", headers });
}

/** Whether a browser would let a page of this origin send the call that a preflight asks for. */
function lets({ headers, ok }: Response, origin: string): boolean {
  return ok && ["*", origin].includes(headers.get("access-control-allow-origin") ?? "");
}

const foreign = [
  "http://evil.example",
  "https://evil.example:4010",
  SHOP,
  "http://127.0.0.1",
  "null",
  "file://",
  "http://localhost",
  "chrome-extension://abcdef",
  "not an origin",
];

describe.each(foreign)("a page of %s", (origin) => {
  test.each(["/api/transactions", "/oauth", "/.well-known/jwks.json", "/worlds/a/api/transactions", "/"])(
    "reaches nothing at %s, preflights included",
    async (path) => {
      const server = await served();
      await open(server, "a");
      for (const method of ["GET", "POST", "DELETE"]) {
        const refused = await from(origin, server.url + path, { method });
        expect(refused.headers.get("access-control-allow-origin")).toBeNull();
        expect(await errorOf(refused)).toMatchObject({ status: 403, code: "FOREIGN_ORIGIN" });
      }
      expect(lets(await preflight(origin, server.url + path), origin)).toBe(false);
    },
  );

  test.each(["/_centavo/api/v1/clock", "/_centavo/worlds", "/_centavo/worlds/a", "/worlds/a/_centavo/api/v1/clock"])(
    "does not reach %s, even with the token and where the page is allowed",
    async (path) => {
      const allowedOrigins = /^https?:/.test(origin) ? [origin] : [];
      const server = await served({ allowedOrigins });
      await open(server, "a");
      const headers = { authorization: `Bearer ${server.token}` };
      const refused = await from(origin, server.url + path, { headers });
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
      expect(await errorOf(refused)).toMatchObject({ status: 403, code: "FOREIGN_ORIGIN" });
      expect(lets(await preflight(origin, server.url + path, "PUT"), origin)).toBe(false);
    },
  );
});

test("a call that is refused changes nothing", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const { clientId, clientSecret } = sim.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  expect((await from("http://evil.example", `${server.url}/oauth`, { method: "POST", body })).status).toBe(403);
  expect(sim.journal.entries).toEqual([]);
});

describe("a page of an allowed origin", () => {
  async function shop(
    cors: "any" | "none",
  ): Promise<{ server: SimulatorServer; url: string; clientKey: string; id: string }> {
    const sim = createSimulator({ assumptions: { "http.cors": cors } });
    const server = await served({ allowedOrigins: [SHOP] });
    const own = await serve(sim, { allowedOrigins: [SHOP, "https://shop.example"] });
    const client = createClient({ ...sim.credentials, baseUrl: own.url });
    const { id, clientKey } = await client.paymentIntents.create({ amount: 10_000 });
    await server.close();
    return { server: own, url: `${own.url}/api/payment-intent/${id}`, clientKey, id };
  }

  test.each(["any", "none"] as const)(
    "confirms a payment by its client key, whatever http.cors says: %s",
    async (cors) => {
      const { server, url, clientKey } = await shop(cors);
      await using _ = server;
      for (const origin of [SHOP, "https://shop.example"]) {
        const asked = await preflight(origin, `${url}/confirm`);
        expect(lets(asked, origin)).toBe(true);
        expect(asked.headers.get("access-control-allow-headers")).toBe("authorization, content-type");
        expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
      }
      const confirmed = await from(SHOP, `${url}/confirm`, {
        method: "POST",
        headers: { authorization: `Bearer ${clientKey}`, "content-type": "application/json" },
        body: JSON.stringify({ paymentMethodId: "pm_card_approved" }),
      });
      expect(confirmed.status).toBe(200);
      expect(confirmed.headers.get("access-control-allow-origin")).toBe(SHOP);
      expect(confirmed.headers.get("vary")).toBe("origin");
      expect(confirmed.headers.get("access-control-expose-headers")).toContain("retry-after");
      const other = await from("http://evil.example", `${url}/status`, {
        headers: { authorization: `Bearer ${clientKey}` },
      });
      expect(other.status).toBe(403);
    },
  );

  test("reads errors too", async () => {
    const server = await served({ allowedOrigins: [SHOP] });
    const refused = await from(SHOP, `${server.url}/api/transactions`);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, SHOP]);
  });

  test.each(["/oauth", "/merchants"])("still may not read %s, for which it would hold a secret", async (path) => {
    const server = await served({ allowedOrigins: [SHOP] });
    await open(server, "a");
    for (const base of [server.url, `${server.url}/worlds/a`]) {
      expect(lets(await preflight(SHOP, base + path), SHOP)).toBe(false);
      expect(lets(await from(SHOP, base + path, { method: "POST" }), SHOP)).toBe(false);
    }
  });

  test("calls named worlds too", async () => {
    const server = await served({ allowedOrigins: [SHOP] });
    const { baseUrl } = await open(server, "a", { assumptions: { "http.cors": "none" } });
    expect(lets(await preflight(SHOP, `${baseUrl}/api/payment-intent/x/confirm`), SHOP)).toBe(true);
    expect(lets(await from(SHOP, `${baseUrl}/.well-known/jwks.json`), SHOP)).toBe(true);
  });

  test.each([
    [SHOP, "http://localhost:30000"],
    [SHOP, "https://localhost:3000"],
    ["http://shop.example", "http://shop.example.evil.example"],
    ["http://shop.example", "http://evil.shop.example"],
    ["http://shop.example", "HTTP://SHOP.EXAMPLE"],
    ["http://shop.example", "http://shop.example/"],
  ])("%s is not mistaken for %s", async (allowed, origin) => {
    const server = await served({ allowedOrigins: [allowed] });
    expect((await from(origin, `${server.url}/api/transactions`)).status).toBe(403);
  });
});

describe("what a browser sends to the service's own pages works", () => {
  test.each(["127.0.0.1", "localhost"])("a form of a hosted page at %s", async (hostname) => {
    const sim = createSimulator();
    await using server = await serve(sim, { hostname });
    const client = createClient({ ...sim.credentials, baseUrl: server.url });
    const { checkoutUrl: url } = await client.checkout.create({
      externalId: "order-1",
      amount: 10_000,
      description: "Shoes",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
    });
    const paid = await from(new URL(url).origin, url, {
      method: "POST",
      body: new URLSearchParams({ action: "pay", method: "pm_card_approved" }),
      redirect: "manual",
    });
    expect(paid.status).toBe(303);
  });

  test("also where the page hides its origin, and the browser says that the form is its own", async () => {
    const server = await served();
    const keys = `${server.url}/.well-known/jwks.json`;
    expect((await from("null", keys, { headers: { "sec-fetch-site": "same-origin" } })).status).toBe(200);
    expect((await from("null", keys, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await from("null", keys)).status).toBe(403);
  });

  test("also behind a proxy that ends TLS, with or without the host of the client", async () => {
    const server = await served({ baseUrl: "https://pay.example" });
    expect((await from("https://pay.example", `${server.url}/.well-known/jwks.json`)).status).toBe(200);
    expect((await from("https://other.example", `${server.url}/.well-known/jwks.json`)).status).toBe(403);
  });
});

test.each([
  ["*"],
  ["null"],
  ["http://shop.example/"],
  ["shop.example"],
  ["ftp://shop.example"],
  ["http://user@shop.example"],
  [3],
])("an entry that is no origin is refused: %j", async (entry) => {
  await expect(serve(createSimulator(), { allowedOrigins: [entry as string] })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining("The option allowedOrigins has the entry") as string,
  });
});
