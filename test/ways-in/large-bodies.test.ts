import http from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import axios from "axios";
import { createSimulator } from "centavo";
import got from "got";
import * as undici from "undici";
import { describe, expect, test } from "vitest";
import { tokensOf } from "../merchant/requests.ts";
import { type OpenWay, ways } from "./ways.ts";

const CHUNK = 65_536;
const CHUNKS = 32;

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Sender {
  readonly name: string;
  readonly send: (way: OpenWay, headers: Record<string, string>, body: Readable) => Promise<Answer>;
}

const PATH = "/api/payment-intent";

const byFetch: Sender = {
  name: "fetch",
  send: async (way, headers, body) => {
    const stream = Readable.toWeb(body) as ReadableStream<Uint8Array<ArrayBuffer>>;
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body: stream, duplex: "half" };
    const response = await way.fetch(way.url + PATH, init);
    return { status: response.status, body: await response.text() };
  },
};

const overNode: readonly Sender[] = [
  {
    name: "node:http and node:https",
    send: ({ url }, headers, body) =>
      new Promise((resolve, reject) => {
        const { request } = url.startsWith("https:") ? https : http;
        const outgoing = request(url + PATH, { method: "POST", headers }, (incoming) => {
          incoming
            .toArray()
            .then((chunks) =>
              resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks as Buffer[]).toString() }),
            )
            .catch(reject);
        });
        outgoing.on("error", reject);
        body.pipe(outgoing);
      }),
  },
  {
    name: "axios",
    send: async ({ url }, headers, body) => {
      const { status, data } = await axios.post<string>(url + PATH, body, {
        headers,
        responseType: "text",
        transformResponse: (text: string) => text,
        validateStatus: () => true,
      });
      return { status, body: data };
    },
  },
  {
    name: "got",
    send: async ({ url }, headers, body) => {
      const response = await got.post(url + PATH, { headers, body, throwHttpErrors: false, retry: { limit: 0 } });
      return { status: response.statusCode, body: response.body };
    },
  },
];

const undiciRequest: Sender = {
  name: "undici.request",
  send: async ({ url }, headers, body) => {
    const response = await undici.request(url + PATH, { method: "POST", headers, body });
    return { status: response.statusCode, body: await response.body.text() };
  },
};

const undiciFetch: Sender = {
  name: "undici.fetch",
  send: async ({ url }, headers, body) => {
    const response = await undici.fetch(url + PATH, { method: "POST", headers, body, duplex: "half" });
    return { status: response.status, body: await response.text() };
  },
};

/** MSW hears nothing of the undici package, and memory is reached by `sim.fetch` alone. */
const senders: Readonly<Record<string, readonly Sender[]>> = {
  memory: [byFetch],
  interception: [byFetch, ...overNode, undiciRequest, undiciFetch],
  "MSW handlers": [byFetch, ...overNode],
  "a socket": [byFetch, ...overNode, undiciRequest, undiciFetch],
};

const sim = createSimulator();
const { access } = await tokensOf(sim);
const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };

function* twoMebibytes(): Generator<Buffer> {
  for (let count = 0; count < CHUNKS; count += 1) yield Buffer.alloc(CHUNK, " ");
}

async function* untilAborted(signal: AbortSignal): AsyncGenerator<Buffer> {
  while (!signal.aborted) {
    yield Buffer.alloc(CHUNK, " ");
    await nextTurn();
  }
}

describe.each(ways)("through $name", ({ name, open }) => {
  test.each(senders[name] ?? [])("a body of 2 MiB that $name streams is refused", async ({ send }) => {
    await using way = await open(sim);
    const { status, body } = await send(way, headers, Readable.from(twoMebibytes(), { objectMode: false }));
    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: "BODY_TOO_LARGE" });
  });

  test("a body of unknown length is refused while it is still sent", async () => {
    await using way = await open(sim);
    const client = new AbortController();
    const body = Readable.from(untilAborted(client.signal), { objectMode: false });
    expect((await byFetch.send(way, headers, body)).status).toBe(413);
    expect(body.readableEnded).toBe(false);
    client.abort();
  });
});

describe.each(ways.filter(({ name }) => name === "memory" || name === "interception"))("through $name", ({ open }) => {
  test("a body that never ends is closed once it is refused", async () => {
    await using way = await open(sim);
    const body = Readable.from(untilAborted(new AbortController().signal), { objectMode: false });
    const closed = new Promise((resolve) => body.once("close", resolve));
    expect((await byFetch.send(way, headers, body)).status).toBe(413);
    await closed;
  });
});
