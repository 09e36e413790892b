import { describe, expect, test } from "vitest";
import { errorOf, open, raw, rawStatus, served } from "../server/served.ts";

describe("what is too large is refused, and the server answers the next", () => {
  test.each([
    ["a URL of 100 kB", 431, [`GET /${"a".repeat(100_000)} HTTP/1.1`, "Host: localhost"]],
    ["a header of 100 kB", 431, ["GET / HTTP/1.1", "Host: localhost", `X-A: ${"a".repeat(100_000)}`]],
    [
      "headers without end",
      431,
      ["GET / HTTP/1.1", "Host: localhost", ...Array.from({ length: 20_000 }, () => "a: b")],
    ],
    ["a host of 10 kB", 421, ["GET / HTTP/1.1", `Host: ${"a".repeat(10_000)}`]],
    ["an origin of 10 kB", 403, ["GET / HTTP/1.1", "Host: localhost", `Origin: http://${"a".repeat(10_000)}`]],
    [
      "a token of 10 kB",
      401,
      ["GET /_centavo/worlds HTTP/1.1", "Host: localhost", `Authorization: Bearer ${"a".repeat(10_000)}`],
    ],
  ] as const)("%s", async (_what, status, lines) => {
    const server = await served();
    expect(await rawStatus(server, ...lines)).toBe(status);
    expect((await fetch(`${server.url}/_centavo/health`)).status).toBe(200);
  });

  test("an error repeats no more than a line of what it refuses", async () => {
    const server = await served();
    for (const line of [`Host: ${"a".repeat(10_000)}`, `Host: localhost\r\nOrigin: http://${"a".repeat(10_000)}`])
      expect((await raw(server, `GET / HTTP/1.1\r\n${line}\r\n\r\n`, /\}$/)).length).toBeLessThan(700);
    expect(
      (await raw(server, `GET /worlds/${"a".repeat(10_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, /\}$/)).length,
    ).toBeLessThan(700);
  });

  test.each([
    ["/api/payment-intent", "POST", 401],
    ["/oauth", "POST", 413],
    ["/worlds/a/oauth", "POST", 413],
    ["/_centavo/worlds/b", "PUT", 413],
    ["/worlds/c/oauth", "POST", 404],
  ])("a body of 10 MiB for %s leaves the connection usable", async (path, method, status) => {
    const server = await served();
    await open(server, "a");
    const headers = { authorization: `Bearer ${server.token}` };
    for (let count = 0; count < 2; count += 1) {
      const refused = await fetch(server.url + path, { method, headers, body: "a".repeat(10 * 1024 * 1024) });
      expect([refused.status, (await refused.text()).length < 1000]).toEqual([status, true]);
    }
  });

  test("a body of more than 64 MiB for the control API leaves the connection usable", async () => {
    const server = await served();
    const headers = { authorization: `Bearer ${server.token}` };
    const body = `{"snapshot":"${"a".repeat(64 * 1024 * 1024)}"}`;
    const refused = await fetch(`${server.controlUrl}/restore`, { method: "POST", headers, body });
    expect(await errorOf(refused)).toEqual({
      status: 413,
      code: "BODY_TOO_LARGE",
      message: "The body has more than 64 MiB.",
    });
    expect((await fetch(`${server.controlUrl}/clock`, { headers })).status).toBe(200);
  });

  test.each(["/_centavo/worlds/b", "/_centavo/api/v1/clock/advance", "/worlds/a/_centavo/api/v1/clock/advance"])(
    "a body for %s that is nested without end",
    async (path) => {
      const server = await served();
      await open(server, "a");
      for (const body of [
        "[".repeat(100_000),
        `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
        `[${"[".repeat(5000)}${"]".repeat(5000)}]`,
      ]) {
        const refused = await fetch(server.url + path, {
          method: path.startsWith("/_centavo/worlds") ? "PUT" : "POST",
          headers: { authorization: `Bearer ${server.token}` },
          body,
        });
        expect(refused.status).toBe(400);
      }
    },
  );

  test("a body of 65 MiB for the control API", async () => {
    const server = await served();
    const refused = await fetch(`${server.controlUrl}/restore`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}` },
      body: " ".repeat(65 * 1024 * 1024),
    });
    expect(await errorOf(refused)).toMatchObject({ status: 413, message: "The body has more than 64 MiB." });
    expect((await fetch(`${server.url}/_centavo/health`)).status).toBe(200);
  });

  test.each([
    ["fixtures/intent", "metadata"],
    ["customer/pay", "checkoutUrl"],
    ["faults", "body"],
    ["restore", "snapshot"],
  ])("a call of %s whose %s is nested without end", async (path, field) => {
    const server = await served();
    const refused = await fetch(`${server.controlUrl}/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}` },
      body: `{"${field}":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    });
    expect(await errorOf(refused)).toMatchObject({
      status: 400,
      message: "The body is nested deeper than 500 levels.",
    });
  });
});

describe("what is no request of HTTP", () => {
  test.each([
    ["two lengths", "POST /oauth HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
    [
      "a length and chunks",
      "POST /oauth HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a length below zero", "POST /oauth HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n"],
    ["a space before a colon", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"],
    ["another version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("as %s is refused, and ends the connection", async (_what, bytes) => {
    const server = await served();
    expect(await raw(server, bytes, /\0/)).toMatch(/^HTTP\/1.1 4\d\d .*\r\nconnection: close\r\n/is);
    expect((await fetch(`${server.url}/_centavo/health`)).status).toBe(200);
  });
});
