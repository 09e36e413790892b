import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:http2";
import { type AddressInfo, createConnection, Socket } from "node:net";
import { HttpRequestInterceptor } from "@mswjs/interceptors/http";
import { Interceptor } from "@mswjs/interceptors";
import { SocketInterceptor } from "@mswjs/interceptors/net";
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { intercept } from "centavo/node";
import { runScenario, scenario } from "centavo/scenario";
import { serve } from "centavo/server";
import { Client, request } from "undici";
import { vi } from "vitest";
import { blockNetwork } from "../../../src/adapters/network/block-network.ts";
import { takeUnhandled } from "../../../src/kit/base/runtime/unhandled.ts";
import type { Causes } from "./cause.ts";

const SHOP = "https://shop.example";

/** Awaits a call, and throws what a client shows as the cause of its failure. */
async function causeOf(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    throw (error as Error).cause ?? error;
  }
}

/** Makes a call while several worlds share the network. */
async function amongWorlds(sims: readonly Simulator[], call: () => Promise<unknown>): Promise<void> {
  using _network = intercept(sims);
  await causeOf(call());
}

const twoWorlds = (options: object = {}): [Simulator, Simulator] => [
  createSimulator({ seed: "a", ...options }),
  createSimulator({ seed: "b", ...options }),
];

/** Connects, for which interception needs the library. */
async function connected(sim: Simulator): Promise<void> {
  using _network = intercept(sim);
  await causeOf(fetch("https://elsewhere.example/"));
}

async function besideAnotherCopy(sim: Simulator): Promise<void> {
  const own = Interceptor.singleton(SocketInterceptor);
  const registry = globalThis.__MSW_INTERCEPTORS_REGISTRY;
  registry?.set(SocketInterceptor.symbol, { readyState: "ACTIVE" } as unknown as typeof own);
  try {
    await connected(sim);
  } finally {
    registry?.set(SocketInterceptor.symbol, own);
  }
}

function besideACopyOfCentavo(sim: Simulator): void {
  const mark = Symbol.for("centavo.intercepting");
  Reflect.set(globalThis, mark, {});
  try {
    intercept(sim);
  } finally {
    Reflect.deleteProperty(globalThis, mark);
  }
}

async function afterAnotherInterceptor(sim: Simulator): Promise<void> {
  const first = new HttpRequestInterceptor();
  first.apply();
  const source = globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(Symbol.for("node-http-request-source"));
  const emitter = Object.getPrototypeOf((source as unknown as { emitter: object }).emitter) as { earlyOn: unknown };
  const { earlyOn } = emitter;
  emitter.earlyOn = undefined;
  try {
    await connected(sim);
  } finally {
    emitter.earlyOn = earlyOn;
    first.dispose();
  }
}

async function speakingOnlyHttp2(sim: Simulator, origin: string): Promise<void> {
  using _network = intercept(sim);
  const session = connect(origin);
  const failed = Promise.withResolvers<never>();
  session.on("error", failed.reject);
  session.request({ ":path": "/" }).on("error", () => undefined);
  await failed.promise;
}

/** What goes wrong on the way to a simulator, and from it to an app. */
export const networkCauses: Causes = {
  INTERCEPTION_CONFLICT: {
    "intercept(sim) beside another copy of the library": besideAnotherCopy,
    "intercept(sim) beside another copy of Centavo": besideACopyOfCentavo,
    "intercept(sim) after another interceptor": afterAnotherInterceptor,
    "blockNetwork() after another interceptor": () => {
      const first = new HttpRequestInterceptor();
      first.apply();
      first.on("request", () => undefined);
      try {
        blockNetwork();
      } finally {
        first.dispose();
      }
    },
  },
  INTERCEPTION_REFUSED: {
    "a request under timers that fake queueMicrotask": async (sim) => {
      using _network = intercept(sim);
      const faked = vi.spyOn(globalThis, "queueMicrotask").mockImplementation(() => undefined);
      Object.assign(globalThis.queueMicrotask, { clock: {} });
      await causeOf(fetch("https://api.pay.example/")).finally(() => faked.mockRestore());
    },
    "runScenario where interception cannot be loaded": async () => {
      vi.doMock("centavo/node", () => {
        throw new SyntaxError("Cannot use import statement outside a module");
      });
      const story = scenario("Nothing happens", () => undefined);
      try {
        const { error } = await runScenario(story, { way: "intercept" });
        throw error;
      } finally {
        vi.doUnmock("centavo/node");
      }
    },
  },
  INVALID_OPTION: {
    "intercept: an unknown option": (sim) => intercept(sim, { alow: [] } as never),
    "intercept: an allowed host without a scheme": (sim) => intercept(sim, { allow: ["other.example"] }),
    "intercept: a text in place of a list of hosts": (sim) =>
      intercept(sim, { drop: "https://other.example" as unknown as string[] }),
    "intercept: a dropped host at which the simulator answers": (sim) => intercept(sim, { drop: [sim.baseUrl] }),
    "intercept: fakeDate with several": (sim) => intercept([sim, createSimulator()], { fakeDate: true }),
    "serve: an unknown option": (sim) => serve(sim, { prt: 80 } as never),
    "sim.connect: no app": (sim) => sim.connect("https://shop.example", {} as never),
    "sim.connect: waitUntil is not a function": (sim) =>
      sim.connect(SHOP, () => new Response(), { waitUntil: [] as never }),
    "sim.visit: no method": (sim) => sim.visit("GET /orders", "https://shop.example/orders"),
  },
  INVALID_URL: {
    "intercept: a service without a URL": () =>
      intercept({ baseUrl: "pay.example", authUrl: "https://pay.example", fetch: async () => new Response() }),
    "sim.visit: a path where two apps are connected": async (sim) => {
      for (const origin of [SHOP, "https://desk.example"]) sim.connect(origin, () => new Response());
      await sim.visit("/orders");
    },
  },
  NOT_CONNECTED: {
    "sim.visit: a path without an app": (sim) => sim.visit("/orders"),
  },
  UNEXPECTED_REQUEST: {
    "a connection that centavo/no-network refuses": async () => {
      const stopTaking = takeUnhandled(() => true);
      const block = blockNetwork();
      try {
        await causeOf(fetch("https://other.example/rates"));
      } finally {
        await new Promise((resolve) => setImmediate(resolve));
        block.close();
        stopTaking();
        Reflect.deleteProperty(Socket, Symbol.for("centavo.blocked-network"));
      }
    },
    "a call on a connection that is older than intercept(sim)": async () => {
      const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const client = new Client("http://api.pay.example", {
        connect: (_, done) => {
          const socket = createConnection(port, "127.0.0.1", () => done(null, socket));
        },
      });
      try {
        await (await client.request({ path: "/", method: "GET" })).body.dump();
        using _network = intercept(createSimulator({ baseUrl: "http://api.pay.example" }));
        await client.request({ path: "/", method: "GET" });
      } finally {
        await client.destroy();
        server.close();
      }
    },
    "another protocol at the address of the service": async (sim) => {
      using _network = intercept(sim);
      const socket = createConnection(443, "api.pay.example");
      socket.write("HELO shop.example\r\n");
      const [error] = (await once(socket, "error")) as [Error];
      throw error;
    },
    "a request that carries nothing of any of two worlds": () =>
      amongWorlds(twoWorlds(), () => fetch("https://api.pay.example/api/transactions")),
    "a request to another host by one of two worlds": () =>
      amongWorlds(twoWorlds(), () => fetch("https://other.example/rates")),
    "a request with credentials that two worlds know": () =>
      amongWorlds(twoWorlds({ credentials: { clientId: "shop", clientSecret: "secret" } }), () =>
        fetch("https://api.pay.example/oauth", {
          method: "POST",
          body: new URLSearchParams({ client_id: "shop", client_secret: "secret" }),
        }),
      ),
    "a request to an app that two worlds have": async () => {
      const sims = twoWorlds();
      for (const sim of sims) sim.connect(SHOP, () => new Response());
      await amongWorlds(sims, () => fetch(`${SHOP}/orders/1`));
    },
    "a client that speaks only HTTP/2": (sim) => speakingOnlyHttp2(sim, "https://api.pay.example"),
    "a client that speaks only HTTP/2, to another host": (sim) => speakingOnlyHttp2(sim, "https://other.example"),
  },
  VISIT_FAILED: {
    "sim.visit of a listener without an HTTP server": async (sim) => {
      sim.connect(SHOP, { listener: () => undefined });
      const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
      await sim.visit("/cart").finally(() => modules.mockRestore());
    },
  },
  WORLD_ENDED: {
    "a call that began before sim.reset()": async (sim) => {
      const call = sim.fetch("/api/transactions");
      sim.reset();
      await causeOf(call);
    },
    "a call that had not arrived when its interception ended": async (sim) => {
      const network = intercept(sim);
      const call = request(`${sim.baseUrl}/api/transactions`);
      network.close();
      await call;
    },
    "a call to where an interception ended with a call on its way": async (sim) => {
      const network = intercept(sim);
      const first = request(`${sim.baseUrl}/api/transactions`);
      network.close();
      await first.catch(() => undefined);
      await request(`${sim.baseUrl}/api/transactions`);
    },
  },
};
