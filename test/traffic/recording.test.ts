import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { DuplexOptions } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import axios from "axios";
import { createSimulator } from "centavo";
import type { AssumptionOverrides } from "centavo";
import { intercept, record } from "centavo/node";
import { request as undiciRequest } from "undici";
import { describe, expect, test } from "vitest";
import { listen } from "../../src/kit/base/runtime/http.ts";
import { readTraffic } from "../../src/traffic/read-traffic.ts";
import { whole } from "../assumptions/all-calls.ts";
import { sets } from "../assumptions/sets.ts";
import { order } from "../merchant/requests.ts";
import { clientOf, expectNoneIn, harIn, newFile, openMerchant, openSandbox } from "./sandbox.ts";

const CARD = "4242424242424242";

/** A service that answers with what it was sent, in several ways. */
async function openEcho() {
  const listening = await listen((incoming, outgoing) => {
    void (async () => {
      const body = await text(incoming);
      const path = incoming.url ?? "";
      if (path.startsWith("/cut")) {
        outgoing.writeHead(200, { "content-length": "100" });
        outgoing.write("only a part", () => outgoing.socket?.destroy());
        return;
      }
      if (path.startsWith("/never")) return;
      if (path.startsWith("/gzip")) {
        outgoing.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        outgoing.end(gzipSync(`{"echo":${JSON.stringify(body)}}`));
        return;
      }
      if (path.startsWith("/huge")) {
        outgoing.writeHead(200, { "content-type": "text/plain" });
        for (let part = 0; part < 40; part += 1) outgoing.write("x".repeat(65_536));
        outgoing.end();
        return;
      }
      if (path.startsWith("/binary")) {
        outgoing.writeHead(200, { "content-type": "image/png" });
        outgoing.end(Buffer.from([0x89, 0x50, 0xff, 0]));
        return;
      }
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(JSON.stringify({ path, method: incoming.method, headers: incoming.rawHeaders, body }));
    })();
  });
  return { url: listening.url, [Symbol.asyncDispose]: () => listening.close() };
}

const sent = (file: string) => readTraffic(readFileSync(file), "shop.har");

describe("a recording of a merchant's calls", () => {
  test.for(["philippine", "stripe"] as const)(
    "has each call to a service in the manner of %s, its deliveries, and none of its secrets",
    async (manner) => {
      const given = sets[manner];
      // The merchant of this test has no certificate.
      const assumptions: AssumptionOverrides = { ...given, "http.texts": { ...given["http.texts"], url: "http" } };
      await using sandbox = await openSandbox(assumptions);
      await using merchant = await openMerchant();
      const file = newFile();
      const recording = record(sandbox.url, { file, deliveries: "/hooks" });
      const client = clientOf(sandbox.sim, sandbox.url, assumptions);
      const intent = await client.paymentIntents.create({
        ...whole,
        amount: 49_900,
        externalId: "order-1",
        webhookUrl: `${merchant.url}/hooks`,
      });
      await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
      const checkout = await client.checkout.create(order({ webhookUrl: `${merchant.url}/hooks` }) as never);
      await sandbox.sim.clock.settle();
      await recording.stop();

      const { exchanges, leftOut } = sent(file);
      expect(leftOut).toEqual([]);
      expect(harIn(file)).toHaveLength(exchanges.length);
      expect(recording.count).toBe(exchanges.length);
      const calls = exchanges.filter(({ kind }) => kind === "call");
      expect(calls.length).toBeGreaterThanOrEqual(4);
      expect(calls.every(({ answer }) => answer !== undefined)).toBe(true);
      const deliveries = exchanges.filter(({ kind }) => kind === "delivery");
      expect(merchant.received.length).toBeGreaterThan(0);
      expect(deliveries.map(({ request: { body } }) => body?.length)).toHaveLength(merchant.received.length);
      expect(deliveries[0]).toMatchObject({
        request: { method: "POST", url: `${merchant.url}/hooks` },
        answer: { status: 200, body: '{"received":true}' },
      });
      const { clientSecret, webhookSecret, adminKey } = sandbox.sim.credentials;
      expectNoneIn(file, [
        clientSecret,
        webhookSecret,
        adminKey,
        checkout.sessionToken,
        intent.clientKey,
        "s3cretCookie12345",
      ]);
      expect(readFileSync(file, "utf8")).not.toContain("eyJ");
    },
  );

  test("keeps the same stand-in for a token, from the answer that gave it to the calls that carry it", async () => {
    await using sandbox = await openSandbox();
    const file = newFile();
    const recording = record(sandbox.url, { file });
    const client = clientOf(sandbox.sim, sandbox.url);
    await client.transactions.list();
    await recording.stop();
    const [token, list] = sent(file).exchanges;
    const standIn = /"(?:access_token|accessToken)":"(redacted-token-\d+)"/.exec(token?.answer?.body ?? "")?.[1];
    expect(standIn).toBeDefined();
    expect(list?.request.headers).toContainEqual(["authorization", `Bearer ${standIn}`]);
  });

  const clients: Record<string, (url: string, body: string) => Promise<string>> = {
    fetch: async (url, body) =>
      (await fetch(url, { method: "POST", body, headers: { "Content-Type": "application/json" } })).text(),
    "undici's request": async (url, body) =>
      (await undiciRequest(url, { method: "POST", body, headers: { "Content-Type": "application/json" } })).body.text(),
    axios: async (url, body) =>
      (
        await axios.post<string>(url, body, {
          headers: { "Content-Type": "application/json" },
          responseType: "text",
          transformResponse: [],
        })
      ).data,
    "node:http": (url, body) =>
      new Promise((resolve, reject) => {
        const outgoing = request(
          url,
          { method: "POST", headers: { "Content-Type": "application/json" } },
          (incoming) => {
            text(incoming).then(resolve, reject);
          },
        );
        outgoing.on("error", reject);
        outgoing.write(body.slice(0, 5));
        outgoing.end(body.slice(5));
      }),
  };

  test.for(Object.entries(clients))("by %s has what was sent, and changes nothing of it", async ([, call]) => {
    await using echo = await openEcho();
    const body = `{"amount":49900,"note":"Peña"}`;
    const url = `${echo.url}/api/checkout?limit=2`;
    const without = await call(url, body);
    const file = newFile();
    const recording = record(echo.url, { file });
    const answers = await Promise.all([call(url, body), call(`${echo.url}/gzip`, body), call(url, body)]);
    await recording.stop();
    expect(await call(url, body)).toBe(without);
    expect([answers[0], answers[2]]).toEqual([without, without]);

    const { exchanges } = sent(file);
    expect(exchanges).toHaveLength(3);
    for (const exchange of exchanges) {
      expect(exchange.request).toMatchObject({ method: "POST", body });
      expect(exchange.answer?.status).toBe(200);
    }
    expect(exchanges.filter(({ request: { url: asked } }) => asked === url).map(({ answer }) => answer?.body)).toEqual([
      without,
      without,
    ]);
    expect(exchanges.find(({ request: { url: asked } }) => asked.endsWith("/gzip"))?.answer?.body).toBe(
      `{"echo":${JSON.stringify(body)}}`,
    );
  });

  test("has an answer to a delivery as it was when the shop wrote it", async () => {
    const shop = await listen((_, outgoing) => {
      const bytes = Buffer.from("first ");
      outgoing.write(bytes, () => {
        bytes.fill("x");
        outgoing.end("second");
      });
    });
    const file = newFile();
    const recording = record("https://sandbox.pay.example", { file, deliveries: "/hooks" });
    expect(await (await fetch(`${shop.url}/hooks`, { method: "POST", body: "{}" })).text()).toBe("first second");
    await shop.close();
    await recording.stop();
    expect(sent(file).exchanges).toMatchObject([{ kind: "delivery", answer: { body: "first second" } }]);
  });

  test("leaves other services alone", async () => {
    await using echo = await openEcho();
    await using other = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file });
    await Promise.all([fetch(`${other.url}/a`), fetch(`${echo.url}/b`)]);
    await recording.stop();
    expect(sent(file).exchanges.map(({ request: { url } }) => url)).toEqual([`${echo.url}/b`]);
  });

  test("has the calls to another token service, too", async () => {
    await using echo = await openEcho();
    await using auth = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file, authUrl: auth.url });
    await fetch(`${auth.url}/token`);
    await recording.stop();
    expect(sent(file).exchanges.map(({ request: { url } }) => url)).toEqual([`${auth.url}/token`]);
  });

  test("has calls that fail, without an answer and with the reason", async () => {
    const gone = await openEcho();
    await gone[Symbol.asyncDispose]();
    await using echo = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file, authUrl: gone.url });
    await expect(fetch(`${gone.url}/refused`)).rejects.toThrow();
    await expect(clients["node:http"]?.(`${gone.url}/refused`, "{}")).rejects.toThrow();
    await expect(fetch(`${echo.url}/cut`).then((answer) => answer.text())).rejects.toThrow();
    const abort = new AbortController();
    const aborted = fetch(`${echo.url}/never`, { signal: abort.signal });
    await expect.poll(() => recording.count).toBe(4);
    abort.abort();
    await expect(aborted).rejects.toThrow();
    const underWay = fetch(`${echo.url}/never`).catch(() => undefined);
    await expect.poll(() => recording.count).toBe(5);
    await recording.stop();
    const entries = harIn(file);
    expect(entries.map(({ response: { status } }) => status)).toEqual([0, 0, 0, 0, 0]);
    expect(entries.map(({ _error }) => _error)).toEqual([
      expect.stringMatching(/ECONNREFUSED/),
      expect.stringMatching(/ECONNREFUSED/),
      expect.stringMatching(/closed|ended/),
      expect.stringMatching(/abort|ended/i),
      "No whole answer came before the recording ended.",
    ]);
    expect(sent(file).exchanges.filter(({ answer }) => answer !== undefined)).toEqual([]);
    void underWay;
  });

  test("says so of calls on a connection that it cannot read", async () => {
    const service = createServer((socket) => {
      socket.on("data", () =>
        // Node's own client reads chunks with extensions of this length.
        socket.write(
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;note=${"x".repeat(2000)}\r\nhello\r\n0\r\n\r\n`,
        ),
      );
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const address = service.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = () =>
      new Promise<string>((resolve, reject) => {
        const outgoing = request(url, { agent }, (incoming) => void text(incoming).then(resolve, reject));
        outgoing.on("error", reject).end();
      });
    const file = newFile();
    const recording = record(url, { file });
    expect([await call(), await call()]).toEqual(["hello", "hello"]);
    await recording.stop();
    agent.destroy();
    service.close();
    expect(harIn(file).map(({ _error }) => _error)).toEqual([
      "Centavo could not read what passed on the connection.",
      "Centavo could not read what passed on the connection.",
    ]);
  });

  test("has no secret in the reason why a call failed", async () => {
    const file = newFile();
    const recording = record("http://sandbox.pay.example", { file });
    const connection = new Duplex({
      read: () => undefined,
      write: () => void connection.destroy(new Error("https://shop:n0bodyKnowsThisOne@proxy.example refused it")),
    });
    const outgoing = request("http://sandbox.pay.example/api", { createConnection: () => connection });
    await new Promise((resolve) => outgoing.on("error", resolve).end());
    await recording.stop();
    expect(harIn(file).map(({ _error }) => _error)).toEqual([
      "https://shop:redacted-password-1@proxy.example refused it.",
    ]);
  });

  test("leaves out a body that is too long, and one that is no text, and says so", async () => {
    await using echo = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file });
    expect((await (await fetch(`${echo.url}/huge`)).text()).length).toBe(40 * 65_536);
    await (await fetch(`${echo.url}/binary`)).arrayBuffer();
    await recording.stop();
    const [huge, binary] = harIn(file);
    expect(huge).toMatchObject({
      comment: "The body of the answer is left out: its 2621440 bytes are too long.",
      _centavo: { kind: "call", omitted: ["answer"] },
    });
    expect(binary).toMatchObject({ comment: "The body of the answer is left out: its 4 bytes are no text." });
    const { exchanges, leftOut } = sent(file);
    expect(exchanges.map(({ request: { url } }) => url)).toEqual([`${echo.url}/binary`]);
    expect(leftOut).toEqual([
      { source: "shop.har, entry 1", why: "The body of its answer was too long for the recorder, which left it out." },
    ]);
  });

  test("has no secret that only a later call shows to be one", async () => {
    await using echo = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file });
    const secret = "n0bodyKnowsThisOne";
    await (
      await fetch(`${echo.url}/a/${secret}`, { headers: { referer: `https://shop.example/?q=${secret}` } })
    ).text();
    await (await fetch(`${echo.url}/b?card=${CARD}`, { headers: { authorization: `Bearer ${secret}` } })).text();
    await recording.stop();
    expectNoneIn(file, [secret, CARD]);
    expect(harIn(file)[0]?.request.url).toBe(`${echo.url}/a/redacted-token-1`);
  });

  test("reads along on a connection that was open before", async () => {
    await using echo = await openEcho();
    await (await fetch(`${echo.url}/before`)).text();
    const file = newFile();
    const recording = record(echo.url, { file });
    await (await fetch(`${echo.url}/during`)).text();
    await recording.stop();
    await (await fetch(`${echo.url}/after`)).text();
    expect(sent(file).exchanges.map(({ request: { url } }) => url)).toEqual([`${echo.url}/during`]);
  });

  const write = (socket: Socket) => (chunk: Uint8Array, _encoding: unknown, done: () => void) =>
    void socket.write(chunk, done);
  const writev = (socket: Socket) => (chunks: readonly { readonly chunk: Uint8Array }[], done: () => void) =>
    void socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  const ways: Record<string, (socket: Socket) => DuplexOptions> = {
    "one by one": (socket) => ({ write: write(socket) }),
    "only together": (socket) => ({ writev: writev(socket) }),
    "one by one and together": (socket) => ({ write: write(socket), writev: writev(socket) }),
  };

  test.for(Object.entries(ways))("leaves a connection as it is that takes chunks %s", async ([, way]) => {
    await using echo = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file });
    const createConnection = (): Duplex => {
      const socket = connect(Number(new URL(echo.url).port), "127.0.0.1");
      const connection = new Duplex({
        ...way(socket),
        read: () => undefined,
        final: (done) => void socket.end(done),
      });
      socket.on("data", (chunk) => connection.push(chunk)).on("end", () => connection.push(null));
      return connection;
    };
    const call = (method: string, parts: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const outgoing = request(`${echo.url}/own`, { method, createConnection }, (incoming) => {
          text(incoming).then(resolve, reject);
        });
        outgoing.on("error", reject);
        for (const part of parts) outgoing.write(part);
        outgoing.end();
      });
    const answers = [await call("POST", ["first ", "second"]), await call("GET", [])];
    await recording.stop();
    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toMatchObject([
      { body: "first second" },
      { body: "" },
    ]);
    expect(sent(file).exchanges).toMatchObject([
      { request: { method: "POST", body: "first second" }, answer: { body: answers[0] } },
      { request: { method: "GET" }, answer: { body: answers[1] } },
    ]);
  });

  test("goes on when another recording of the same connection ends, and ends when it is stopped", async () => {
    await using echo = await openEcho();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    const call = (path: string) =>
      new Promise<void>((resolve, reject) => {
        const outgoing = request(echo.url + path, { agent }, (incoming) => {
          ports.push(incoming.socket.localPort);
          text(incoming).then(() => resolve(), reject);
        });
        outgoing.on("error", reject);
        outgoing.end();
      });
    const [first, second, third] = [newFile(), newFile(), newFile()];
    const a = record(echo.url, { file: first });
    await call("/1");
    const b = record(echo.url, { file: second });
    await call("/2");
    await a.stop();
    await call("/3");
    await call("/4");
    await b.stop();
    await call("/5");
    const c = record(echo.url, { file: third });
    await call("/6");
    await c.stop();
    agent.destroy();
    expect(new Set(ports).size).toBe(1);
    const paths = (file: string) => sent(file).exchanges.map(({ request: { url } }) => new URL(url).pathname);
    expect([paths(first), paths(second), paths(third)]).toEqual([["/1", "/2"], ["/2", "/3", "/4"], ["/6"]]);
  });

  test("is complete when the process exits without stop()", async () => {
    await using echo = await openEcho();
    const file = newFile();
    const recording = record(echo.url, { file });
    await (await fetch(`${echo.url}/a`)).text();
    for (const listener of process.listeners("exit").slice(-1)) listener(0);
    expect(sent(file).exchanges).toHaveLength(1);
    await recording.stop();
    await recording.stop();
    expect(sent(file).exchanges).toHaveLength(1);
  });
});

describe("record() refuses", () => {
  test("a URL that a simulator answers in this process", () => {
    const sim = createSimulator({ baseUrl: "https://sandbox.pay.example" });
    using _network = intercept(sim);
    expect(() => record("https://sandbox.pay.example", { file: newFile() })).toThrow(
      "record: a simulator answers at https://sandbox.pay.example in this process, so no call there is real. Record without intercept().",
    );
  });

  test.for<[redact: unknown, shown: string]>([
    ["pin", '"pin"'],
    [["pin", 7], '["pin",7]'],
    [["-"], '["-"]'],
  ])("%j as names to redact", ([redact, shown]) => {
    expect(() => record("https://sandbox.pay.example", { file: newFile(), redact: redact as string[] })).toThrow(
      `record: the option redact is ${shown}. It takes a list of names of headers and fields, such as ["x-shop-pin"].`,
    );
  });

  test("a path of deliveries that no delivery could have", () => {
    expect(() => record("https://sandbox.pay.example", { file: newFile(), deliveries: "/hooks?shop=1" })).toThrow(
      'record: the option deliveries has "/hooks?shop=1". It takes the path at which your server takes deliveries, without a query, such as "/webhooks/pay".',
    );
  });

  test("a file that another recording writes", async () => {
    const file = newFile();
    const recording = record("https://sandbox.pay.example", { file });
    expect(() => record("https://sandbox.pay.example", { file })).toThrow(/another recording of this process writes/);
    await recording.stop();
    await record("https://sandbox.pay.example", { file }).stop();
    expect(harIn(file)).toEqual([]);
  });
});
