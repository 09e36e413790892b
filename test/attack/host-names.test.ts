import { serve } from "centavo/server";
import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { errorOf, open, raw, rawStatus, served, worlds } from "../server/served.ts";

const KEYS = "/.well-known/jwks.json";

describe("a name of this machine gets in", () => {
  test.each([
    "localhost",
    "LOCALHOST:4010",
    "localhost.:4010",
    "shop.localhost",
    "127.0.0.1",
    "127.255.0.1:80",
    "0x7f.1",
    "2130706433",
    "[::1]:4010",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
  ])("%s", async (host) => {
    expect(await rawStatus(await served(), `GET ${KEYS} HTTP/1.1`, `Host: ${host}`)).toBe(200);
  });
});

describe("a name that an attacker's resolver lets lead here gets nowhere", () => {
  test.each([
    "evil.example",
    "EVIL.example.",
    "evil.example:4010",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "evil.example@127.0.0.1",
    "localhost/evil.example",
    "localhost\\@evil.example",
    "localhost#evil.example",
    "localhost?evil.example",
    "localhost, evil.example",
    "localhost evil.example",
    "localhost:4010:4010",
    "localhost:",
    "localhost:port",
    "10.0.0.7",
    "[::ffff:10.0.0.7]",
    "[fe80::1]",
    "169.254.169.254",
    "notlocalhost",
    "xn--lcalhost-54a",
    "löcalhost",
    "%6cocalhost",
    "*",
    "",
  ])("%j", async (host) => {
    const server = await served();
    for (const path of [KEYS, "/_centavo/api/v1/clock", "/_centavo/worlds", "/worlds/a/"])
      expect(
        await rawStatus(server, `GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${server.token}`),
      ).toBeOneOf([400, 421]);
  });
});

test("two Host headers get nowhere, whichever comes first", async () => {
  const server = await served();
  for (const [one, other] of [
    ["localhost", "evil.example"],
    ["evil.example", "localhost"],
    ["localhost", "localhost"],
  ])
    expect(await rawStatus(server, `GET ${KEYS} HTTP/1.1`, `Host: ${one}`, `host: ${other}`)).toBeOneOf([400, 421]);
});

test("what a whole URL names counts, and not the header beside it", async () => {
  const server = await served();
  const statusOf = (target: string, host: string) => rawStatus(server, `GET ${target} HTTP/1.1`, `Host: ${host}`);
  expect(await statusOf(`http://evil.example${KEYS}`, "localhost")).toBe(421);
  expect(await statusOf(`http://localhost${KEYS}`, "evil.example")).toBe(200);
  expect(await statusOf(`http://localhost@evil.example${KEYS}`, "localhost")).toBe(421);
});

test("a request without a host gets nowhere", async () => {
  expect(await rawStatus(await served(), `GET ${KEYS} HTTP/1.0`)).toBe(421);
  expect(await rawStatus(await served(), `GET ${KEYS} HTTP/1.1`)).toBe(400);
});

test("the answer names the host and the way out", async () => {
  const server = await served();
  const answer = await raw(server, `GET ${KEYS} HTTP/1.1\r\nHost: evil.example\r\n\r\n`, /\}$/);
  expect(answer).toContain(
    'does not answer under the host name \\"evil.example\\". Start it with --allow-host for that name, or the option allowedHosts.',
  );
});

describe("a host that is named gets in", () => {
  test.each([
    ["Centavo", "centavo"],
    ["centavo", "CENTAVO.:4010"],
    ["centavo.", "centavo"],
    ["centavo:4010", "centavo:4010"],
    ["centavo:80", "centavo"],
    ["10.0.0.7", "10.0.0.7:4010"],
    ["fd00::7", "[fd00:0::7]:4010"],
    ["[fd00::7]:4010", "[fd00::7]:4010"],
    ["bücher.example", "xn--bcher-kva.example"],
  ])("%s: %s", async (allowed, host) => {
    const server = await served({ allowedHosts: [allowed] });
    expect(await rawStatus(server, `GET ${KEYS} HTTP/1.1`, `Host: ${host}`)).toBe(200);
  });

  test.each([
    ["centavo:4010", "centavo"],
    ["centavo:4010", "centavo:4011"],
    ["centavo", "centavo.evil.example"],
    ["centavo", "evil.centavo"],
    ["10.0.0.7", "10.0.0.70"],
  ])("%s, and not another: %s", async (allowed, host) => {
    const server = await served({ allowedHosts: [allowed] });
    expect(await rawStatus(server, `GET ${KEYS} HTTP/1.1`, `Host: ${host}`)).toBe(421);
  });

  test("as does the host of the base URL", async () => {
    const server = await served({ baseUrl: "https://pay.example" });
    expect(await rawStatus(server, `GET ${KEYS} HTTP/1.1`, "Host: pay.example")).toBe(200);
    expect(await rawStatus(server, `GET ${KEYS} HTTP/1.1`, "Host: example")).toBe(421);
  });
});

test.each([["http://centavo"], ["centavo/path"], [""], ["*"], ["*.example"], ["a b"], ["user@centavo"], [4010]])(
  "an entry that names no host is refused: %j",
  async (entry) => {
    await expect(serve(createSimulator(), { allowedHosts: [entry as string] })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("The option allowedHosts has the entry") as string,
    });
  },
);

test("a named world is as closed as the default one", async () => {
  const server = await served();
  await open(server, "a");
  expect(await rawStatus(server, `GET /worlds/a${KEYS} HTTP/1.1`, "Host: evil.example")).toBe(421);
  expect(await rawStatus(server, `GET /worlds/a${KEYS} HTTP/1.1`, "Host: localhost")).toBe(200);
});

describe("health and readiness", () => {
  test.each(["/_centavo/health", "/_centavo/ready"])(
    "%s needs no host and no token, and tells nothing",
    async (path) => {
      const server = await served({ token: "a-token-that-is-secret" }, { seed: "a-seed-that-is-secret" });
      await open(server, "a-world");
      for (const lines of [
        [`GET ${path} HTTP/1.0`],
        [`GET ${path} HTTP/1.1`, "Host: 10.0.0.7", "Origin: http://evil.example"],
      ]) {
        const answer = await raw(server, `${lines.join("\r\n")}\r\n\r\n`, /\}$/);
        expect(answer).toMatch(/^HTTP\/1\.[01] 200 .*\r\n\r\n\{"status":"ok"\}$/s);
        expect(answer).not.toMatch(/secret|a-world|access-control|centavo/i);
      }
      expect(await raw(server, `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 .*\r\n\r\n$/s);
    },
  );

  test.each(["/_centavo/health/", "/_centavo/health/x", "/_centavo/healthy", "/_centavo/HEALTH"])(
    "%s is neither",
    async (path) => {
      expect(await rawStatus(await served(), `GET ${path} HTTP/1.1`, "Host: evil.example")).toBe(421);
      expect(await rawStatus(await served(), `GET ${path} HTTP/1.1`, "Host: localhost")).toBe(401);
    },
  );
});

test("the management of worlds takes the token and no other", async () => {
  const server = await served();
  const statusWith = async (authorization: string) =>
    (await fetch(`${server.url}/_centavo/worlds`, { headers: { authorization } })).status;
  expect(await statusWith(`bearer ${server.token}`)).toBe(200);
  for (const wrong of [
    "",
    "x",
    server.token.slice(0, -1),
    `${server.token}x`,
    `${server.token} x`,
    server.token.toUpperCase(),
  ])
    expect(await statusWith(`Bearer ${wrong}`), wrong).toBe(401);
  expect(await statusWith(`Basic ${server.token}`)).toBe(401);
  const { status, message } = await errorOf(await worlds({ ...server, token: "guessed-by-somebody" }, "", "GET"));
  expect([status, message]).toEqual([401, expect.not.stringContaining("guessed")]);
});
