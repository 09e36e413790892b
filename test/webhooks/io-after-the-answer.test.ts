import { AsyncResource } from "node:async_hooks";
import { spawn } from "node:child_process";
import { createHash, pbkdf2, randomBytes, randomUUID, scrypt, scryptSync } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createReadStream, createWriteStream, readFile, watch } from "node:fs";
import { readFile as readFileSoon } from "node:fs/promises";
import { createServer as createWebServer, get, Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { devNull } from "node:os";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { brotliCompress, createGzip, gzip } from "node:zlib";
import { createSimulator, type MerchantApp, type Simulator, type SimulatorOptions } from "centavo";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { apps, fetchApp } from "./apps-that-work-on.ts";

const FILE = import.meta.filename;
/** How long the database and the web server take for an answer, in milliseconds. */
const SLOW = 15;

/** Answers each message after a while, as a database does. */
const database = createServer((socket) => {
  socket.on("data", () => void setTimeout(() => socket.write("OK"), SLOW)).on("error", () => undefined);
});
/** Sends the head of each answer at once, and the body after a while. */
const website = createWebServer((request, response) => {
  if (request.url === "/events") response.setHeader("content-type", "text/event-stream");
  response.flushHeaders();
  if (request.url !== "/events") void setTimeout(() => response.end("OK"), 4 * SLOW);
});
website.on("upgrade", ({ headers }, socket) => {
  const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
});
/** Answers each stream of HTTP/2 after a while. */
const modern = createHttp2Server((_, response) => void setTimeout(() => response.end("OK"), SLOW));
let port = 0;
let url = "";

beforeAll(async () => {
  await Promise.all([database, website, modern].map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  ({ port } = database.address() as AddressInfo);
  url = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
});
afterAll(() => {
  database.close();
  website.closeAllConnections();
  website.close();
  modern.close();
});

async function query(socket: Socket): Promise<void> {
  socket.write("select 1");
  await once(socket, "data");
}

async function getBody(agent?: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, agent === undefined ? {} : { agent }, resolve).on("error", reject);
  return text(await promise);
}

type Work = () => Promise<unknown>;

/** A world in which a payment is made, whose events an app answers before it works. */
async function paid(
  work: Work,
  {
    appOf = fetchApp,
    ...options
  }: SimulatorOptions & { readonly appOf?: (afterwards: () => void) => MerchantApp } = {},
): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 60_000, ...options });
  const merchant = await Merchant.of(sim);
  sim.connect(SHOP, appOf(() => void work()) as never);
  await merchant.pay();
  return sim;
}

function warningsOf(sim: Simulator): string[] {
  return sim.journal.entries.flatMap((entry) => (entry.kind === "warning" ? [entry.volatile?.message ?? ""] : []));
}

const works: readonly (readonly [string, Work])[] = [
  ["a timer of more than 100 ms", () => pause(120)],
  ["a file, with a callback", () => promisify(readFile)(FILE)],
  ["a file, with a promise", () => readFileSoon(FILE)],
  ["a stream of a file", () => text(createReadStream(FILE))],
  [
    "a new connection to a database",
    async () => {
      const socket = connect(port, "127.0.0.1");
      await query(socket);
      socket.destroy();
    },
  ],
  ["gzip", () => promisify(gzip)(Buffer.alloc(4e6))],
  ["brotli", () => promisify(brotliCompress)(Buffer.alloc(4e5))],
  ["a hash of a password", () => promisify(pbkdf2)("secret", "salt", 20_000, 32, "sha256")],
  ["scrypt", () => promisify(scrypt)("secret", "salt", 32)],
  ["a key of web crypto", () => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"])],
  ["a job of web crypto that fails", () => crypto.subtle.digest("SHA-0", Buffer.alloc(1)).catch(() => undefined)],
  ["a digest of web crypto", () => crypto.subtle.digest("SHA-256", Buffer.alloc(4e6))],
  ["a worker", () => once(new Worker("setTimeout(() => undefined, 20)", { eval: true }), "exit")],
  ["a child process", () => once(spawn(process.execPath, ["--version"]), "close")],
  ["fetch", async () => (await fetch(url)).text()],
  ["a call of node:http", () => getBody()],
  [
    "a call of node:http2",
    async () => {
      const session = connectHttp2(`http://127.0.0.1:${(modern.address() as AddressInfo).port}`);
      await text(session.request({ ":path": "/" }));
      session.close();
    },
  ],
  ["a pipeline", () => pipeline(createReadStream(FILE), createGzip(), createWriteStream(devNull))],
  ["a look-up of a name", () => lookup("localhost")],
  ["a name of a host", async () => fetch(url.replace("127.0.0.1", "localhost")).catch(() => undefined)],
  [
    "one job after the other",
    async () => {
      await readFileSoon(FILE);
      await pause(5);
      await promisify(gzip)("text");
      await readFileSoon(FILE);
    },
  ],
  [
    "jobs that begin jobs",
    async () => {
      await Promise.all(
        [1, 2, 3].map(async (each) => {
          await pause(each);
          await Promise.all([readFileSoon(FILE), pause(each)]);
        }),
      );
    },
  ],
  ["a job that throws", () => readFileSoon(`${FILE}.missing`).catch(() => undefined)],
];

describe.for(apps)("the clock waits for what %s does after its answer", ([, appOf]) => {
  test.for(works)("%s", async ([, work]) => {
    let done = 0;
    await using sim = await paid(
      async () => {
        await work();
        done += 1;
      },
      { appOf },
    );
    await sim.clock.settle({ strict: true });
    expect(done).toBe(sim.webhooks.attempts().length);
    expect(done).toBeGreaterThan(1);
    expect(warningsOf(sim)).toEqual([]);
  });
});

describe("on connections that a pool opened before", () => {
  test("the clock waits for a query", async () => {
    const pooled = connect(port, "127.0.0.1");
    await query(pooled);
    let done = 0;
    await using sim = await paid(async () => {
      await query(pooled);
      await query(pooled);
      done += 1;
    });
    await sim.clock.settle();
    expect(done).toBe(2);
    pooled.destroy();
  });

  test("the clock waits for what a query calls back in an earlier world", async () => {
    let pooled: Socket | undefined;
    const worked: number[] = [];
    const connected = (work: () => void): void => {
      pooled ??= connect(port, "127.0.0.1");
      pooled.write("select 1");
      // The callback runs in the context in which the connection was opened.
      pooled.once("data", work);
    };
    for (const world of [1, 2]) {
      await using sim = await paid(async () =>
        connected(() => void promisify(pbkdf2)("secret", "salt", 50_000, 64, "sha512").then(() => worked.push(world))),
      );
      await sim.clock.settle();
    }
    pooled?.destroy();
    expect(worked).toEqual([1, 1, 2, 2]);
  });

  test("the clock waits for a call of node:http, although its answer comes in parts", async () => {
    const agent = new Agent({ keepAlive: true });
    await getBody(agent);
    let done = 0;
    await using sim = await paid(async () => {
      await getBody(agent);
      done += 1;
    });
    await sim.clock.settle();
    expect(done).toBe(2);
    agent.destroy();
  });

  test("the clock waits for fetch, although its answer comes in parts", async () => {
    await (await fetch(url)).text();
    let done = 0;
    await using sim = await paid(async () => {
      await (await fetch(url)).text();
      done += 1;
    });
    await sim.clock.settle();
    expect(done).toBe(2);
  });
});

describe("the clock does not wait for", () => {
  /** What an app leaves open, and how it ends after the test. */
  const lasting: readonly (readonly [string, () => Promise<() => unknown>])[] = [
    [
      "a connection that was used before the answer",
      async () => {
        const socket = connect(port, "127.0.0.1");
        await query(socket);
        return () => socket.destroy();
      },
    ],
    [
      "a connection that nothing is written to",
      async () => {
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        return () => socket.destroy();
      },
    ],
    [
      "a server",
      async () => {
        const server = createServer();
        await once(server.listen(0, "127.0.0.1"), "listening");
        return () => server.close();
      },
    ],
    [
      "server-sent events that it reads",
      async () => {
        const over = new AbortController();
        await fetch(`${url}/events`, { signal: over.signal });
        return () => over.abort();
      },
    ],
    [
      "server-sent events that it reads with node:http",
      async () => {
        const reading = get(`${url}/events`);
        await once(reading, "response");
        return () => reading.destroy();
      },
    ],
    [
      "a WebSocket",
      async () => {
        const socket = new WebSocket(url.replace("http", "ws"));
        await once(socket, "open");
        return () => socket.close();
      },
    ],
    [
      "a session of HTTP/2",
      async () => {
        const session = connectHttp2(`http://127.0.0.1:${(modern.address() as AddressInfo).port}`);
        await text(session.request({ ":path": "/" }));
        return () => session.close();
      },
    ],
    [
      "cryptography that has ended at once",
      async () => {
        const made = [randomBytes(16), randomUUID({ disableEntropyCache: true }), scryptSync("secret", "salt", 32)];
        return () => made.splice(0);
      },
    ],
    [
      "a watched file",
      async () => {
        const watcher = watch(FILE);
        return () => watcher.close();
      },
    ],
    [
      "a channel",
      async () => {
        const channel = new BroadcastChannel("orders");
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => undefined);
        port1.start();
        port2.postMessage("paid");
        return () => [channel.close(), port1.close()];
      },
    ],
    [
      "a signal that aborts later",
      async () => {
        const signal = AbortSignal.timeout(30_000);
        return () => signal.aborted;
      },
    ],
    [
      "a resource of a library, whose name looks like one of Node's",
      async () => {
        const resource = new AsyncResource("LIBRARY_REQUEST");
        return () => resource.emitDestroy();
      },
    ],
    [
      "an interval",
      async () => {
        const timer = setInterval(() => undefined, 1);
        return () => clearInterval(timer);
      },
    ],
    [
      "a timer longer than receiverTimeout",
      async () => {
        const timer = setTimeout(() => undefined, 60_001);
        return () => clearTimeout(timer);
      },
    ],
    [
      "a timer that keeps no process alive",
      async () => {
        const timer = setTimeout(() => undefined, 30_000).unref();
        return () => clearTimeout(timer);
      },
    ],
  ];

  test.for(lasting)("%s", async ([, begin]) => {
    const ends: (() => unknown)[] = [];
    await using sim = await paid(async () => ends.push(await begin()));
    await sim.clock.settle();
    expect(ends).toHaveLength(2);
    expect(warningsOf(sim)).toEqual([]);
    for (const end of ends) end();
  });

  test("server-sent events that it writes", async () => {
    const streams = new Set<ServerResponse>();
    const app = express();
    app.get("/stream", (_, response) => {
      response.setHeader("content-type", "text/event-stream").flushHeaders();
      streams.add(response);
    });
    app.post("/hooks", (_, response) => {
      response.sendStatus(200);
      for (const stream of streams) stream.write("data: paid\n\n");
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const reader = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`);
    await using sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 60_000 });
    const merchant = await Merchant.of(sim);
    sim.connect(SHOP, app);
    await merchant.pay();
    await sim.clock.settle();
    expect(streams.size).toBe(1);
    expect(warningsOf(sim)).toEqual([]);
    await reader.body?.cancel();
    server.closeAllConnections();
    server.close();
  });
});

describe("what never ends", () => {
  test.for([
    [
      "a socket",
      async () => {
        const silent = createServer();
        await once(silent.listen(0, "127.0.0.1"), "listening");
        const socket = connect((silent.address() as AddressInfo).port, "127.0.0.1");
        await once(socket, "connect");
        return { go: async () => socket.write("hello"), end: () => [socket.destroy(), silent.close()] };
      },
    ],
    [
      "a child process",
      async () => {
        const children: { kill(): unknown }[] = [];
        const go = async (): Promise<unknown> =>
          children.push(spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]));
        return { go, end: () => children.map((child) => child.kill()) };
      },
    ],
    [
      "a timer",
      async () => {
        const over = new AbortController();
        const go = async (): Promise<void> => {
          while (!over.signal.aborted) await pause(5);
        };
        return { go, end: () => over.abort() };
      },
    ],
  ] as const)(
    "%s is left after receiverTimeout, and the journal names it outside of the digest",
    async ([kind, make]) => {
      const { go, end } = await make();
      await using sim = await paid(go, { receiverTimeout: 100 });
      await using idle = await paid(async () => undefined, { receiverTimeout: 100 });
      await sim.clock.settle({ strict: true });
      await idle.clock.settle();
      end();
      expect(warningsOf(sim)[0]).toBe(
        `the clock goes on although the app at https://shop.example still works after its answer to POST https://shop.example/hooks: it waits for ${kind}; if that leads to calls, two runs may differ`,
      );
      expect(sim.journal.digest()).toBe(idle.journal.digest());
    },
  );
});

test("virtual time stands still while an app works", async () => {
  const times: string[] = [];
  await using sim = await paid(async () => {
    await readFileSoon(FILE);
    await pause(150);
    times.push(sim.clock.now());
  });
  await sim.clock.advance("1 day");
  expect(times).toEqual(sim.webhooks.attempts().map(({ at }) => at));
});

test("closing the simulator ends the wait for an app's work at once, without a warning", async () => {
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  const sim = await paid(
    async () => {
      begun.resolve();
      while (!over.signal.aborted) await pause(5);
    },
    { receiverTimeout: 600_000 },
  );
  const settled = sim.clock.settle();
  await begun.promise;
  await sim.close();
  await settled;
  over.abort();
  expect(warningsOf(sim)).not.toContainEqual(expect.stringContaining("the clock goes on"));
});
