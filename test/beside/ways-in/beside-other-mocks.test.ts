import { createRequire } from "node:module";
import https from "node:https";
import { intercept, type Network } from "centavo/node";
import type * as msw from "msw";
import nock15 from "nock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { echoService, type EchoService } from "../../ways-in/echo-service.ts";

const pay = "https://api.pay.example/api/transactions";
const shop = "https://shop.example/cart";

interface Mock {
  start(): void;
  stop(): void;
}

const load = (peer: string, name: string): unknown =>
  createRequire(new URL(`../../../installs/peers/${peer}/package.json`, import.meta.url))(name);

const mocks = {
  "msw 2.15": msw2(),
  "nock 14": nockOf(load("nock-14", "nock") as typeof nock15),
  "nock 15": nockOf(nock15),
};
/** Those that share Centavo's copy of the interception library, and so may start first. */
const sharing = ["nock 15"] as const;
const olderCopies = ["msw 2.15", "nock 14"] as const;

const clients: Record<string, (url: string) => Promise<string>> = {
  fetch: async (url) => (await fetch(url)).text(),
  "node:https": (url) =>
    new Promise((resolve, reject) => {
      const read = (answer: NodeJS.ReadableStream): void => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () => resolve(text));
      };
      https.get(url, read).on("error", reject);
    }),
};

let service: EchoService;
let network: Network;
const ours: Mock = { start: () => (network = intercept(service)), stop: () => network.close() };

const before = { fetch, request: https.request, Headers, Request, Response };

beforeEach(() => {
  service = echoService();
});

afterEach(async () => {
  for (const mock of Object.values(mocks)) mock.stop();
  // The patches stay for a turn when an interception ends before a call is over, and its `fetch` until the next call where a later one covered it.
  await new Promise((resolve) => setImmediate(resolve));
  await fetch("data:,");
  expect({ fetch, request: https.request, Headers, Request, Response }).toEqual(before);
});

const orders = [
  ...Object.keys(mocks).map((name) => ({ name: name as keyof typeof mocks, first: "centavo" })),
  ...sharing.map((name) => ({ name, first: name })),
];

describe.for(orders)("beside $name, $first started first", ({ name, first }) => {
  const theirs = mocks[name];

  test.for(Object.keys(clients))("%s reaches each for its own, and the one that stays open", async (client) => {
    const send = clients[client] as (url: string) => Promise<string>;
    const start = (): void => (first === "centavo" ? [ours, theirs] : [theirs, ours]).forEach((each) => each.start());

    start();
    expect([await send(pay), await send(shop)]).toEqual([expect.stringContaining('"method":"GET"'), "theirs"]);
    theirs.stop();
    expect(await send(pay)).toContain('"method":"GET"');
    await expect(send(shop)).rejects.toThrow();
    ours.stop();

    start();
    expect([await send(pay), await send(shop)]).toEqual([expect.stringContaining('"method":"GET"'), "theirs"]);
    ours.stop();
    expect(await send(shop)).toBe("theirs");
    expect(service.seen).toHaveLength(3);
  });
});

test.for(olderCopies)("an active %s is refused, and the message says what to swap", async (name) => {
  mocks[name].start();
  expect(() => intercept(service)).toThrow(
    expect.objectContaining({
      code: "INTERCEPTION_CONFLICT",
      message: expect.stringMatching(
        /older copy.*msw 2 and nock 14.*Swap the two: call intercept\(\) before/s,
      ) as string,
    }),
  );
  expect(await clients["fetch"]?.(shop)).toBe("theirs");
});

function msw2(): Mock {
  const { http, HttpResponse } = load("msw-2", "msw") as typeof msw;
  const { setupServer } = load("msw-2", "msw/node") as {
    readonly setupServer: (...list: msw.RequestHandler[]) => { listen(options: object): void; close(): void };
  };
  const server = setupServer(http.get(shop, () => HttpResponse.text("theirs")));
  return { start: () => server.listen({ onUnhandledRequest: "bypass" }), stop: () => server.close() };
}

/** Nock starts when it is imported. */
function nockOf(nock: typeof nock15): Mock {
  nock.restore();
  return {
    start() {
      nock.activate();
      nock("https://shop.example").get("/cart").reply(200, "theirs").persist();
    },
    stop() {
      nock.cleanAll();
      nock.restore();
    },
  };
}
