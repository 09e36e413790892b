import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { intercept, type Network } from "centavo/node";
import { ProxyAgent, request } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clients } from "./clients.ts";
import { echoService, type EchoService } from "../../ways-in/echo-service.ts";

let service: EchoService;
let network: Network;
let server: http.Server;
let port: number;

beforeEach(async () => {
  service = echoService("https://api.pay.example/v1");
  server = http.createServer(({ method, url }, response) => response.end(`real ${method} ${url}`));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  ({ port } = server.address() as AddressInfo);
  network = intercept(service);
});

afterEach(() => {
  network.close();
  server.closeAllConnections();
  server.close();
});

/** The messages of an error and of all its causes. */
function messages(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messages(error.cause)}` : "";
}

describe.each(clients)("$name", ({ call }) => {
  test.each(["127.0.0.1", "localhost", "[::1]"])("reaches a real server on %s", async (host) => {
    const answer = await call(`http://${host}:${port}/hooks`, { method: "POST", body: "x" }).catch(messages);
    expect(answer).toMatchObject({ status: 200, body: "real POST /hooks" });
  });

  test("is refused any other host, by an error that names the URL and the option", async () => {
    const error: unknown = await call("https://elsewhere.example/path?q=1").catch((reason: unknown) => reason);
    expect(messages(error)).toContain("refused GET https://elsewhere.example/path?…");
    expect(messages(error)).toContain('{ allow: ["https://elsewhere.example"] }');
  });

  test("is refused paths outside the service's base path", async () => {
    const error: unknown = await call("https://api.pay.example/v10/thing").catch((reason: unknown) => reason);
    expect(messages(error)).toContain("only https://api.pay.example/v1 and the paths below it are simulated");
    expect((await call("https://api.pay.example/v1")).status).toBe(200);
    expect((await call("https://api.pay.example/v1/thing")).status).toBe(200);
    expect(service.seen).toHaveLength(2);
  });
});

test.each(["127.0.0.2", "0.0.0.0", "[::ffff:127.0.0.1]", "shop.localhost"])(
  "%s counts as this machine",
  async (host) => {
    const answer: unknown = await fetch(`http://${host}:${port}/`).then((response) => response.text(), messages);
    expect(answer).not.toContain("Centavo refused");
  },
);

test("a Unix socket is reached for real", async () => {
  const socketPath = join(tmpdir(), `centavo-${process.pid}.sock`);
  const local = http.createServer((_request, response) => response.end("unix"));
  await new Promise<void>((resolve) => local.listen(socketPath, resolve));
  const body = await new Promise((resolve, reject) => {
    http
      .get({ socketPath, path: "/", host: "elsewhere.example" }, (response) =>
        response.setEncoding("utf8").on("data", resolve),
      )
      .on("error", reject);
  });
  expect(body).toBe("unix");
  local.closeAllConnections();
  local.close();
});

test("a client that uses a proxy is told to bypass it", async () => {
  const dispatcher = new ProxyAgent("http://proxy.example:3128");
  const error: unknown = await request("https://api.pay.example/v1/thing", { dispatcher }).catch(
    (reason: unknown) => reason,
  );
  expect(messages(error)).toContain("cannot be simulated behind a proxy: add its host to NO_PROXY");
  await dispatcher.destroy();
});

describe("allow", () => {
  // Port 1 of loopback refuses: an allowed request ends in ECONNREFUSED, a refused one in UNEXPECTED_REQUEST.
  const lookup: http.RequestOptions["lookup"] = (_host, options, done) => {
    if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
    else done(null, "127.0.0.1", 4);
  };
  const codeFor = (url: string) =>
    new Promise<string | undefined>((resolve) => {
      const client = url.startsWith("https:") ? https : http;
      client
        .get(url, { lookup }, (response) => {
          response.resume();
          resolve(String(response.statusCode));
        })
        .on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });

  beforeEach(() => network.close());

  test.each([
    ["an origin", ["http://other.example:1"]],
    ["a URL object", [new URL("http://other.example:1")]],
    ["an expression over the whole URL", [/^http:\/\/other\.example:1\/allowed/]],
    ["a URL with a path", ["http://other.example:1/allowed"]],
  ])("lets requests out by %s", async (_how, allow) => {
    network = intercept(service, { allow });
    expect(await codeFor("http://other.example:1/allowed/thing")).toBe("ECONNREFUSED");
    expect(await codeFor("http://another.example:1/allowed/thing")).toBe("UNEXPECTED_REQUEST");
  });

  test("covers no more than the path it names", async () => {
    network = intercept(service, { allow: ["http://other.example:1/allowed"] });
    expect(await codeFor("http://other.example:1/secret")).toBe("UNEXPECTED_REQUEST");
    expect(await codeFor("http://other.example:1/allowedness")).toBe("UNEXPECTED_REQUEST");
  });

  test("reaches the real server behind the name", async () => {
    network = intercept(service, { allow: [`http://other.example:${port}`] });
    expect(await codeFor(`http://other.example:${port}/`)).toBe("200");
  });

  test("opens paths outside the service's base path", async () => {
    network = intercept(echoService("http://api.pay.example:1/v1"), { allow: ["http://api.pay.example:1"] });
    expect(await codeFor("http://api.pay.example:1/other")).toBe("ECONNREFUSED");
    expect(await codeFor("http://api.pay.example:1/v1/other")).toBe("200");
  });

  test("refuses a host without its scheme, which would allow nothing", () => {
    expect(() => intercept(service, { allow: ["other.example"] })).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"https://other.example"') as string,
      }),
    );
    expect(() => intercept(service, { allow: ["localhost:3000"] })).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });
});
