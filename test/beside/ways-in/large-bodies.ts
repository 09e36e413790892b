import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createSimulator } from "centavo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tokensOf } from "../../merchant/requests.ts";
import { type Client, clientsThrough, fromWeb } from "./clients.ts";
import { type OpenWay, ways } from "../../ways-in/ways.ts";

const PATH = "/api/payment-intent";
const MEBIBYTE = 1024 * 1024;
const CHUNK = 65_536;

const sim = createSimulator();
const { access } = await tokensOf(sim);
const post = {
  method: "POST",
  headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
};
/** A whole order, after which a body may go on. */
const order = '{"amount":10000}';

/** Memory is reached by `sim.fetch` alone. */
const inMemory: Pick<Client, "name" | "call"> = {
  name: "sim.fetch",
  call: fromWeb((url, init) => sim.fetch(url, init)),
};

function streamed(mebibytes: number): Readable {
  const chunk = Buffer.alloc(CHUNK, " ");
  return Readable.from(new Array<Buffer>((mebibytes * MEBIBYTE) / CHUNK).fill(chunk), { objectMode: false });
}

/** An order, and then spaces for as long as somebody reads. */
function endless(): Readable {
  return Readable.from(withoutEnd(), { objectMode: false });
}

async function* withoutEnd(): AsyncGenerator<Buffer> {
  yield Buffer.from(order);
  for (;;) {
    yield Buffer.alloc(CHUNK, " ");
    await nextTurn();
  }
}

/** An order that never ends, and whose sender waits for ever after the first chunk. `begun` resolves when that has been taken. */
function stalled(): { readonly body: Readable; readonly begun: Promise<void> } {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Buffer>().promise;
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(order);
    begin();
    yield await never;
  }
  return { body: Readable.from(chunks(), { objectMode: false }), begun };
}

/** Holds large bodies through one way in. Each has a file of its own, because an interception outlives itself in clients that it met. */
export function holdLargeBodies(through: string): void {
  describe.each(ways.filter(({ name }) => name === through))("through $name", ({ name, hasConnections, open }) => {
    let way: OpenWay;
    let url: string;

    beforeAll(async () => {
      way = await open(sim);
      url = way.url + PATH;
    });

    afterAll(() => way[Symbol.asyncDispose]());

    describe.each(clientsThrough[name] ?? [inMemory])("$name", ({ name: client, call }) => {
      /** Expects that nothing was created since, and that the client still can. */
      async function expectOrdersWork(intents: number): Promise<void> {
        expect(sim.intents.list()).toHaveLength(intents);
        expect((await call(url, { ...post, body: order })).status).toBe(200);
        expect(sim.intents.list()).toHaveLength(intents + 1);
      }

      test.each([2, 12])("is refused a body of %d MiB", async (mebibytes) => {
        const { status, body } = await call(url, { ...post, body: " ".repeat(mebibytes * MEBIBYTE) });
        expect(status).toBe(413);
        expect(JSON.parse(body)).toMatchObject({ success: false, code: "BODY_TOO_LARGE" });
      });

      test("may leave while it sends a large body", async ({ skip }) => {
        skip(!hasConnections, "a call in memory has no connection to leave");
        const intents = sim.intents.list().length;
        const leaving = new AbortController();
        const body = order + " ".repeat(12 * MEBIBYTE);
        const answer = call(url, { ...post, body, signal: leaving.signal });
        leaving.abort();
        await expect(answer).rejects.toThrow();
        await expectOrdersWork(intents);
      });

      test.each([2, 12])("is refused a stream of %d MiB", async (mebibytes) => {
        const { status, body } = await call(url, { ...post, body: streamed(mebibytes) });
        expect(status).toBe(413);
        expect(JSON.parse(body)).toMatchObject({ success: false, code: "BODY_TOO_LARGE" });
      });

      test("may leave early, before its stream is too large", async () => {
        const intents = sim.intents.list().length;
        const leaving = new AbortController();
        const { body, begun } = stalled();
        const answer = call(url, { ...post, body, signal: leaving.signal });
        const left = expect(answer).rejects.toThrow();
        await begun;
        leaving.abort();
        await left;
        await expectOrdersWork(intents);
      });

      test("is refused a stream without an end while it sends, and may leave late", async ({ skip }) => {
        skip(client === "superagent", "superagent answers once it has sent all");
        const intents = sim.intents.list().length;
        const leaving = new AbortController();
        const body = endless();
        const { status } = await call(url, { ...post, body, signal: leaving.signal });
        expect(status).toBe(413);
        leaving.abort();
        body.destroy();
        await expectOrdersWork(intents);
      });
    });
  });
}

describe.each(ways.filter(({ name }) => name === "memory" || name === "interception"))("through $name", ({ open }) => {
  test("a body that never ends is closed once it is refused", async () => {
    await using way = await open(sim);
    const body = endless();
    const closed = new Promise((resolve) => body.once("close", resolve));
    const stream = Readable.toWeb(body) as ReadableStream<Uint8Array<ArrayBuffer>>;
    const upload: RequestInit & { duplex: "half" } = { ...post, body: stream, duplex: "half" };
    expect((await way.fetch(way.url + PATH, upload)).status).toBe(413);
    await closed;
  });
});
