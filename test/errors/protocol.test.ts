import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { answerOf, ok } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const sim = createSimulator();
const { access } = await tokensOf(sim);
const authorization = `Bearer ${access}`;
const { id } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 5000 }));
const status = `/api/payment-intent/${id}/status`;

describe("methods", () => {
  test.each([
    ["PUT", "/api/payment-intent", "POST"],
    ["GET", "/api/payment-intent", "POST"],
    ["HEAD", "/api/payment-intent", "POST"],
    ["POST", status, "GET, HEAD"],
    ["PATCH", status, "GET, HEAD"],
    ["PROPFIND", "/oauth", "POST"],
    ["DELETE", "/pay/x", "GET, HEAD, POST"],
  ])("%s %s is refused with what the address takes", async (method, path, allow) => {
    const response = await sim.fetch(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });

  test("HEAD answers as GET does, without a body", async () => {
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => sim.fetch(status, { method, headers: { authorization } })),
    );
    expect(head?.status).toBe(200);
    expect(head?.body).toBeNull();
    expect([...(head?.headers ?? [])]).toEqual([...(get?.headers ?? [])]);
  });
});

describe("a browser of another origin", () => {
  test("may ask before it sends, for any address and header, without a trace", async () => {
    const before = sim.snapshot();
    const response = await sim.fetch("/api/anything", {
      method: "OPTIONS",
      headers: { origin: "https://shop.example", "access-control-request-headers": "authorization,x-trace" },
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization,x-trace");
    expect(response.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(sim.snapshot()).toEqual(before);
  });

  test("sees answers and errors, and their headers that matter", async () => {
    const response = await sim.fetch(status, { headers: { origin: "https://shop.example" } });
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("www-authenticate");
  });
});

describe("an address that is nearly right is not found", () => {
  test.each([
    `${status}/`,
    `/${status}`,
    status.replace("/status", "//status"),
    status.toUpperCase(),
    "/",
    "//",
    "/api",
    "/api/payment-intent/",
    "/api/payment-intent/%/status",
    "/api/payment-intent/%ff/status",
    "/api/payment-intent/%2e%2e/status",
    "/%",
    "/__proto__",
    "/api/constructor",
    "/api/payment-intent/*/x",
    "/.well-known/",
  ])("%s", async (path) => {
    const before = worldOf(sim);
    const { status: code, body } = await answerOf(
      await sim.fetch(`${sim.baseUrl}${path}`, { headers: { authorization } }),
    );
    expect([code, body["code"]]).toEqual([404, "NOT_FOUND"]);
    expect(worldOf(sim)).toEqual(before);
  });

  test.each(["a%2Fb", "%00", "__proto__", "constructor", "%F0%9F%92%B3", "x".repeat(10_000)])(
    "an intent called %s does not exist",
    async (name) => {
      const { status: code, body } = await callWith(access, sim, `/api/payment-intent/${name}/status`);
      expect([code, body["code"]]).toEqual([404, "INTENT_NOT_FOUND"]);
    },
  );

  test("an id may be percent-encoded, and a query or fragment does no harm", async () => {
    const escaped = Array.from(String(id), (letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    expect((await callWith(access, sim, `/api/payment-intent/${escaped}/status?a=1&a=2#top`)).status).toBe(200);
  });
});

describe("versions", () => {
  test("version headers are ignored, and noted", async () => {
    const noted = createSimulator();
    const token = (await tokensOf(noted)).access;
    expect(
      (
        await callWith(
          token,
          noted,
          "/api/payment-intent",
          { amount: 1 },
          { "stripe-version": "2020-01-01", "accept-version": "2" },
        )
      ).status,
    ).toBe(200);
    const warning = noted.journal.entries.find(({ kind }) => kind === "warning");
    expect(warning?.details["message"]).toBe("the service has no versions; ignored: accept-version, stripe-version");
    expect(noted.assumptions.used().map(({ id: used }) => used)).toContain("http.versioning");
  });
});

describe("headers", () => {
  test.each([
    ["authorization", "\u00ff".repeat(100)],
    ["authorization", `Bearer ${"a".repeat(100_000)}`],
    ["x-admin-key", "' OR 1=1 --"],
    ["idempotency-key", "\u00e9"],
    ["content-length", "-1"],
    ["content-type", 'application/json; charset="utf-8'],
    ["transfer-encoding", "chunked"],
  ])("garbage in %s is answered", async (name, value) => {
    const response = await sim.fetch("/api/payment-intent", {
      method: "POST",
      headers: { authorization, "content-type": "application/json", [name]: value },
      body: '{"amount":1}',
    });
    expect([200, 401]).toContain(response.status);
  });

  test("a request that was called off is not answered", async () => {
    const reason = new Error("called off");
    await expect(sim.fetch(status, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
