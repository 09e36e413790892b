import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/kit/base/runtime/http.ts";
import type { NodeListener } from "../../src/kit/base/runtime/http.ts";
import { readTraffic } from "../../src/traffic/read-traffic.ts";
import { sets } from "../assumptions/sets.ts";
import { order } from "../merchant/requests.ts";
import { recordAsJson, recordProgram } from "./record-program.ts";
import { clientOf, expectNoneIn, harIn, newFile, openMerchant, openSandbox } from "./sandbox.ts";

async function serving(listener: NodeListener): Promise<string> {
  const listening = await listen(listener);
  onTestFinished(() => listening.close());
  return listening.url;
}
const sent = (file: string) => readTraffic(readFileSync(file), "traffic.har");

/** Sends a request as it is given, and returns the answer with its raw headers. */
function raw(
  url: string,
  options: object = {},
  body?: string | Uint8Array,
): Promise<{ incoming: IncomingMessage; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      const chunks: Uint8Array[] = [];
      incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      incoming.on("end", () => resolve({ incoming, bytes: Buffer.concat(chunks) }));
      incoming.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

describe("centavo record", () => {
  test("forwards the calls of a merchant and the deliveries to it, and records both without their secrets", async () => {
    await using sandbox = await openSandbox(sets.philippine);
    await using merchant = await openMerchant();
    const { file, addresses, stop } = await recordAsJson("--to", sandbox.url, "--deliver-to", merchant.url);
    const client = clientOf(sandbox.sim, addresses.url, sets.philippine);
    const checkout = await client.checkout.create(order({ webhookUrl: `${addresses.deliveriesUrl}/hooks` }) as never);
    await sandbox.sim.customer.pay(checkout.checkoutUrl, "pm_card_approved");
    await sandbox.sim.clock.settle();
    expect(merchant.received.length).toBeGreaterThan(0);
    expect(await stop()).toBe(0);

    const { exchanges, leftOut } = sent(file);
    expect(leftOut).toEqual([]);
    expect(harIn(file)).toHaveLength(exchanges.length);
    const calls = exchanges.filter(({ kind }) => kind === "call");
    expect(calls.map(({ request: { url } }) => new URL(url).origin)).toEqual(calls.map(() => sandbox.url));
    expect(calls.map(({ request: { headers } }) => headers.find(([name]) => name === "host")?.[1])).toEqual(
      calls.map(() => new URL(sandbox.url).host),
    );
    const deliveries = exchanges.filter(({ kind }) => kind === "delivery");
    expect(deliveries).toHaveLength(merchant.received.length);
    expect(deliveries[0]).toMatchObject({
      request: { method: "POST", url: `${merchant.url}/hooks` },
      answer: { status: 200, body: '{"received":true}' },
    });
    const { clientSecret, webhookSecret } = sandbox.sim.credentials;
    expectNoneIn(file, [clientSecret, webhookSecret, checkout.sessionToken, "s3cretCookie12345"]);
    expect(readFileSync(file, "utf8")).not.toContain("eyJ");
  });

  test("forwards calls to another token service", async () => {
    const api = await serving((_, outgoing) => outgoing.end("api"));
    const auth = await serving((_, outgoing) => outgoing.end("auth"));
    const { file, addresses, stop } = await recordAsJson("--to", api, "--auth-to", `${auth}/oauth/`);
    expect(await (await fetch(`${addresses.url}/a`)).text()).toBe("api");
    expect(await (await fetch(`${addresses.authUrl}/token?x=1`)).text()).toBe("auth");
    await stop();
    expect(sent(file).exchanges.map(({ request: { url } }) => url)).toEqual([`${api}/a`, `${auth}/oauth/token?x=1`]);
  });

  test("passes on bytes and headers as they are, but for those of the connection", async () => {
    const seen: IncomingMessage[] = [];
    const bodies: string[] = [];
    const to = await serving((incoming, outgoing) => {
      seen.push(incoming);
      void (async () => {
        bodies.push(await text(incoming));
        outgoing.writeHead(
          201,
          "Made",
          [
            ["X-Twice", "1"],
            ["X-Twice", "2"],
            ["Content-Encoding", "gzip"],
            ["Content-Type", "application/json"],
            ["Connection", "keep-alive, X-Hop"],
            ["X-Hop", "1"],
            ["Location", `${to}/api/1`],
          ].flat(),
        );
        outgoing.end(gzipSync('{"made":true}'));
      })();
    });
    const { file, addresses, stop } = await recordAsJson("--to", `${to}/v1`);
    const headers = {
      "X-Case": "Kept",
      Connection: "close, X-Mine",
      "X-Mine": "1",
      Expect: "100-continue",
      "Idempotency-Key": "k-1",
    };
    const { incoming, bytes } = await raw(`${addresses.url}/api?b=%20&a`, { method: "POST", headers }, "body");
    expect(seen[0]).toMatchObject({ method: "POST", url: "/v1/api?b=%20&a" });
    expect(seen[0]?.rawHeaders).toEqual(
      expect.arrayContaining(["X-Case", "Kept", "Idempotency-Key", "k-1", "Host", new URL(to).host]),
    );
    expect(seen[0]?.rawHeaders).not.toContain("X-Mine");
    expect(seen[0]?.rawHeaders).not.toContain("Expect");
    expect(bodies).toEqual(["body"]);
    expect(incoming).toMatchObject({ statusCode: 201, statusMessage: "Made" });
    expect(incoming.rawHeaders).toEqual(
      expect.arrayContaining(["X-Twice", "1", "X-Twice", "2", "Content-Encoding", "gzip", "Location", `${to}/api/1`]),
    );
    expect(incoming.rawHeaders).not.toContain("X-Hop");
    expect(gunzipSync(bytes).toString()).toBe('{"made":true}');
    await stop();
    expect(sent(file).exchanges[0]).toMatchObject({
      request: { url: `${to}/v1/api?b=%20&a`, body: "body" },
      answer: { status: 201, body: '{"made":true}' },
    });
  });

  test("passes on each part of an answer when it comes", async () => {
    const second = Promise.withResolvers<void>();
    const to = await serving((_, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write("data: 1\n\n");
      void second.promise.then(() => outgoing.end("data: 2\n\n"));
    });
    const { file, addresses, stop } = await recordAsJson("--to", to);
    const reader = (await fetch(addresses.url)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 1\n\n");
    second.resolve();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 2\n\n");
    await reader?.read();
    await stop();
    expect(sent(file).exchanges[0]?.answer?.body).toBe("data: 1\n\ndata: 2\n\n");
  });

  test("asks without a body when it was asked without one", async () => {
    const asked: (string | undefined)[] = [];
    const to = await serving((incoming, outgoing) => {
      asked.push(incoming.headers["transfer-encoding"], incoming.headers["content-length"]);
      outgoing.end();
    });
    const { addresses } = await recordAsJson("--to", to);
    for (const method of ["GET", "HEAD", "DELETE", "OPTIONS"]) await raw(addresses.url, { method });
    expect(asked.every((value) => value === undefined || value === "0")).toBe(true);
  });

  test.for(["DELETE", "GET", "POST", "OPTIONS"])("passes on a body of %s that comes in chunks", async (method) => {
    const bodies: string[] = [];
    const to = await serving((incoming, outgoing) => {
      void (async () => {
        bodies.push(await text(incoming));
        outgoing.end("fine");
      })();
    });
    const { file, addresses, stop } = await recordAsJson("--to", to);
    const { incoming, bytes } = await raw(
      addresses.url,
      { method, headers: { "Transfer-Encoding": "chunked" } },
      '{"reason":"duplicate"}',
    );
    expect([incoming.statusCode, bytes.toString()]).toEqual([200, "fine"]);
    await stop();
    expect(bodies).toEqual(['{"reason":"duplicate"}']);
    expect(sent(file).exchanges).toMatchObject([{ request: { method, body: '{"reason":"duplicate"}' } }]);
  });

  test("answers 502 with a clear word when the sandbox cannot be reached", async () => {
    const gone = await listen(() => undefined);
    await gone.close();
    const { file, addresses, stop } = await recordAsJson("--to", gone.url);
    const answer = await fetch(`${addresses.url}/api`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toBe(
      `centavo record: ${gone.url} cannot be reached: connect ECONNREFUSED ${new URL(gone.url).host}.\n`,
    );
    expect(await stop()).toBe(0);
    expect(harIn(file)).toMatchObject([
      { response: { status: 0 }, _error: expect.stringContaining("cannot be reached") as string },
    ]);
    expect(sent(file).exchanges[0]).not.toHaveProperty("answer");
  });

  test("records a client that leaves, and a service that breaks off, without an answer", async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const to = await serving((incoming, outgoing) => {
      if (incoming.url === "/cut") {
        outgoing.writeHead(200, { "content-length": "100" });
        outgoing.write("a part", () => outgoing.socket?.destroy());
        return;
      }
      outgoing.once("close", left.resolve);
      arrived.resolve();
    });
    const { file, addresses, stop } = await recordAsJson("--to", to);
    const abort = new AbortController();
    const aborted = fetch(`${addresses.url}/never`, { signal: abort.signal });
    await arrived.promise;
    abort.abort();
    await expect(aborted).rejects.toThrow();
    await left.promise;
    await expect(fetch(`${addresses.url}/cut`).then((answer) => answer.text())).rejects.toThrow();
    await stop();
    expect(harIn(file).map(({ _error }) => _error)).toEqual([
      "The client ended the connection before the answer was whole.",
      "The service ended the connection before the answer was whole.",
    ]);
  });

  test("takes bytes that are no HTTP without an end", async () => {
    const to = await serving((_, outgoing) => outgoing.end("fine"));
    const { file, addresses, stop } = await recordAsJson("--to", to);
    const socket = connect(Number(new URL(addresses.url).port), "127.0.0.1");
    socket.end("\u0000\u0001 no HTTP\r\n\r\n");
    await text(socket).catch(() => "");
    expect(await (await fetch(addresses.url)).text()).toBe("fine");
    await stop();
    expect(harIn(file)).toHaveLength(1);
  });

  test("prints where it listens, each exchange without its query, and what it wrote", async () => {
    const to = await serving((_, outgoing) => outgoing.end("fine"));
    const { file, greeting, printed, stop } = await recordProgram("--to", to);
    const [, url = ""] = /taken at (\S+)/.exec(greeting) ?? [];
    expect(greeting).toBe(`Recording into ${file}:\n  Calls to ${to}/ are taken at ${url}\nCtrl+C stops it.`);
    await (await fetch(`${url}/api?token=abc`)).text();
    expect(await stop()).toBe(0);
    expect(printed.slice(1)).toEqual([
      `GET ${to}/api?…: 200`,
      "Stopping. Ctrl+C again ends it at once.",
      `1 exchange is in ${file}.`,
    ]);
  });

  test.for<[args: readonly string[], message: string]>([
    [["--to", "sandbox"], '--to is "sandbox". It takes an http(s) URL, such as https://sandbox.pay.example.'],
    [["--to", "https://a.example", "--auth-to", "ftp://b"], '--auth-to is "ftp://b". It takes'],
    [
      ["--to", "https://shop:s3cret@a.example/v1"],
      '--to is "https://…@a.example/v1", with a user name or a password, which would not be sent. Leave it out',
    ],
    [
      ["--to", "https://a.example", "--auth-to", "https://b.example/?key=s3cret"],
      '--auth-to is "https://b.example/?…", with a query, which would not be sent. Leave it out',
    ],
    [
      ["--to", "https://a.example", "--deliver-to", "http://127.0.0.1:3000/hooks#top"],
      '--deliver-to is "http://127.0.0.1:3000/hooks#…", with a fragment, which would not be sent. Leave it out',
    ],
    [
      ["--to", "https://a.example", "--deliver-to", "127.0.0.1:3000"],
      "It takes an http(s) URL, such as http://127.0.0.1:3000, the merchant.",
    ],
    [
      ["--port", "4999", "--to", "http://127.0.0.1:4999"],
      "--to is the address at which this command listens. Give the URL of the sandbox.",
    ],
    [
      ["--port", "4999", "--to", "https://a.example", "--deliver-to", "http://localhost:5001/hooks"],
      "--deliver-to is the address at which this command listens. Give the URL of the merchant.",
    ],
    [["--to", "https://a.example", "--file", "/dev/null/x.har"], 'the file "/dev/null/x.har" cannot be written'],
  ])("with %j does not start", async ([args, message]) => {
    await expect(recordProgram(...args)).rejects.toThrow(message);
  });

  test("prints no secret of a path that an answer has shown", async () => {
    const token = "c0c7a0e9-4d52-4a4b-9c55-1d1f3a0b7e11";
    const to = await serving((_, outgoing) => {
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(JSON.stringify({ sessionToken: token }));
    });
    const { file, greeting, printed, stop } = await recordProgram("--to", to);
    const [, url = ""] = /taken at (\S+)/.exec(greeting) ?? [];
    for (const path of ["/api/checkout", `/api/checkout/session/${token}`]) await (await fetch(url + path)).text();
    await stop();
    expect(printed[2]).toBe(`GET ${to}/api/checkout/session/redacted-token-1: 200`);
    expect(readFileSync(file, "utf8")).toContain("/session/redacted-token-1");
  });

  test("names the option of a port that is taken, and leaves the file of an earlier recording", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const file = newFile();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "earlier");
    const deliveries = ["--deliver-to", "http://127.0.0.1:3000", "--deliveries-port", port];
    await expect(recordProgram("--to", "https://a.example", ...deliveries, "--file", file)).rejects.toThrow(
      /Port \d+ is taken.*--deliveries-port/,
    );
    expect(readFileSync(file, "utf8")).toBe("earlier");
  });
});
