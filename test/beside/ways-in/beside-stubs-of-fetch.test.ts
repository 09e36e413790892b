import { intercept } from "centavo/node";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService, type EchoService } from "../../ways-in/echo-service.ts";

const pay = "https://api.pay.example/api/transactions";
const rates = "https://rates.example/php";
const elsewhere = "https://elsewhere.example/";

const before = { fetch: globalThis.fetch, dispatcher: getGlobalDispatcher() };
let service: EchoService;

beforeEach(() => {
  service = echoService();
});

afterEach(async () => {
  globalThis.fetch = before.fetch;
  setGlobalDispatcher(before.dispatcher);
  await new Promise((resolve) => setImmediate(resolve));
});

interface Stub {
  readonly name: string;
  readonly start: () => void;
}

const stubs: readonly Stub[] = [
  {
    name: "a function that passes other calls on",
    start() {
      const through = globalThis.fetch;
      globalThis.fetch = async (input, init) =>
        new Request(input).url.startsWith(rates) ? Response.json({ php: 58 }) : through(input, init);
    },
  },
  {
    name: "a spy of vitest that passes other calls on",
    start() {
      const through = globalThis.fetch;
      vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
        new Request(input).url.startsWith(rates) ? Response.json({ php: 58 }) : through(input, init),
      );
    },
  },
  {
    name: "a MockAgent of undici",
    start() {
      const agent = new MockAgent();
      agent.get("https://rates.example").intercept({ path: "/php" }).reply(200, { php: 58 }).persist();
      setGlobalDispatcher(agent);
    },
  },
  {
    name: "a MockAgent of undici that disables the network",
    start() {
      const agent = new MockAgent();
      agent.disableNetConnect();
      agent.get("https://rates.example").intercept({ path: "/php" }).reply(200, { php: 58 }).persist();
      setGlobalDispatcher(agent);
    },
  },
];

describe.each(stubs)("$name, set before intercept", ({ start }) => {
  test("answers its own host, and the simulator answers its own", async () => {
    start();
    using _ = intercept(service);
    expect(await (await fetch(rates)).json()).toEqual({ php: 58 });
    expect((await fetch(pay)).status).toBe(200);
    expect(service.seen).toHaveLength(1);
  });

  test("lets no call to a third host out", async () => {
    start();
    using _ = intercept(service);
    await expect(fetch(elsewhere)).rejects.toThrow();
    expect(service.seen).toHaveLength(0);
  });

  test("is there after the interception as before", async () => {
    start();
    const stub = globalThis.fetch;
    intercept(service).close();
    expect(globalThis.fetch).toBe(stub);
    expect(await (await fetch(rates)).json()).toEqual({ php: 58 });
  });
});

test("a call that a stub passes on to a third host is refused by Centavo, once, with its whole address", async () => {
  (stubs[0] as Stub).start();
  const refused: string[] = [];
  using _ = intercept({ ...service, onRefused: ({ method, url }) => void refused.push(`${method} ${url}`) });
  await expect(fetch(`${elsewhere}orders/1`, { method: "POST", body: "{}" })).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "UNEXPECTED_REQUEST", message: expect.stringContaining(`POST ${elsewhere}orders/1`) as string },
  });
  expect(refused).toEqual([`POST ${elsewhere}orders/1`]);
});

test("a stub that is set after intercept answers first, as the last one that a test sets", async () => {
  using _ = intercept(service);
  globalThis.fetch = async () => Response.json({ from: "stub" });
  expect(await (await fetch(pay)).json()).toEqual({ from: "stub" });
  expect(service.seen).toHaveLength(0);
});
