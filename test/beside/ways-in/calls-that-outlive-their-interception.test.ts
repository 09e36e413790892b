import dns from "node:dns";
import http from "node:http";
import type https from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { AxiosStatic } from "axios";
import { createSimulator, type Simulator } from "centavo";
import { intercept, type Network } from "centavo/node";
import got from "got";
import ky from "ky";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import superagent from "superagent";
import { serviceThatWaits } from "./a-service-that-waits.ts";
import { type Client, clients, fromWeb } from "./clients.ts";
import { echoService } from "../../ways-in/echo-service.ts";

/** The real host, to which its name leads: what reaches it has left the test. */
let real: http.Server;
let base: string;
let reached: string[];
let lookedUp: string[];
let hosts = 0;

beforeEach(async () => {
  reached = [];
  lookedUp = [];
  real = http.createServer((_request, response) => response.end("real"));
  real.on("connection", () => reached.push("connection")).on("request", ({ url }) => reached.push(`request ${url}`));
  await new Promise<void>((resolve) => real.listen(0, "127.0.0.1", resolve));
  // A host of its own, because what a test leaves behind closes its host to those that follow.
  hosts += 1;
  base = `http://host-${hosts}.example:${(real.address() as AddressInfo).port}`;
  const { lookup } = dns;
  vi.spyOn(dns, "lookup").mockImplementation(((host: string, ...rest: [never, never]) => {
    lookedUp.push(host);
    return lookup(host.startsWith("host-") ? "127.0.0.1" : host, ...rest);
  }) as typeof lookup);
});

afterEach(async () => {
  vi.restoreAllMocks();
  real.closeAllConnections();
  await new Promise((resolve) => real.close(resolve));
});

/** The codes of an error and of all its causes. */
function codesOf(thrown: unknown): unknown[] {
  if (!(thrown instanceof Error)) return [];
  return [(thrown as { code?: unknown }).code, ...codesOf(thrown.cause)].filter((code) => code !== undefined);
}

/** What came of a call: the status of its answer, or the code of its failure. */
async function outcomeOf(call: Promise<{ readonly status: number }>): Promise<unknown> {
  try {
    return (await call).status;
  } catch (error) {
    return codesOf(error).find((code) => code === "WORLD_ENDED") ?? error;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const moments: readonly (readonly [when: string, wait: () => Promise<void> | undefined])[] = [
  ["in the same tick", () => undefined],
  ["after a microtask", () => Promise.resolve()],
  ["after a turn of the event loop", turn],
  [
    "after three turns",
    async () => {
      for (let turns = 0; turns < 3; turns += 1) await turn();
    },
  ],
];

const ends: readonly (readonly [how: string, end: (network: Network, sim: Simulator) => unknown])[] = [
  ["network.close()", (network) => network.close()],
  ["the end of `await using`", (network) => network[Symbol.asyncDispose]()],
  ["sim.close()", (_, sim) => sim.close()],
];

/** Pools and agents with one connection, in which calls have to queue. */
const queues: readonly Client[] = [
  { name: "an agent of node:http", open: () => overNode(new http.Agent({ keepAlive: true, maxSockets: 1 })) },
  { name: "an agent without keep-alive", open: () => overNode(new http.Agent({ maxSockets: 1 })) },
  { name: "an undici.Agent", open: () => overUndici(() => new undici.Agent({ connections: 1 })) },
  { name: "an undici.Pool", open: () => overUndici((origin) => new undici.Pool(origin, { connections: 1 })) },
  { name: "an undici.Client", open: () => overUndici((origin) => new undici.Client(origin)) },
  {
    name: "undici.fetch over an undici.Pool",
    open: () => overUndiciFetch((origin) => new undici.Pool(origin, { connections: 1 })),
  },
  { name: "a RetryAgent", open: () => overUndici(() => new undici.RetryAgent(new undici.Agent({ connections: 1 }))) },
].map(({ name, open }) => ({ name: `${name} with one connection`, call: open(), codeOf: () => undefined }));

/** An undici.BalancedPool never settles its queue when a connection is refused, so calls wait in it for an answer alone. */
const queuesThatAnswer: readonly Client[] = [
  ...queues,
  {
    name: "an undici.BalancedPool with one connection",
    call: overUndici((origin) => new undici.BalancedPool(origin, { connections: 1 })),
    codeOf: () => undefined,
  },
];

function overNode(agent: http.Agent): Client["call"] {
  return (url, { method = "GET", signal } = {}) =>
    new Promise((resolve, reject) => {
      let status = 0;
      http
        .request(url, { agent, method, ...(signal !== undefined && { signal }) }, (response) => {
          status = response.resume().statusCode ?? 0;
        })
        .on("error", reject)
        .on("close", () => resolve({ status, body: "", contentType: undefined, cookies: [] }))
        .end();
    });
}

/** Opens a dispatcher for each origin, once. */
function dispatchersBy(open: (origin: string) => undici.Dispatcher): (url: string) => undici.Dispatcher {
  const dispatchers = new Map<string, undici.Dispatcher>();
  return (url) => {
    const { origin } = new URL(url);
    const dispatcher = dispatchers.get(origin) ?? open(origin);
    dispatchers.set(origin, dispatcher);
    return dispatcher;
  };
}

function overUndiciFetch(open: (origin: string) => undici.Dispatcher): Client["call"] {
  const dispatcherOf = dispatchersBy(open);
  return fromWeb(
    (url, { method = "GET" }) =>
      undici.fetch(url, { method, dispatcher: dispatcherOf(url) }) as unknown as Promise<Response>,
  );
}

function overUndici(open: (origin: string) => undici.Dispatcher): Client["call"] {
  const dispatcherOf = dispatchersBy(open);
  return async (url, { method = "GET", signal } = {}) => {
    const dispatcher = dispatcherOf(url);
    const options = { method: method as "GET", dispatcher, ...(signal !== undefined && { signal }) };
    const response = await undici.request(url, options);
    await response.body.dump();
    return { status: response.statusCode, body: "", contentType: undefined, cookies: [] };
  };
}

/** Clients with one connection speak plain HTTP; the others are tried over TLS too, where a name that is looked up is what leaves. */
const basesOf = (client: Client): readonly string[] =>
  queues.includes(client) ? [base] : [base, "https://api.pay.example"];

describe.each([...clients, ...queues])("three calls at once by $name", (client) => {
  test.each(ends.flatMap(([how, end]) => moments.map(([when, wait]) => [how, when, end, wait] as const)))(
    "do not leave when %s comes %s",
    async (_how, _when, end, wait) => {
      for (const baseUrl of basesOf(client)) {
        const sim = createSimulator({ baseUrl });
        const network = intercept(sim);
        const calls = [1, 2, 3].map((count) => outcomeOf(client.call(`${baseUrl}/api/thing/${count}`)));
        const waiting = wait();
        if (waiting !== undefined) await waiting;
        await end(network, sim);
        for (const outcome of await Promise.all(calls)) expect([404, 401, "WORLD_ENDED"]).toContain(outcome);
        await sim.close();
      }
      expect(reached).toEqual([]);
      expect(lookedUp).toEqual([]);
    },
  );
});

/** A call that its service has not answered yet, and another behind it. */
async function queueBehindOne(call: Client["call"]): Promise<{
  network: Network;
  first: Promise<unknown>;
  queued: Promise<unknown>;
  answer: () => void;
}> {
  const service = serviceThatWaits(base);
  const network = intercept(service);
  const first = outcomeOf(call(`${base}/first`));
  const queued = outcomeOf(call(`${base}/queued`));
  await service.arrival;
  return { network, first, queued, answer: service.answer };
}

describe("a call that waits behind another", () => {
  test.each(queuesThatAnswer)("does not leave $name when the interception has ended meanwhile", async ({ call }) => {
    const { network, first, queued, answer } = await queueBehindOne(call);
    network.close();
    answer();
    expect([await first, await queued]).toEqual([200, "WORLD_ENDED"]);
    expect(reached).toEqual([]);
  });

  test.each(queuesThatAnswer)(
    "does not reach from $name an interception that has begun meanwhile",
    async ({ call }) => {
      const { network, first, queued, answer } = await queueBehindOne(call);
      network.close();
      const next = echoService(base);
      using _ = intercept(next);
      answer();
      expect([await first, await queued]).toEqual([200, "WORLD_ENDED"]);
      expect((await call(`${base}/of-the-next`)).status).toBe(200);
      expect(next.seen.map(({ path }) => path)).toEqual(["/of-the-next"]);
      expect(reached).toEqual([]);
    },
  );

  test.each(queuesThatAnswer)("does not reach from $name the second interception after its own", async ({ call }) => {
    const { network, first, queued, answer } = await queueBehindOne(call);
    network.close();
    intercept(echoService(base)).close();
    const next = echoService(base);
    using _ = intercept(next);
    answer();
    expect([await first, await queued]).toEqual([200, "WORLD_ENDED"]);
    expect(next.seen).toEqual([]);
  });

  test.each(queuesThatAnswer)(
    "is answered when it was made under the interception that runs now, by $name",
    async ({ call }) => {
      const { network, first, queued, answer } = await queueBehindOne(call);
      intercept(echoService("http://another.example")).close();
      answer();
      expect([await first, await queued]).toEqual([200, 200]);
      network.close();
    },
  );

  test.each(queuesThatAnswer)(
    "is answered by the next interception when it was made under it, by $name",
    async ({ call }) => {
      const { network, first, queued, answer } = await queueBehindOne(call);
      network.close();
      const next = echoService(base);
      using _ = intercept(next);
      const ofTheNext = outcomeOf(call(`${base}/of-the-next`));
      answer();
      expect([await first, await queued, await ofTheNext]).toEqual([200, "WORLD_ENDED", 200]);
      expect(next.seen.map(({ path }) => path)).toEqual(["/of-the-next"]);
    },
  );
});

/** A connected app that has not answered its first call yet, while a second one waits behind it. */
test.each(queuesThatAnswer)(
  "a call to a connected app that waits behind another does not reach from $name an interception that has begun meanwhile",
  async ({ call: send }) => {
    const app = serviceThatWaits(base);
    const sim = createSimulator();
    const network = intercept(sim);
    sim.connect(base, { fetch: (request) => app.fetch(request) });
    const first = outcomeOf(send(`${base}/first`));
    const queued = outcomeOf(send(`${base}/queued`));
    await app.arrival;
    network.close();
    const next = echoService(base);
    using _ = intercept(next);
    app.answer();
    expect([await first, await queued]).toEqual([200, "WORLD_ENDED"]);
    expect(next.seen).toEqual([]);
    await sim.close();
  },
);

/** Intercepts a service that ends its interception while it answers, before another begins at the same address. */
function interceptUntilAnswered(answer: () => Response, next?: () => void): void {
  const network = intercept({
    baseUrl: base,
    authUrl: base,
    fetch: async () => {
      network.close();
      next?.();
      return answer();
    },
  });
}

const moved = (): Response => new Response(null, { status: 307, headers: { location: "/landed" } });
const brokenOff = (): Response => {
  throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
};
const unavailable = (): Response => new Response(null, { status: 503 });

const retries: readonly (readonly [name: string, get: (url: string) => Promise<{ readonly status: number }>])[] = [
  [
    "got",
    async (url) => ({
      status: (
        await got(url, { retry: { limit: 1, calculateDelay: ({ computedValue }) => Math.min(computedValue, 1) } })
      ).statusCode,
    }),
  ],
  ["ky", (url) => ky(url, { retry: { limit: 1, delay: () => 1 } })],
  [
    "undici's RetryAgent",
    overUndici(() => new undici.RetryAgent(new undici.Agent(), { minTimeout: 1, maxRetries: 1 })),
  ],
  [
    "undici's retry interceptor",
    overUndici(() => new undici.Agent().compose(undici.interceptors.retry({ minTimeout: 1, maxRetries: 1 }))),
  ],
  [
    "undici.fetch over undici's retry interceptor",
    overUndiciFetch(() => new undici.Agent().compose(undici.interceptors.retry({ minTimeout: 1, maxRetries: 1 }))),
  ],
];
/** superagent never settles when a try fails after one that was answered, so its first try breaks off. */
const retryOfSuperagent = (url: string): Promise<superagent.Response> => superagent.get(url).retry(1);
const clientsThatFollow: readonly Client[] = [
  ...clients.filter(({ name }) => !/node:|undici.request/.test(name)),
  {
    name: "undici's redirect interceptor",
    call: overUndici(() => new undici.Agent().compose(undici.interceptors.redirect({ maxRedirections: 1 }))),
    codeOf: () => undefined,
  },
];

describe("what a client does by itself after its answer", () => {
  test.each(clientsThatFollow)("does not leave when $name follows a redirect", async ({ call: send }) => {
    interceptUntilAnswered(moved);
    expect(await outcomeOf(send(`${base}/moved`))).toBe("WORLD_ENDED");
    expect(reached).toEqual([]);
  });

  test.each([
    ...retries.map(([name, get]) => [name, unavailable, get] as const),
    ["superagent", brokenOff, retryOfSuperagent] as const,
  ])("does not leave when %s tries again", async (_name, answer, get) => {
    interceptUntilAnswered(answer);
    expect(await outcomeOf(get(base))).toBe("WORLD_ENDED");
    expect(reached).toEqual([]);
  });

  test.each(retries)("does not leave when %s tries a connected app again", async (_name, get) => {
    const sim = createSimulator();
    const network = intercept(sim);
    sim.connect(base, () => {
      network.close();
      return unavailable();
    });
    expect(await outcomeOf(get(base))).toBe("WORLD_ENDED");
    expect(reached).toEqual([]);
    await sim.close();
  });

  test.each([
    ...clientsThatFollow.map(({ name, call: send }) => [`${name} follows a redirect`, moved, send] as const),
    // Each try of ky is a call of its own.
    ...retries
      .filter(([name]) => name !== "ky")
      .map(([name, get]) => [`${name} tries again`, unavailable, get] as const),
    ["superagent tries again", brokenOff, retryOfSuperagent] as const,
  ])("does not reach an interception that has begun meanwhile, when %s", async (_what, answer, get) => {
    const next = echoService(base);
    let network: Network | undefined;
    interceptUntilAnswered(answer, () => (network = intercept(next)));
    expect(await outcomeOf(get(`${base}/first`))).toBe("WORLD_ENDED");
    expect((await call(`${base}/of-the-next`)).status).toBe(200);
    network?.close();
    expect(next.seen.map(({ path }) => path)).toEqual(["/of-the-next"]);
    expect(reached).toEqual([]);
  });

  test("does not leave when a call is made again that failed because its interception ended", async () => {
    const network = intercept(echoService(base));
    const first = outcomeOf(call(`${base}/first`));
    network.close();
    expect([await first, await outcomeOf(call(`${base}/second`))]).toEqual(["WORLD_ENDED", "WORLD_ENDED"]);
    expect(reached).toEqual([]);
  });
});

const call = overNode(new http.Agent());

test("a call that an app makes while it answers belongs to the interception of the call that it answers", async () => {
  const next = echoService(base);
  let network: Network | undefined;
  let made: unknown;
  const first = intercept({
    baseUrl: base,
    authUrl: base,
    fetch: async () => {
      first.close();
      network = intercept(next);
      made = await outcomeOf(call(`${base}/made`));
      return new Response();
    },
  });
  expect((await call(`${base}/first`)).status).toBe(200);
  network?.close();
  expect([made, next.seen]).toEqual(["WORLD_ENDED", []]);
});

/** Ends an interception in the callback of a request, and goes on from there, as a runner with callbacks does. */
function goOnFromCallback<Result>(goOn: () => Promise<Result>, path = "/first"): Promise<Result> {
  const network = intercept(echoService(base));
  return new Promise((resolve, reject) => {
    http.get(`${base}${path}`, (response) => {
      response.resume();
      network.close();
      setImmediate(() => void goOn().then(resolve, reject));
    });
  });
}

describe.each(clients)("after the callback of a request has ended an interception, $name", ({ call: send }) => {
  test("reaches the next interception", async () => {
    const next = echoService(base);
    await goOnFromCallback(async () => {
      using _ = intercept(next);
      expect(await outcomeOf(send(`${base}/of-the-next`))).toBe(200);
    });
    expect(next.seen.map(({ path }) => path)).toEqual(["/of-the-next"]);
  });

  test("reaches the next interception by the call that has failed", async () => {
    const next = echoService(base);
    await goOnFromCallback(async () => {
      using _ = intercept(next);
      expect(await outcomeOf(send(`${base}/status/404`))).toBe(404);
    }, "/status/404");
    expect(next.seen).toHaveLength(1);
  });

  test("reaches a server of this machine", async () => {
    const { port } = real.address() as AddressInfo;
    expect(await goOnFromCallback(async () => outcomeOf(send(`http://127.0.0.1:${port}/local`)))).toBe(200);
  });
});

/** What a shop may begin in the callback of a request, and use for as long as its process lasts. Each returns how to let it work once. */
const lasting: readonly (readonly [
  what: string,
  begin: (work: () => Promise<unknown>) => Promise<() => Promise<unknown>>,
])[] = [
  [
    "a server",
    async (work) => {
      const server = http.createServer((_request, response) => {
        void work().then((result) => response.end(String(result)));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      return async () => {
        const { body } = await undici.request(`http://127.0.0.1:${port}/`, {
          dispatcher: new undici.Client(`http://127.0.0.1:${port}`),
        });
        const text = await body.text();
        server.close();
        return text;
      };
    },
  ],
  [
    "a job",
    async (work) => {
      let wanted: ((result: unknown) => void) | undefined;
      const job = setInterval(() => {
        if (wanted === undefined) return;
        clearInterval(job);
        void work().then(wanted);
      }, 1);
      return () => new Promise((resolve) => (wanted = resolve));
    },
  ],
];

describe.each(lasting)("%s that began in the callback of a request under an ended interception", (_what, begin) => {
  /** Begins it in the callback of a request to a path, and ends the interception elsewhere. */
  async function beginIn(path: string, work: () => Promise<unknown>): Promise<() => Promise<unknown>> {
    using _ = intercept(echoService(base));
    return await new Promise((resolve, reject) => {
      http
        .get(`${base}${path}`, (response) => {
          response.resume();
          begin(work).then((use) => setImmediate(resolve, use), reject);
        })
        .on("error", reject);
    });
  }

  test.each(clients)("calls the next interception by $name", async ({ call: send }) => {
    const use = await beginIn("/first", () => outcomeOf(send(`${base}/first`)));
    const next = echoService(base);
    using _ = intercept(next);
    expect(String(await use())).toBe("200");
    expect(next.seen.map(({ path }) => path)).toEqual(["/first"]);
  });

  test.each(clients)("calls another service that is intercepted by $name", async ({ call: send }) => {
    using _ = intercept(echoService("http://another.example"));
    const use = await beginIn("/first", () => outcomeOf(send("http://another.example/first")));
    expect(String(await use())).toBe("200");
  });

  test.each(["/status/404", "/status/503", "/moved"])("calls another path after an answer to %s", async (path) => {
    const use = await beginIn(path, () => outcomeOf(call(`${base}/other`)));
    using _ = intercept(echoService(base));
    expect(String(await use())).toBe("200");
  });
});

describe("the real host is reached again", () => {
  test("a turn of the event loop after its end, when every call was answered", async () => {
    const network = intercept(echoService(base));
    expect((await call(`${base}/thing`)).status).toBe(200);
    expect((await fetch(`${base}/thing`)).status).toBe(200);
    network.close();
    expect(await outcomeOf(call(`${base}/too-early`))).toBe("WORLD_ENDED");
    await turn();
    expect((await call(`${base}/after`)).status).toBe(200);
    expect(reached).toEqual(["connection", "request /after"]);
  });

  test("once the calls that were on their way have been answered", async () => {
    const service = echoService(base);
    const network = intercept(service);
    const arrival = service.arrival();
    const answered = call(`${base}/thing`);
    await arrival;
    network.close();
    expect((await answered).status).toBe(200);
    await turn();
    expect((await call(`${base}/after`)).status).toBe(200);
    expect(reached).toEqual(["connection", "request /after"]);
  });

  test("at other addresses, whatever is on its way", async () => {
    const network = intercept(echoService("http://elsewhere.example"));
    const late = outcomeOf(call("http://elsewhere.example/"));
    network.close();
    expect((await call(`${base}/other`)).status).toBe(200);
    expect(await late).toBe("WORLD_ENDED");
  });
});

describe.each([
  ["a call that broke off", brokenOff],
  ["a redirect", moved],
  ["a status that clients retry", unavailable],
] as const)("a host that stays closed after %s", (_what, answer) => {
  beforeEach(async () => {
    interceptUntilAnswered(answer);
    await call(`${base}/first`).catch(() => undefined);
    await turn();
    const failure: unknown = await call(`${base}/closed`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "WORLD_ENDED" });
    expect(String(failure)).toContain("name it in the option allow of a further intercept()");
  });

  test.each([...clients, ...queues])("is answered by the next interception of $name", async ({ call: send }) => {
    const next = echoService(base);
    using _ = intercept(next);
    expect(await outcomeOf(send(`${base}/of-the-next`))).toBe(200);
    expect(reached).toEqual([]);
  });

  test.each([
    ["the host", () => base],
    ["a path", () => `${base}/allowed`],
    ["a regular expression", () => /\/allowed/],
  ] as const)("is reached under an interception of another host that allows %s", async (_allowed, allow) => {
    using _ = intercept(echoService("http://another.example"), { allow: [allow()] });
    for (const { call: send } of [...clients, ...queues])
      expect(await outcomeOf(send(`${base}/allowed/thing`))).toBe(200);
    expect(reached).toContain("request /allowed/thing");
  });
});

test.each(queues)(
  "a call that waits does not reach a host that a later interception allows, by $name",
  async (queue) => {
    const { network, first, queued, answer } = await queueBehindOne(queue.call);
    network.close();
    using _ = intercept(echoService("http://another.example"), { allow: [base] });
    answer();
    expect([await first, await queued]).toEqual([200, "WORLD_ENDED"]);
    expect(reached.filter((what) => what.startsWith("request"))).toEqual([]);
    expect(await outcomeOf(call(`${base}/allowed`))).toBe(200);
  },
);

/** Asks for another protocol, which no simulator speaks. */
const upgrades: readonly (readonly [client: string, upgrade: (url: string) => Promise<unknown>])[] = [
  ["undici.upgrade", (url) => undici.upgrade(url, { protocol: "websocket" })],
  [
    "node:http",
    (url) =>
      new Promise((resolve, reject) => {
        http
          .get(url, { headers: { connection: "upgrade", upgrade: "websocket" } }, (response) =>
            response.resume().on("end", resolve),
          )
          .on("error", reject);
      }),
  ],
];

test.each(upgrades)(
  "the real host is reached again after a call of %s that asked for an upgrade",
  async (_, upgrade) => {
    const network = intercept(echoService(base));
    await upgrade(`${base}/status/404`).catch(() => undefined);
    network.close();
    await turn();
    expect(await outcomeOf(call(`${base}/after`))).toBe(200);
  },
);

test("a try of ky or of a loop around a call is a new call, which belongs to the interception in which it is made", async () => {
  const tries: readonly (() => Promise<{ readonly status: number }>)[] = [
    async () => ky(`${base}/again`, { retry: { limit: 1, delay: () => 1 } }),
    async () => {
      const first = await call(`${base}/again`);
      return first.status === 503 ? call(`${base}/again`) : first;
    },
  ];
  for (const again of tries) {
    const next = echoService(base);
    let network: Network | undefined;
    interceptUntilAnswered(unavailable, () => (network = intercept(next)));
    expect((await again()).status).toBe(200);
    network?.close();
    expect(next.seen.map(({ path }) => path)).toEqual(["/again"]);
  }
  expect(reached).toEqual([]);
});

test("a server of this machine is reached again whatever a call came to, as a later test may have its port", async () => {
  const { port } = real.address() as AddressInfo;
  const network = intercept(echoService(`http://127.0.0.1:${port}`));
  expect((await call(`http://127.0.0.1:${port}/status/503`)).status).toBe(503);
  network.close();
  await turn();
  expect((await call(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(reached).toHaveLength(2);
});

describe("connections that were opened before the interception", () => {
  test.each([
    ["an agent of node:http", overNode(new http.Agent({ keepAlive: true }))],
    ["the named request of node:http", overNode(http.globalAgent)],
  ])("are not used again by %s", async (_, send) => {
    await send(`${base}/before`);
    const service = echoService(base);
    using __ = intercept(service);
    expect((await send(`${base}/intercepted`)).status).toBe(200);
    expect(service.seen).toHaveLength(1);
    expect(reached.at(-1)).toBe("request /before");
  });

  test("carry no call of node:http that waited for them", async () => {
    const busy = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    real.removeAllListeners("request").on("request", ({ url }, response) => {
      reached.push(`request ${url}`);
      busy.resolve();
      void answer.promise.then(() => response.end());
    });
    const send = overNode(new http.Agent({ keepAlive: true, maxSockets: 1 }));
    const before = send(`${base}/before`);
    await busy.promise;
    using _ = intercept(echoService(base));
    const queued = send(`${base}/intercepted`).catch((error: unknown) => error);
    answer.resolve();
    await before;
    expect(codesOf(await queued)).toContain("UNEXPECTED_REQUEST");
    expect(reached.at(-1)).toBe("request /before");
  });

  test("carry no call of undici, which says so", async () => {
    const send = overUndici((origin) => new undici.Client(origin));
    await send(`${base}/before`);
    using _ = intercept(echoService(base));
    const failure: unknown = await send(`${base}/intercepted`).catch((error: unknown) => error);
    expect(codesOf(failure)).toContain("UNEXPECTED_REQUEST");
    expect(reached.at(-1)).toBe("request /before");
    // The client has given up that connection.
    expect((await send(`${base}/intercepted`)).status).toBe(200);
    expect(reached.at(-1)).toBe("request /before");
  });
});

describe("a client that was loaded under the interception", () => {
  const load = createRequire(import.meta.url);

  test.each(["axios", "node:https", "undici"])("is intercepted, and its calls do not leave: %s", async (name) => {
    const service = echoService();
    const network = intercept(service);
    const loaded: unknown = load(name);
    const url = "https://api.pay.example/thing";
    const send = async (): Promise<{ readonly status: number }> => {
      if (name === "axios") return (loaded as AxiosStatic).get(url);
      if (name === "undici") return { status: (await (loaded as typeof undici).request(url)).statusCode };
      return new Promise((resolve, reject) => {
        (loaded as typeof https)
          .get(url, (response) => resolve({ status: response.resume().statusCode ?? 0 }))
          .on("error", reject);
      });
    };
    expect((await send()).status).toBe(200);
    const late = outcomeOf(send());
    network.close();
    expect(await late).toBe("WORLD_ENDED");
    expect(service.seen).toHaveLength(1);
    expect(lookedUp).toEqual([]);
  });
});
