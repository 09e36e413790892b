import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import { Cron } from "croner";
import { schedule as scheduleJob } from "node-cron";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import "centavo/node";

const { setTimeout: setRealTimeout } = globalThis;
const FILE = import.meta.filename;
const HOUR = 3_600_000;

/** Answers each message after a while of real time, as a database does, unless the message is `hello`. */
const database = createServer((socket) => {
  socket.on("data", (message) => {
    if (String(message) !== "hello") setRealTimeout(() => socket.write("OK"), 10);
  });
});
let port = 0;
const opened: Simulator[] = [];

beforeAll(async () => {
  await once(database.listen(0, "127.0.0.1"), "listening");
  ({ port } = database.address() as AddressInfo);
});
afterAll(() => void database.close());
afterEach(async () => {
  for (const sim of opened.splice(0)) await sim.close();
});

function open(options: SimulatorOptions = {}): Simulator {
  const sim = createSimulator({ timers: true, receiverTimeout: 60_000, ...options });
  opened.push(sim);
  return sim;
}

function warningsOf(sim: Simulator): unknown[] {
  return sim.journal.entries.flatMap((entry) => (entry.kind === "warning" ? [entry.volatile?.message] : []));
}

async function query(): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.write("select 1");
  await once(socket, "data");
  socket.destroy();
}

type Job = () => Promise<void>;

const schedulers: readonly (readonly [string, (job: Job) => () => unknown])[] = [
  [
    "setInterval",
    (job) => {
      const timer = setInterval(() => void job(), HOUR);
      return () => clearInterval(timer);
    },
  ],
  [
    "a timeout that sets itself again",
    (job) => {
      let timer: NodeJS.Timeout;
      const again = (): void => {
        timer = setTimeout(() => {
          void job();
          again();
        }, HOUR);
      };
      again();
      return () => clearTimeout(timer);
    },
  ],
  [
    "node-cron",
    (job) => {
      const task = scheduleJob("0 * * * *", job);
      return () => task.destroy();
    },
  ],
  [
    "croner",
    (job) => {
      const cron = new Cron("0 * * * *", job);
      return () => cron.stop();
    },
  ],
];

const works: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["a file", () => readFile(FILE)],
  ["a database", query],
  ["compression", () => promisify(gzip)(Buffer.alloc(1e6))],
];

describe.for(schedulers)("under timers: true the clock waits for a job of %s", ([, schedule]) => {
  test.for(works)("that works with %s, and calls the service", async ([, work]) => {
    const sim = open();
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    const done: string[] = [];
    const job = async (): Promise<void> => {
      await work();
      await client.paymentIntents.create({ amount: 10_000 });
      await work();
      done.push(sim.clock.now().slice(11, 16));
    };
    const stop = schedule(job);
    await sim.clock.advance("3 hours");
    stop();
    expect(done).toEqual(["01:00", "02:00", "03:00"]);
    expect(sim.intents.list().map(({ createdAt }) => createdAt.slice(11, 16))).toEqual(done);
    expect(warningsOf(sim)).toEqual([]);
  });
});

test("the clock waits for a timer that an earlier job set", async () => {
  const sim = open();
  let done = 0;
  setTimeout(() => void setTimeout(() => void query().then(() => (done += 1)), HOUR), HOUR);
  await sim.clock.advance("2 hours");
  expect(done).toBe(1);
});

test("the digest is the same whatever part of a job ends first", async () => {
  const digests = new Set<string>();
  for (const slow of [0, 1, 0, 1]) {
    await using sim = createSimulator({ timers: true, receiverTimeout: 60_000 });
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    await client.transactions.list();
    const part = async (each: number): Promise<void> => {
      await (each === slow ? query() : readFile(FILE));
      await client.paymentIntents.create({ amount: 10_000 + each });
    };
    setTimeout(() => [0, 1].forEach((each) => void part(each)), HOUR);
    await sim.clock.advance("1 hour");
    expect(sim.intents.list()).toHaveLength(2);
    digests.add(sim.journal.digest());
  }
  expect(digests.size).toBe(1);
});

test("under the auto clock a job's call is answered at its own moment, also through a server", async () => {
  const sim = open({ clock: "auto" });
  await using server = await serve(sim);
  const client = createClient({ ...sim.credentials, baseUrl: server.url, fetch });
  const done = Promise.withResolvers<string[]>();
  const moments: string[] = [];
  const job = async (): Promise<void> => {
    await readFile(FILE);
    const { id } = await client.paymentIntents.create({ amount: 10_000 });
    moments.push(sim.intents.get(id)?.createdAt ?? "");
    if (moments.length === 2) done.resolve(moments);
  };
  const timer = setInterval(() => void job(), 1000);
  await sim.fetch("/.well-known/jwks.json");
  expect(await done.promise).toEqual(["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"]);
  clearInterval(timer);
});

test("what a job never ends is left after receiverTimeout, and a warning names it", async () => {
  const sim = open({ receiverTimeout: 50 });
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  setTimeout(() => void socket.write("hello"), HOUR);
  await sim.clock.advance("1 day");
  socket.destroy();
  expect(warningsOf(sim)).toEqual([
    "the clock goes on although the process still works after a timer of 3600000 ms called back: it waits for a socket; if that leads to calls, two runs may differ",
  ]);
});
