import { createRequire } from "node:module";
import https from "node:https";
import { pathToFileURL } from "node:url";
import axios from "axios";
import { intercept, type Network } from "centavo/node";
import type nock from "nock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { echoService, type EchoService } from "../../ways-in/echo-service.ts";

export const pay = "https://api.pay.example/api/transactions";
export const shop = "https://shop.example/cart";

/** Another mock of the network, which answers `shop` with "theirs". */
export interface Mock {
  start(): void;
  stop(): void;
}

export type Nock = typeof nock;

export const clients = {
  fetch: async (url: string): Promise<string> => (await fetch(url)).text(),
  axios: async (url: string): Promise<string> =>
    String((await axios.get<unknown>(url, { adapter: "http", responseType: "text", transformResponse: [] })).data),
  "node:https": (url: string) => getBy(url),
  "node:https with an agent": async (url: string): Promise<string> => {
    const agent = new https.Agent({ keepAlive: true });
    try {
      return await getBy(url, agent);
    } finally {
      agent.destroy();
    }
  },
};

function getBy(url: string, agent?: https.Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (answer: NodeJS.ReadableStream): void => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () => resolve(text));
    };
    https.get(url, { agent }, read).on("error", reject);
  });
}

/** Resolves a name in the folder of a peer. */
export function requireOf(peer: string): NodeJS.Require {
  return createRequire(new URL(`../../../installs/peers/${peer}/package.json`, import.meta.url));
}

/** Loads the nock of a peer. It starts when it is imported. */
export async function nockOf(peer: string): Promise<Nock> {
  const entry = pathToFileURL(requireOf(peer).resolve("nock")).href;
  const { default: loaded } = (await import(entry)) as { readonly default: Nock };
  loaded.restore();
  return loaded;
}

/** @param isStrict whether it refuses what it has no answer for */
export function mockBy(loaded: Nock, { isStrict }: { readonly isStrict: boolean }): Mock {
  return {
    start() {
      loaded.activate();
      if (isStrict) loaded.disableNetConnect();
      loaded("https://shop.example").get("/cart").reply(200, "theirs").persist();
    },
    stop() {
      loaded.cleanAll();
      loaded.enableNetConnect();
      if (loaded.isActive()) loaded.restore();
    },
  };
}

export interface Ours extends Mock {
  readonly service: EchoService;
}

/** An interception of the test's own. After the test nothing of it and of the other mock is left. */
export function interception(theirs: Mock): Ours {
  const before = { fetch, request: https.request, Headers, Request, Response };
  let service: EchoService;
  let network: Network | undefined;
  const ours: Ours = {
    get service() {
      return service;
    },
    start: () => void (network = intercept(service)),
    stop: () => network?.close(),
  };
  beforeEach(() => {
    service = echoService();
  });
  afterEach(async () => {
    theirs.stop();
    ours.stop();
    // The patches stay for a turn when an interception ends before a call is over, and its `fetch` until the next call where a later one covered it.
    await new Promise((resolve) => setImmediate(resolve));
    await fetch("data:,");
    expect({ fetch, request: https.request, Headers, Request, Response }).toEqual(before);
  });
  return ours;
}

/** Tests that the simulator and another mock each answer for their own, whichever starts first. */
export function eachAnswersItsOwn(name: string, theirs: Mock): void {
  describe.each([
    { first: "Centavo", start: (ours: Mock) => [ours, theirs] },
    { first: "the other", start: (ours: Mock) => [theirs, ours] },
  ])(`beside ${name}, $first started first`, ({ start }) => {
    const ours = interception(theirs);

    test.each(Object.entries(clients))("%s reaches each for its own, and the one that stays open", async (_, send) => {
      const startBoth = (): void => start(ours).forEach((each) => each.start());
      startBoth();
      expect([await send(pay), await send(shop)]).toEqual([expect.stringContaining('"method":"GET"'), "theirs"]);
      theirs.stop();
      expect(await send(pay)).toContain('"method":"GET"');
      await expect(send(shop)).rejects.toThrow();
      ours.stop();

      startBoth();
      expect([await send(pay), await send(shop)]).toEqual([expect.stringContaining('"method":"GET"'), "theirs"]);
      ours.stop();
      expect(await send(shop)).toBe("theirs");
      expect(ours.service.seen).toHaveLength(3);
    });

    test("a third host is reached by neither", async () => {
      start(ours).forEach((each) => each.start());
      for (const send of Object.values(clients)) await expect(send("https://elsewhere.example/")).rejects.toThrow();
    });
  });
}
