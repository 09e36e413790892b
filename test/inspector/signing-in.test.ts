import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { describe, expect, test } from "vitest";
import { CODE_MINUTES, OneTimeCodes } from "../../src/server/inspector/codes.ts";
import { errorOf, served } from "../server/served.ts";
import { Page, signIn } from "./page.ts";

test("the page stands at /_centavo for anybody, holds no data, and may do nothing but call its own server", async () => {
  const server = await served({ token: "a-token-that-is-secret" }, { seed: "a-seed-that-is-secret" });
  for (const path of ["/_centavo", "/_centavo/"]) {
    const page = await fetch(server.url + path);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const html = await page.text();
    expect(html.startsWith("<!doctype html>")).toBe(true);
    expect(html.includes("that-is-secret")).toBe(false);
    const policy = (page.headers.get("content-security-policy") ?? "").split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
    });
  }
  expect((await fetch(`${server.url}/_centavo`, { method: "POST" })).status).toBe(405);
});

test("an address lets one browser in, whose cookie no script and no other site can use", async () => {
  const server = await served();
  const address = server.inspectorUrl();
  expect(address).toMatch(new RegExp(String.raw`^${server.url}/_centavo#code=[\w-]{32}$`));
  const answer = await signIn(address);
  const { port } = new URL(server.url);
  expect(answer.status).toBe(204);
  expect(answer.headers.get("set-cookie")).toMatch(
    new RegExp(String.raw`^centavo-inspector-${port}=[\w-]{32}; Path=/; HttpOnly; SameSite=Strict$`),
  );
  const again = await signIn(address);
  expect(again.headers.get("set-cookie")).toBeNull();
  expect(await errorOf(again)).toMatchObject({
    status: 401,
    code: "UNAUTHORIZED",
    message: expect.stringContaining("POST /_centavo/api/v1/inspector with the control token") as string,
  });
});

test("each address is another, and all of them work", async () => {
  const server = await served();
  const addresses = [server.inspectorUrl(), server.inspectorUrl()];
  expect(addresses[0]).not.toBe(addresses[1]);
  const pages = await Promise.all(addresses.map((address) => Page.at(address)));
  expect(pages[0]?.cookie).not.toBe(pages[1]?.cookie);
});

test("a server that browsers reach by TLS marks its cookie as secure, and prints its base URL", async () => {
  const server = await served({ baseUrl: "https://pay.example" }, { baseUrl: "https://pay.example" });
  const address = server.inspectorUrl();
  expect(address).toMatch(/^https:\/\/pay\.example\/_centavo#code=/);
  const answer = await signIn(server.url + new URL(address).pathname + new URL(address).hash);
  expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
});

test.each([["{}"], ['{"code":3}'], ['"code"'], ["[]"], ["not JSON"], [""]])(
  "a body without a code is refused: %s",
  async (body) => {
    const server = await served();
    const refused = await fetch(`${server.url}/_centavo/inspector/sign-in`, {
      method: "POST",
      headers: { origin: server.url },
      body,
    });
    expect(await errorOf(refused)).toMatchObject({ status: 400, code: "INVALID_OPTION" });
  },
);

test("a browser that is signed in has all of the control API, of the server and of each world", async () => {
  const server = await served();
  const page = await Page.of(server);
  const opened = await page.fetch("/_centavo/worlds/a", { method: "PUT", body: "{}" });
  expect(opened.status).toBe(201);
  for (const path of ["/_centavo/api/v1/clock", "/worlds/a/_centavo/api/v1/clock", "/_centavo/worlds"])
    expect((await page.fetch(path)).status).toBe(200);
  const moved = await page.fetch("/worlds/a/_centavo/api/v1/clock/advance", {
    method: "POST",
    body: JSON.stringify({ duration: "1 day" }),
  });
  expect(await moved.json()).toEqual({ now: "2026-01-02T00:00:00.000Z" });
});

describe("a browser that signs out", () => {
  test("is out, and the others are not", async () => {
    const server = await served();
    const [page, other] = [await Page.of(server), await Page.of(server)];
    const out = await page.fetch("/_centavo/inspector/sign-out", { method: "POST" });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([
      204,
      `${page.cookie.split("=")[0]}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ]);
    expect((await page.fetch("/_centavo/api/v1/clock")).status).toBe(401);
    expect((await other.fetch("/_centavo/api/v1/clock")).status).toBe(200);
  });

  test.each(["/_centavo/inspector/worlds", "/_centavo/inspector/run", "/_centavo/api/v1/journal"])(
    "gets nothing more of %s",
    async (path) => {
      const sim = createSimulator();
      sim.faults.add({ kind: "response.lost" });
      await using server = await serve(sim);
      const page = await Page.of(server);
      const events = page.follow(path);
      await events.next();
      await page.fetch("/_centavo/inspector/sign-out", { method: "POST" });
      const rest = [];
      for await (const { event } of events) rest.push(event);
      expect(rest).not.toContain("end");
    },
  );
});

test("a browser is signed in to one server alone, and not after it has started again", async () => {
  const [server, other] = [await served(), await served()];
  const page = await Page.of(server);
  const { port } = new URL(other.url);
  const cookie = page.cookie.replace(/^centavo-inspector-\d+/, `centavo-inspector-${port}`);
  for (const sent of [page.cookie, cookie, `${page.cookie}; ${cookie}`])
    expect((await fetch(`${other.url}/_centavo/worlds`, { headers: { cookie: sent } })).status).toBe(401);
});

describe("a code", () => {
  test("works for some minutes", () => {
    let now = 0;
    const codes = new OneTimeCodes(() => now);
    const [first, second] = [codes.make(), codes.make()];
    now = CODE_MINUTES * 60_000 - 1;
    expect(codes.use(first)).toBe(true);
    now += 1;
    expect(codes.use(second)).toBe(false);
  });

  test("is forgotten when others are guessed", async () => {
    const server = await served();
    const address = server.inspectorUrl();
    for (let count = 0; count < 20; count += 1)
      expect((await signIn(`${server.url}/_centavo#code=guess-${count}`)).status).toBe(401);
    expect((await signIn(address)).status).toBe(401);
    expect((await signIn(server.inspectorUrl())).status).toBe(204);
  });

  test("is forgotten when many others wait", async () => {
    const server = await served();
    const [first = "", ...others] = Array.from({ length: 17 }, () => server.inspectorUrl());
    expect((await signIn(first)).status).toBe(401);
    expect((await signIn(others[0] ?? "")).status).toBe(204);
  });
});

test("a browser stays in when another server of this host, or a page of it, sets a cookie of the same name", async () => {
  const server = await served();
  const page = await Page.of(server);
  const [name = ""] = page.cookie.split("=");
  for (const cookie of [`${name}=other; ${page.cookie}`, `${page.cookie}; ${name}=`, `a=b;${page.cookie};${name}`])
    expect((await page.fetch("/_centavo/api/v1/clock", { headers: { cookie } })).status).toBe(200);
});

test("64 browsers are in, and another one takes the place of the first", async () => {
  const server = await served();
  const pages: Page[] = [];
  for (let count = 0; count < 65; count += 1) pages.push(await Page.of(server));
  const statuses = await Promise.all(pages.map(async (page) => (await page.fetch("/_centavo/worlds")).status));
  expect(statuses).toEqual([401, ...Array.from({ length: 64 }, () => 200)]);
});

test("a browser may have many streams, and none is left when it signs out", async () => {
  const server = await served();
  const page = await Page.of(server);
  const warnings: Error[] = [];
  const warn = (warning: Error): unknown => warnings.push(warning);
  process.on("warning", warn);
  const streams = Array.from({ length: 30 }, () => page.follow("/_centavo/inspector/run"));
  await Promise.all(streams.map((stream) => stream.next()));
  await page.fetch("/_centavo/inspector/sign-out", { method: "POST" });
  for (const stream of streams) for await (const { event } of stream) expect(event).toBe("state");
  process.off("warning", warn);
  expect(warnings).toEqual([]);
});

test("whoever has the control token gets another address, and so does a browser that is signed in", async () => {
  const server = await served();
  const path = "/_centavo/api/v1/inspector";
  const asked = await fetch(server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(asked.status).toBe(201);
  const page = await Page.at(((await asked.json()) as { readonly url: string }).url);
  const other = (await (await page.fetch(path, { method: "POST" })).json()) as { readonly url: string };
  expect((await signIn(other.url)).status).toBe(204);
  expect((await fetch(server.url + path, { method: "POST" })).status).toBe(401);
});
