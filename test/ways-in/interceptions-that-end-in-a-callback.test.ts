import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import { intercept, type Network } from "centavo/node";
import { describe, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

const BASE = "http://api.pay.example";

/** Ends an interception in a callback of a request, and goes on from there, as a runner with callbacks does. */
type End = (network: Network, goOn: () => void) => void;

const ends: readonly (readonly [how: string, end: End])[] = [
  [
    "the callback of an answer",
    (network, goOn) => {
      http.get(`${BASE}/thing`, (response) => {
        response.resume();
        network.close();
        goOn();
      });
    },
  ],
  [
    "the callback of an error",
    (network, goOn) => {
      http.get(`${BASE}/reset`).on("error", () => {
        network.close();
        goOn();
      });
    },
  ],
  [
    "the callback of a timeout",
    (network, goOn) => {
      const request = http.get(`${BASE}/hang`, { timeout: 1 }).on("error", () => undefined);
      request.on("timeout", () => {
        request.destroy();
        network.close();
        goOn();
      });
    },
  ],
];

function statusOf(url: string): Promise<unknown> {
  return new Promise((resolve) => {
    http.get(url, (response) => resolve(response.resume().statusCode)).on("error", resolve);
  });
}

describe.each(ends)("after %s has ended an interception", (_how, end) => {
  test("a call reaches the next interception", async () => {
    const next = echoService(BASE);
    const outcome = Promise.withResolvers<unknown>();
    end(intercept(echoService(BASE)), () =>
      setImmediate(() => {
        const network = intercept(next);
        void statusOf(`${BASE}/of-the-next`)
          .then(outcome.resolve)
          .finally(() => network.close());
      }),
    );
    expect(await outcome.promise).toBe(200);
    expect(next.seen.map(({ path }) => path)).toEqual(["/of-the-next"]);
  });
});

test("fetch from the callback of an earlier call belongs to the interception that runs, and so does its redirect", async () => {
  const first = intercept(echoService(BASE));
  const inCallback = await new Promise<ReturnType<typeof AsyncLocalStorage.snapshot>>((resolve) => {
    http.get(`${BASE}/thing`, (response) => {
      response.resume();
      resolve(AsyncLocalStorage.snapshot());
    });
  });
  first.close();
  const next = echoService(BASE);
  using _ = intercept(next);
  const { status, redirected } = await inCallback(() => fetch(`${BASE}/see-other`));
  expect({ status, redirected }).toEqual({ status: 200, redirected: true });
  expect(next.seen.map(({ path }) => path)).toEqual(["/see-other", "/landed"]);
});
