import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import type { SimulatorServer } from "centavo/server";
import { beforeEach, describe, expect, test } from "vitest";
import { errorOf, open, raw, served, worlds } from "../server/served.ts";

let server: SimulatorServer;

beforeEach(async () => {
  server = await served();
  for (const name of ["a", "b"]) await open(server, name);
});

/** Returns the body that a target is answered with, exactly as it is written. */
async function answerTo(target: string, method = "GET", ...headers: readonly string[]): Promise<string> {
  const lines = [`${method} ${target} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", ""];
  return raw(server, lines.join("\r\n"), /\0/);
}

async function issuerAt(target: string): Promise<string | undefined> {
  return /"issuer":"([^"]+)"/.exec(await answerTo(target))?.[1]?.replace(server.url, "");
}

const KEYS = "/.well-known/oauth-authorization-server";

describe("a path leads to the world that its address names, once that is written in the usual way", () => {
  test.each([
    [`/worlds/a${KEYS}`, "/worlds/a"],
    [`/worlds/%61${KEYS}`, "/worlds/a"],
    [`/worlds/a/../b${KEYS}`, "/worlds/b"],
    [`/worlds/a/%2e%2e/b${KEYS}`, "/worlds/b"],
    [`/worlds/a/.%2E/b${KEYS}`, "/worlds/b"],
    [`/worlds\\a${KEYS}`, "/worlds/a"],
    [`/worlds/a/./${KEYS.slice(1)}`, "/worlds/a"],
    [`/worlds/a/../..${KEYS}`, ""],
    [`/worlds/../../..${KEYS}`, ""],
    [`/other/..${KEYS}`, ""],
  ])("%s", async (target, path) => {
    expect(await issuerAt(target)).toBe(path);
  });
});

describe("a path that is written in no usual way leads to no world", () => {
  test.each([
    `/worlds//a${KEYS}`,
    `/worlds${KEYS}`,
    `/worlds/a%2f..%2fb${KEYS}`,
    `/worlds/a%2f${KEYS}`,
    `/worlds/%2e%2e%2fb${KEYS}`,
    `/worlds/%252e%252e/b${KEYS}`,
    `/worlds/a%00${KEYS}`,
    `/worlds/%zz${KEYS}`,
    `/worlds/a;x${KEYS}`,
    `/worlds/A${KEYS}`,
    `/Worlds/a${KEYS}`,
    `/worlds/%20a${KEYS}`,
    `/worlds/ａ${KEYS}`,
    `/worlds/${"a".repeat(10_000)}${KEYS}`,
    `/worlds/constructor${KEYS}`,
    `/worlds/__proto__${KEYS}`,
    `/worlds/toString${KEYS}`,
    `/worlds/undefined${KEYS}`,
    `//worlds/a${KEYS}`,
    `/worlds/a/${KEYS}`,
    `/worlds/a${KEYS}/`,
    `/worlds/a/worlds/b${KEYS}`,
    `/.well-known/oauth-authorization-server/worlds/a/b`,
    `/.well-known/oauth-authorization-server/worlds/`,
  ])("%s", async (target) => {
    expect(await issuerAt(Buffer.from(target).toString("latin1"))).toBeUndefined();
    expect(await answerTo(Buffer.from(target).toString("latin1"))).toMatch(/^HTTP\/1.1 40[04] /);
  });
});

test("a world without a slash behind its name is the root of the world, as the server's is", async () => {
  const rootOf = async (target: string) => (await answerTo(target)).replace(/^.*\r\n\r\n/s, "");
  expect(await rootOf("/worlds/a")).toBe(await rootOf("/worlds/a/"));
  expect(await answerTo("/worlds/a?x=/worlds/b")).toMatch(/^HTTP\/1.1 404 /);
  expect(await rootOf("/worlds/a")).toBe(await rootOf("/"));
});

test("HEAD and OPTIONS reach a world as they reach the service", async () => {
  expect(await answerTo(`/worlds/a${KEYS}`, "HEAD")).toMatch(/^HTTP\/1.1 200 .*content-length: \d\d+.*\r\n\r\n$/s);
  expect(await answerTo("/worlds/a/api/transactions", "OPTIONS")).toMatch(/^HTTP\/1.1 204 /);
  expect(await answerTo("/worlds/c/api/transactions", "OPTIONS")).toMatch(/^HTTP\/1.1 404 /);
  expect(await answerTo("*", "OPTIONS")).toMatch(/^HTTP\/1.1 204 /);
  expect(await answerTo("/_centavo/worlds/a", "OPTIONS", `Authorization: Bearer ${server.token}`)).toMatch(
    /^HTTP\/1.1 405 /,
  );
  expect(await answerTo("/_centavo/worlds/a", "HEAD", `Authorization: Bearer ${server.token}`)).toMatch(
    /^HTTP\/1.1 200 .*\r\n\r\n$/s,
  );
});

describe("the control API and the management of worlds take no path that only resembles theirs", () => {
  test.each([
    "/worlds/a/../../_centavo/worlds",
    "/_centavo/%61pi/v1/clock",
    "/%5fcentavo/worlds",
    "//_centavo/worlds",
    "/_centavo//worlds",
    "/_centavo/worlds/a",
    "/_CENTAVO/worlds",
    "/worlds/a/_centavo/worlds/b",
    "/worlds/a/_centavo/../_centavo/api/v1/clock",
    "/worlds/a/%5fcentavo/api/v1/clock",
    "/worlds/a/_centavo/api/v2/clock",
    "/_centavo/inspector",
    "/_centavo/inspector/worlds",
    "/_centavo/inspector/run",
    "/_centavo/%69nspector/run",
    "/worlds/a/_centavo/inspector/worlds",
    "/worlds/a/_centavo/inspector/run",
    "/worlds/a/_centavo/",
  ])("%s without a token", async (target) => {
    expect(await answerTo(target)).toMatch(/^HTTP\/1.1 40[14] /);
  });
});

describe("a name of a world", () => {
  test.each(["a.b-c_d", "A", "__proto__", "constructor", "toString", "0", "a".repeat(64), "_"])(
    "may be %s",
    async (name) => {
      const { baseUrl } = await open(server, name);
      expect(baseUrl).toBe(`${server.url}/worlds/${name}`);
      expect(await issuerAt(`/worlds/${name}${KEYS}`)).toBe(`/worlds/${name}`);
      expect((await worlds(server, `/${name}`, "DELETE")).status).toBe(204);
      expect(await issuerAt(`/worlds/${name}${KEYS}`)).toBeUndefined();
    },
  );

  test.each([
    ".hidden",
    "...",
    "-x",
    "a b",
    "a%20b",
    "ä",
    "日本",
    "a%2fb",
    "%2e%2e%2fa",
    "%00",
    "a".repeat(65),
    "a".repeat(10_000),
  ])("is not %j", async (name) => {
    const refused = await errorOf(await worlds(server, `/${name}`, "PUT", {}));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_OPTION" });
    expect(refused.message).toContain("The name of a world has 1 to 64 letters");
  });

  test.each(["", "a/b", "a\\b", "a/", "/a"])("is one part of a path, and not %j", async (name) => {
    expect((await worlds(server, `/${name}`, "PUT", {})).status).toBe(404);
    expect((await worlds(server, "", "GET").then((response) => response.text())).match(/"name"/g)).toHaveLength(2);
  });

  test("may be percent-encoded, as in its address", async () => {
    expect(await errorOf(await worlds(server, "/%61", "PUT", { seed: 2 }))).toMatchObject({ status: 409 });
  });
});

describe("the default world under a base URL with a path", () => {
  const baseUrl = "https://pay.example/sandbox";

  test("answers as before at the server's own address", async () => {
    await using other = await serve(createSimulator({ baseUrl }));
    const answer = await fetch(other.url + KEYS);
    expect(await answer.json()).toMatchObject({ issuer: other.url });
  });

  test("names the base URL behind a proxy that takes the path away", async () => {
    await using other = await serve(createSimulator({ baseUrl }), { baseUrl });
    expect(await (await fetch(other.url + KEYS)).json()).toMatchObject({ issuer: baseUrl });
    expect((await open(other, "a")).baseUrl).toBe(`${baseUrl}/worlds/a`);
  });

  test("is refused where the simulator has another, which would answer 404 to everything", async () => {
    await expect(serve(createSimulator(), { baseUrl })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("Give createSimulator the same baseUrl") as string,
    });
  });

  test.each([
    "pay.example",
    "ftp://pay.example",
    "https://pay.example?x",
    "https://pay.example#x",
    "https://me@pay.example",
  ])("%s is no base URL", async (wrong) => {
    await expect(serve(createSimulator(), { baseUrl: wrong })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
});
