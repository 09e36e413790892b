import { readFile } from "node:fs/promises";
import https from "node:https";
import axios from "axios";
import { handlers } from "centavo/msw";
import { http, HttpResponse, passthrough, type RequestHandler } from "msw";
import { setupServer, type SetupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService } from "./echo-service.ts";

let server: SetupServer;

function listen(...list: RequestHandler[]): void {
  server = setupServer(...list);
  server.listen({ onUnhandledFrame: "error" });
}

async function from(url: string): Promise<unknown> {
  return (
    ((await fetch(url).then((response) => response.json())) as { from?: string; path?: string }).from ?? "simulator"
  );
}

beforeEach(() => {
  // MSW prints what it refuses and what a handler throws.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

const mine = http.get("https://api.pay.example/api/mine", () => HttpResponse.json({ from: "user" }));

describe("beside the user's own handlers", () => {
  test("one that stands before them wins", async () => {
    listen(mine, ...handlers(echoService()));
    expect(await from("https://api.pay.example/api/mine")).toBe("user");
    expect(await from("https://api.pay.example/api/other")).toBe("simulator");
  });

  test("one that stands after them does not", async () => {
    listen(...handlers(echoService()), mine);
    expect(await from("https://api.pay.example/api/mine")).toBe("simulator");
  });

  test("one that a test adds wins until it is reset", async () => {
    listen(...handlers(echoService()));
    server.use(mine);
    expect(await from("https://api.pay.example/api/mine")).toBe("user");
    server.resetHandlers();
    expect(await from("https://api.pay.example/api/mine")).toBe("simulator");
  });

  test("requests that are not a simulator's go on to them", async () => {
    listen(
      ...handlers(echoService("https://api.pay.example/v1")),
      http.all("https://*", () => HttpResponse.json({ from: "user" })),
    );
    expect(await from("https://api.pay.example/v1")).toBe("simulator");
    expect(await from("https://api.pay.example/v1/thing")).toBe("simulator");
    expect(await from("https://api.pay.example/v10/thing")).toBe("user");
    expect(await from("https://api.pay.example:8443/v1/thing")).toBe("user");
    expect(await from("https://shop.example/v1/thing")).toBe("user");
  });
});

test("there is one handler for each base URL", () => {
  listen();
  const one = echoService("https://one.example");
  const two = echoService("http://two.example:8080/v1", "https://auth.two.example");
  expect(handlers(one)).toHaveLength(1);
  expect(handlers([one, two])).toHaveLength(3);
});

test("two services at one base URL that nothing tells apart are refused", () => {
  listen();
  const [one, same] = [echoService("https://one.example"), echoService("https://one.example/")];
  expect(() => handlers([one, same])).toThrow(
    expect.objectContaining({
      code: "INTERCEPTION_CONFLICT",
      message: expect.stringContaining("handlers(): another service already answers https://one.example") as string,
    }),
  );
});

test("several services answer each for its own", async () => {
  const one = echoService("https://one.example");
  const two = echoService("http://two.example:8080/v1", "https://auth.two.example/(tenant)");
  listen(...handlers([one, two]));
  await fetch("https://one.example/a");
  await fetch("http://two.example:8080/v1/b");
  await fetch("https://auth.two.example/(tenant)/oauth", { method: "POST" });
  expect(one.seen.map(({ path }) => path)).toEqual(["/a"]);
  expect(two.seen.map(({ path }) => path)).toEqual(["/v1/b", "/(tenant)/oauth"]);
});

describe("a failure of the network reaches clients with its code", () => {
  test("axios", async () => {
    listen(...handlers(echoService()));
    await expect(axios.get("https://api.pay.example/reset")).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(axios.get("https://api.pay.example/refuse")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("node:https", async () => {
    listen(...handlers(echoService()));
    const error = await new Promise((resolve) => {
      https.get("https://api.pay.example/reset").on("error", resolve);
    });
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  test("an error inside the service is one too, not an answer with a stack", async () => {
    listen(...handlers(echoService()));
    await expect(fetch("https://api.pay.example/bug")).rejects.toMatchObject({
      message: "fetch failed",
      cause: { message: "secret detail" },
    });
  });
});

test("requests can be passed through by the user", async () => {
  const service = echoService("http://127.0.0.1:59999");
  listen(
    http.get("http://127.0.0.1:59999/real", () => passthrough()),
    ...handlers(service),
  );
  await expect(fetch("http://127.0.0.1:59999/real")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  expect(service.seen).toEqual([]);
});

test("answers carry their length, so that connections are kept", async () => {
  listen(...handlers(echoService()));
  const response = await axios.get<string>("https://api.pay.example/status/200", { adapter: "http" });
  expect(response.headers["content-length"]).toBe("10");
});

test("the entry and what it imports need nothing of Node, so that a service worker can use it", async () => {
  listen();
  for (const file of ["msw.ts", "answer.ts", "call-order.ts", "destinations.ts"]) {
    const source = await readFile(new URL(`../../src/adapters/${file}`, import.meta.url), "utf8");
    expect(source).not.toMatch(/from "node:/);
  }
});
