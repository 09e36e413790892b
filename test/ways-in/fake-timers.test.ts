import https from "node:https";
import { mock } from "node:test";
import axios from "axios";
import { intercept, type Network } from "centavo/node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService, type EchoService } from "./echo-service.ts";

let service: EchoService;
let network: Network;

beforeEach(() => {
  service = echoService();
  network = intercept(service);
});

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
  network.close();
});

async function threeClients(): Promise<void> {
  expect((await fetch("https://api.pay.example/a", { method: "POST", body: "x" })).status).toBe(200);
  expect((await axios.post("https://api.pay.example/b", { x: 1 })).status).toBe(200);
  await new Promise((resolve, reject) => {
    https.get("https://api.pay.example/c", (response) => response.resume().on("end", resolve)).on("error", reject);
  });
  expect(service.seen).toHaveLength(3);
}

describe("requests are answered", () => {
  test("under Vitest's fake timers", async () => {
    vi.useFakeTimers();
    await threeClients();
  });

  test("under the fake timers of node:test", async () => {
    mock.timers.enable();
    await threeClients();
  });

  test("in a loop that leaves timers their turn", async () => {
    const loop = { calls: 0, timerFired: false };
    const timer = setTimeout(() => {
      loop.timerFired = true;
    }, 1);
    while (!loop.timerFired && loop.calls < 10_000) {
      await fetch("https://api.pay.example/");
      loop.calls += 1;
    }
    clearTimeout(timer);
    expect(loop.timerFired).toBe(true);
  });
});

/** What Jest's and sinon's fake timers do to a function: replace it by one that carries its clock. */
function fake(owner: object, name: string): void {
  vi.spyOn(owner as Record<string, () => void>, name).mockImplementation(() => undefined);
  Object.assign(Reflect.get(owner, name) as object, { clock: {} });
}

describe("a faked queueMicrotask or nextTick, on which every request would hang, is explained", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const explained = /fake timers replace queueMicrotask.*doNotFake: \["nextTick", "queueMicrotask"\]/s;

  test("to fetch", async () => {
    fake(globalThis, "queueMicrotask");
    const error: unknown = await fetch("https://api.pay.example/").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "INTERCEPTION_REFUSED" } });
    expect((error as Error).cause).toMatchObject({ message: expect.stringMatching(explained) as string });
  });

  test("to a client of node:https", () => {
    fake(globalThis, "queueMicrotask");
    expect(() => https.get("https://api.pay.example/")).toThrow(explained);
  });

  test("to axios", async () => {
    fake(globalThis, "queueMicrotask");
    await expect(axios.get("https://api.pay.example/")).rejects.toThrow(explained);
  });
});
