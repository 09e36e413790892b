import net from "node:net";
import { createSimulator } from "centavo";
import { serve, type SimulatorServer } from "centavo/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService, type EchoService } from "./echo-service.ts";

let service: EchoService;
let server: SimulatorServer;

beforeEach(async () => {
  service = echoService("https://api.pay.example");
  server = await serve(service);
});

afterEach(() => server.close());

/** Sends bytes as they are, and gives what comes back until the server ends the connection or the answer is there. */
function raw(bytes: string | Buffer, until = /\r\n\r\n/): Promise<string> {
  const { port, hostname } = new URL(server.url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      if (until.test(received)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

describe("the URL of a request", () => {
  test("is the server's own, even if Host names this machine in another way", async () => {
    await raw("GET /api/thing?x=1 HTTP/1.1\r\nHost: shop.localhost:1\r\n\r\n");
    expect(service.seen[0]?.url).toBe(`${server.url}/api/thing?x=1`);
  });

  test.each([
    ["//evil.example/path", "//evil.example/path"],
    ["http://localhost/path?q=1", "/path?q=1"],
    ["/a/../b", "/b"],
    ["/%zz?%zz", "/%zz?%zz"],
  ])("stays the server's for the target %s", async (target, path) => {
    await raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(service.seen[0]?.url).toBe(server.url + path);
  });

  test("is the root for OPTIONS *", async () => {
    await raw("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(service.seen[0]).toMatchObject({ method: "OPTIONS", url: `${server.url}/` });
  });
});

describe("a header that comes twice", () => {
  test("is joined as fetch joins it, so that two tokens are none", async () => {
    await server.close();
    const sim = createSimulator();
    server = await serve(sim);
    const { clientId, clientSecret } = sim.credentials;
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const tokens = await sim.fetch("/oauth", { method: "POST", body });
    const bearer = `Authorization: Bearer ${((await tokens.json()) as { access_token: string }).access_token}`;
    const statusWith = async (...headers: readonly string[]): Promise<string> => {
      const answer = await raw(`GET /api/transactions HTTP/1.1\r\nHost: localhost\r\n${headers.join("\r\n")}\r\n\r\n`);
      return answer.slice(9, 12);
    };
    expect(await statusWith(bearer)).toBe("200");
    expect(await statusWith(bearer.replace("Authorization", "AUTHORIZATION"), "X-A: 1", "x-a: 2")).toBe("200");
    expect(await statusWith(bearer, bearer)).toBe("401");
  });
});

describe("a client that misbehaves gets an answer", () => {
  test.each([
    ["a header without a name", "GET / HTTP/1.1\r\n: x\r\n\r\n", "400"],
    ["a line that is not HTTP", "hello\r\n\r\n", "400"],
    ["a header with a control character", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", "400"],
    ["headers without end", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(100_000)}\r\n\r\n`, "431"],
    [
      "a chunk without a length",
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "400",
    ],
    ["a method that Fetch forbids", "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"],
  ])("in the shape of every error: %s", async (_what, bytes, status) => {
    await server.close();
    const sim = createSimulator();
    server = await serve({ ...service, refuse: (problem) => sim.refuse(problem) });
    const answer = await raw(bytes, /\r\n\r\n.*\}$/s);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ success: false, errors: [] });
    expect((await fetch(`${server.url}/after`)).status).toBe(200);
    expect(service.seen.map(({ path }) => path)).toEqual(["/after"]);
  });

  test("as plain text when the service has no error for it", async () => {
    const answer = await raw("hello\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/The request is not HTTP that the service can read$/);
  });

  test("a body that breaks off is an error to the service, and nothing to the process", async () => {
    await server.close();
    const started = Promise.withResolvers<void>();
    const broken = Promise.withResolvers<unknown>();
    const readAll = async (input: Request | URL | string) => {
      started.resolve();
      const text = await new Request(input).text().catch((error: unknown) => {
        broken.resolve(error);
        throw error;
      });
      return new Response(text);
    };
    server = await serve({ ...service, fetch: readAll });
    const { port, hostname } = new URL(server.url);
    const socket = net.connect(Number(port), hostname);
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf");
    await started.promise;
    socket.destroy();
    expect(await broken.promise).toMatchObject({ code: "ECONNRESET" });
    expect((await fetch(`${server.url}/after`)).status).toBe(200);
  });

  test("a body that the service does not read leaves the connection usable", async () => {
    await server.close();
    server = await serve({ ...service, fetch: async () => new Response("too large", { status: 413 }) });
    const body = "a".repeat(10 * 1024 * 1024);
    for (const path of ["/1", "/2"]) {
      const response = await fetch(server.url + path, { method: "POST", body });
      expect([response.status, await response.text()]).toEqual([413, "too large"]);
    }
  });

  test("a body that the service stops reading leaves the connection usable", async () => {
    await server.close();
    const readSome = async (input: Request | URL | string) => {
      const reader = new Request(input).body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response("enough", { status: 413 });
    };
    server = await serve({ ...service, fetch: readSome });
    for (const path of ["/1", "/2"]) {
      const response = await fetch(server.url + path, { method: "POST", body: "a".repeat(10 * 1024 * 1024) });
      expect([response.status, await response.text()]).toEqual([413, "enough"]);
    }
  });
});

test("an answer whose body stalls is given up once its client has left", async () => {
  await server.close();
  const givenUp = Promise.withResolvers<void>();
  const stalling = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
      cancel: () => givenUp.resolve(),
    });
  const headers = { "content-length": "100" };
  server = await serve({ ...service, fetch: async () => new Response(stalling(), { headers }) });
  expect(await raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", /half/)).toMatch(/half$/);
  await givenUp.promise;
});

test("an answer that begins after its client has left is given up", async () => {
  await server.close();
  const [givenUp, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = async (input: Request | URL | string): Promise<Response> => {
    const { signal } = input as Request;
    const request = input;
    signal.addEventListener("abort", () => left.resolve());
    arrived.resolve();
    await left.promise;
    expect(request).toBeInstanceOf(Request);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => givenUp.resolve(),
    });
    return new Response(endless, { headers: { "transfer-encoding": "chunked" } });
  };
  const arrived = Promise.withResolvers<void>();
  server = await serve({ ...service, fetch: late });
  const { port, hostname } = new URL(server.url);
  const socket = net.connect(Number(port), hostname, () => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  await arrived.promise;
  socket.destroy();
  await givenUp.promise;
});

test("the body of an answer to HEAD is given up", async () => {
  await server.close();
  const givenUp = Promise.withResolvers<void>();
  const body = new ReadableStream({ cancel: () => givenUp.resolve() });
  server = await serve({ ...service, fetch: async () => new Response(body) });
  expect(await raw("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
  await givenUp.promise;
});

describe("a simulator behind the server", () => {
  test("refuses a body of 10 MiB, and the connection stays usable", async () => {
    await using sim = createSimulator();
    await using served = await serve(sim);
    for (const path of ["/oauth", "/oauth"]) {
      const response = await fetch(served.url + path, { method: "POST", body: "a".repeat(10 * 1024 * 1024) });
      expect([response.status, await response.json()]).toMatchObject([413, { success: false }]);
    }
  });

  test("reads a body that comes in pieces", async () => {
    await using sim = createSimulator();
    server = await serve(sim);
    const { clientId, clientSecret } = sim.credentials;
    const body = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
    const head = `POST /oauth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunks = body.match(/.{1,7}/g)?.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`) ?? [];
    expect(await raw(`${head}${chunks.join("")}0\r\n\r\n`, /access_token/)).toMatch(/^HTTP\/1.1 200 /);
  });

  test("loses a call whose client leaves in the middle of its body, and answers the next", async () => {
    await using sim = createSimulator();
    server = await serve(sim);
    const { port, hostname } = new URL(server.url);
    const socket = net.connect(Number(port), hostname);
    await new Promise((resolve) =>
      socket.write("POST /oauth HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf", resolve),
    );
    const next = fetch(`${server.url}/.well-known/jwks.json`);
    socket.destroy();
    expect((await next).status).toBe(200);
    expect(sim.journal.entries.filter(({ kind }) => kind === "request")).toEqual([]);
  });
});

test("several requests in one packet are answered in order", async () => {
  const one = "GET /status/201 HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const answers = await raw(one + one.replace("201", "202"), /status 202/);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 202"]);
});

test("HEAD is answered with the length that GET would have, and no body", async () => {
  expect(await raw("HEAD /thing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).toMatch(
    /x-served-by: echo\r\n.*\r\n\r\n$/s,
  );
});

describe("a network failure", () => {
  test.each(["reset", "refuse"])("that the service asks for (%s) resets the connection", async (path) => {
    await expect(raw(`GET /${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("that is an error inside the service is reported, not sent", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await expect(raw("GET /bug HTTP/1.1\r\nHost: localhost\r\n\r\n")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ message: "secret detail" }));
    warn.mockRestore();
  });
});

describe("close()", () => {
  test("ends requests that hang, frees the port, and may be called twice", async () => {
    const arrival = service.arrival();
    const hanging = expect(fetch(`${server.url}/hang`)).rejects.toThrow("fetch failed");
    await arrival;
    const departure = service.departure();
    await server.close();
    await server.close();
    await hanging;
    await departure;
    await using again = await serve(service, { port: Number(new URL(server.url).port) });
    expect(again.url).toBe(server.url);
  });
});

test("a port that is taken is named", async () => {
  const port = Number(new URL(server.url).port);
  await expect(serve(service, { port })).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
});

test.each(["", " ", "fe80::1%lo", "a b"])("an address to listen on that is none is refused: %j", async (hostname) => {
  const listening = vi.spyOn(net.Server.prototype, "listen");
  await expect(serve(service, { hostname })).rejects.toThrow(
    `serve: the option hostname is ${JSON.stringify(hostname)}`,
  );
  expect(listening).not.toHaveBeenCalled();
  listening.mockRestore();
});

test.each([
  ["localhost", /^http:\/\/localhost:\d+$/],
  ["0.0.0.0", /^http:\/\/localhost:\d+$/],
  ["127.0.0.1", /^http:\/\/127\.0\.0\.1:\d+$/],
])("listening on %s, the server is reached at its URL", async (hostname, url) => {
  await using other = await serve(service, { hostname });
  expect(other.url).toMatch(url);
  expect((await fetch(other.url)).status).toBe(200);
});
