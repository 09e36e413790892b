import { createServer } from "node:http";
import { createSimulator } from "centavo";
import type { MerchantApp } from "centavo";
import express from "express";
import { describe, expect, test } from "vitest";

const shop = "https://shop.example";
const echo: MerchantApp = async (request: Request) =>
  Response.json({
    method: request.method,
    url: request.url,
    type: request.headers.get("content-type"),
    body: await request.text(),
  });

describe("a visit", () => {
  test("is a URL or a path with what fetch takes, or a method, a path and JSON", async () => {
    await using sim = createSimulator();
    sim.connect(shop, echo);
    const { visit } = sim;
    const bare = { method: "GET", url: `${shop}/orders/1?page=2`, type: null, body: "" };
    expect(await json(visit("/orders/1?page=2"))).toEqual(bare);
    expect(await json(visit(`${shop}/orders/1?page=2`))).toEqual(bare);
    expect(await json(visit(new URL("/orders/1?page=2", shop)))).toEqual(bare);
    expect(await json(visit("get", "/orders/1?page=2"))).toEqual(bare);
    const order = { method: "POST", url: `${shop}/orders`, type: "application/json", body: '{"id":"1"}' };
    expect(await json(visit("POST", "/orders", { id: "1" }))).toEqual(order);
    expect(await json(visit("POST", `${shop}/orders`, { id: "1" }))).toEqual(order);
    const init = { method: "POST", body: '{"id":"1"}', headers: { "content-type": "application/json" } };
    expect(await json(visit("/orders", init))).toEqual(order);
    expect(await json(visit(new Request(`${shop}/orders`, init)))).toEqual(order);
  });

  test("gets the whole answer, with its redirect, its headers and a long body of any bytes", async () => {
    await using sim = createSimulator();
    const app = express();
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 256));
    app.get("/image", (_req, res) => void res.type("image/png").send(bytes));
    app.get("/old", (_req, res) => res.redirect(303, "/new"));
    sim.connect(shop, app);
    const image = await sim.visit("/image");
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await image.arrayBuffer()).equals(bytes)).toBe(true);
    const redirect = await sim.visit("/old");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([303, "/new"]);
  });

  test("is in the timeline and not in the digest", async () => {
    await using sim = createSimulator();
    sim.connect(shop, () => new Response(null, { status: 404 }));
    const before = sim.journal.digest();
    await sim.visit("/orders/1");
    expect(String(sim.journal)).toContain(`GET ${shop}/orders/1: answered 404`);
    expect(sim.journal.digest()).toBe(before);
  });

  test("rejects with what the app threw as the cause", async () => {
    await using sim = createSimulator();
    const cause = new RangeError("no such order");
    sim.connect(shop, () => {
      throw cause;
    });
    await expect(sim.visit("/orders/1")).rejects.toMatchObject({
      code: "VISIT_FAILED",
      message: `The app threw on GET ${shop}/orders/1: no such order. What it threw is the cause of this error.`,
      cause,
    });
    expect(String(sim.journal)).toContain(`GET ${shop}/orders/1: the app threw no such order`);
  });

  test("rejects with the reason of its signal", async () => {
    await using sim = createSimulator();
    sim.connect(shop, () => new Promise<Response>(() => undefined));
    const giveUp = new AbortController();
    const visit = sim.visit("/orders/1", { signal: giveUp.signal });
    giveUp.abort(new Error("the customer left"));
    await expect(visit).rejects.toThrow("the customer left");
  });

  test("of a place without an app says how to connect one", async () => {
    await using sim = createSimulator();
    await expect(sim.visit("/orders")).rejects.toMatchObject({
      code: "NOT_CONNECTED",
      message: expect.stringContaining('sim.connect("https://shop.example", app)') as string,
    });
    await expect(sim.visit(`${shop}/orders`)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    sim.connect(shop, echo);
    sim.connect("https://admin.example", echo);
    await expect(sim.visit("/orders")).rejects.toMatchObject({
      code: "INVALID_URL",
      message: expect.stringContaining(`"${shop}/orders"`) as string,
    });
  });

  test.for<readonly [string, readonly unknown[]]>([
    ["a relative path", ["orders"]],
    ["another protocol", ["ftp://shop.example/orders"]],
    ["nothing", []],
    ["a number", [12]],
    ["a path without an origin of its own", ["//shop.example/orders"]],
    ["a method that is none", ["/orders", "/items"]],
  ])("refuses %s, and says what it takes", async ([, given]) => {
    await using sim = createSimulator();
    sim.connect(shop, echo);
    const visit = sim.visit as (...given: readonly unknown[]) => Promise<Response>;
    await expect(visit(...given)).rejects.toMatchObject({
      name: "CentavoError",
      message: expect.stringContaining("visit(") as string,
    });
  });
});

describe("an http.Server", () => {
  test("is an app: its request listeners answer, without its own port", async () => {
    await using sim = createSimulator();
    const server = createServer((request, response) => void response.end(`${request.method} ${request.url}`));
    sim.connect(shop, server);
    expect(await (await sim.visit("/orders")).text()).toBe("GET /orders");
    expect(server.listening).toBe(false);
  });
});

async function json(answer: Promise<Response>): Promise<unknown> {
  return (await answer).json();
}
