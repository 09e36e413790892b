import https from "node:https";
import axios from "axios";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { handlers } from "centavo/msw";
import type * as msw from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { echoService } from "../../ways-in/echo-service.ts";

/** The server of msw 2, as far as these tests use it. */
interface Server {
  listen(options: { readonly onUnhandledRequest: "error" | "bypass" }): void;
  use(...handlers: msw.RequestHandler[]): void;
  resetHandlers(): void;
  close(): void;
}

const { older } = vi.hoisted(() => ({ older: { load: undefined as unknown as (name: string) => unknown } }));
vi.mock("msw", async () => {
  const { createRequire: requireFrom } = await import("node:module");
  older.load = requireFrom(new URL("../../../installs/peers/msw-2/package.json", import.meta.url));
  return older.load("msw") as object;
});

const { http, HttpResponse } = await import("msw");
const { setupServer } = older.load("msw/node") as { setupServer: (...list: msw.RequestHandler[]) => Server };

let server: Server;

function listen(...list: msw.RequestHandler[]): void {
  server = setupServer(...list);
  server.listen({ onUnhandledRequest: "error" });
}

beforeEach(() => {
  // MSW prints what it refuses and what a handler throws.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

test("a payment is made through them", async () => {
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  listen(...handlers(sim));
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl });
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
  await sim.clock.settle();
  expect(await client.paymentIntents.status(id)).toMatchObject({ status: "succeeded" });
});

test("a test adds them to a server that refuses everything else", async () => {
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  listen();
  server.use(...handlers(sim));
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl });
  expect(await client.paymentIntents.create({ amount: 10000 })).toMatchObject({ status: "pending" });
});

test("every request of fetch, axios and node:https reaches the simulator whole", async () => {
  const service = echoService("https://api.pay.example/v1");
  listen(...handlers(service));
  await fetch("https://api.pay.example/v1/a?b=c", { method: "PUT", body: "text" });
  await axios.post("https://api.pay.example/v1/d", { e: 1 });
  await new Promise((resolve, reject) => {
    https.get("https://api.pay.example/v1/f", (answer) => answer.resume().on("end", resolve)).on("error", reject);
  });
  expect(service.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["PUT", "/v1/a", "text"],
    ["POST", "/v1/d", '{"e":1}'],
    ["GET", "/v1/f", ""],
  ]);
});

test("handlers of the user's own stand beside them, before, after and added", async () => {
  const from = (name: string) => () => HttpResponse.json({ from: name });
  listen(
    http.get("https://api.pay.example/before", from("before")),
    ...handlers(echoService()),
    http.get("https://shop.example/after", from("after")),
  );
  const read = async (url: string): Promise<unknown> => ((await (await fetch(url)).json()) as { from?: string }).from;
  expect(await read("https://api.pay.example/before")).toBe("before");
  expect(await read("https://shop.example/after")).toBe("after");
  expect(await read("https://api.pay.example/other")).toBeUndefined();
  server.use(http.get("https://api.pay.example/other", from("added")));
  expect(await read("https://api.pay.example/other")).toBe("added");
  server.resetHandlers();
  expect(await read("https://api.pay.example/other")).toBeUndefined();
});

test("a failure of the network reaches clients with its code", async () => {
  listen(...handlers(echoService()));
  await expect(axios.get("https://api.pay.example/reset")).rejects.toMatchObject({ code: "ECONNRESET" });
  await expect(fetch("https://api.pay.example/refuse")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await expect(fetch("https://api.pay.example/bug")).rejects.toMatchObject({ code: "ERR_CENTAVO_SERVICE" });
});
