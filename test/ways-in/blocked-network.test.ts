import dns from "node:dns";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { createSimulator } from "centavo";
import { blockNetwork, type BlockNetworkOptions } from "centavo/no-network";
import { intercept } from "centavo/node";
import { simulated } from "centavo/testing";
import { http as mockHttp, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { takeUnhandled } from "../../src/kit/base/runtime/unhandled.ts";

const elsewhere = "https://elsewhere.example/";
const lookUp = vi.spyOn(dns, "lookup");
const thrown: Error[] = [];
let stopTaking: () => void;

beforeAll(() => {
  stopTaking = takeUnhandled((error) => {
    thrown.push(error as Error);
    return true;
  });
});

afterAll(() => stopTaking());

beforeEach(() => {
  thrown.length = 0;
  lookUp.mockClear();
});

// An uncaught error comes a turn of the event loop later.
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
afterEach(turn);

const failing: Record<string, (url: string) => Promise<NodeJS.ErrnoException>> = {
  fetch: (url) => fetch(url).then(unexpected, (error: Error) => error.cause as Error),
  "node:https": (url) => errorOf(https.get(url)),
  "node:http2": (url) => errorOf(http2.connect(url)),
  "node:net": (url) => errorOf(net.connect(443, new URL(url).hostname)),
  "node:tls": (url) => errorOf(tls.connect({ port: 443, host: new URL(url).hostname })),
};

function unexpected(): never {
  throw new Error("The call did not fail.");
}

async function errorOf(emitter: NodeJS.EventEmitter): Promise<Error> {
  const [error] = (await once(emitter, "error")) as [Error];
  return error;
}

test("importing centavo/no-network is enough", async () => {
  await expect(fetch(elsewhere)).rejects.toMatchObject({
    cause: {
      code: "UNEXPECTED_REQUEST",
      message: `Centavo refused a connection to elsewhere.example:443, because centavo/no-network blocks the network. No test of withSimulator or simulated made it; other tests are not known by name. To let it out, allow it in a set-up file: blockNetwork({ allow: ["https://elsewhere.example"] }).`,
    },
  });
});

test.each(Object.keys(failing))("%s is refused before it looks up a host", async (client) => {
  const error = await failing[client]?.("https://refused.example/");
  expect(error).toMatchObject({ code: "UNEXPECTED_REQUEST" });
  expect(lookUp).not.toHaveBeenCalled();
});

test("an address of another machine is refused, too", async () => {
  expect(await errorOf(net.connect(80, "192.0.2.1"))).toMatchObject({
    message: expect.stringContaining('allow: ["http://192.0.2.1"]') as string,
  });
});

test.each(["fe80::1%lo", "2001:db8::1", "no host"])(
  "%s, which has an odd name, is refused by an error event",
  async (host) => {
    const error = await errorOf(net.connect({ port: 443, host }));
    expect(error).toMatchObject({ code: "UNEXPECTED_REQUEST" });
  },
);

test("a server is reached by an empty name, which Node takes for this machine's", async () => {
  const server = net.createServer((socket) => socket.end("here")).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const socket of [net.connect({ port, host: "" }), net.connect(port, "")])
    expect(String((await once(socket, "data"))[0])).toBe("here");
  server.close();
});

test("the first refusal of each host is thrown, so that the run fails although the call was swallowed", async () => {
  for (const host of ["one.example", "two.example", "one.example"])
    await fetch(`https://${host}/`).catch(() => undefined);
  await turn();
  expect(thrown.map(({ message }) => /to (\S+):/.exec(message)?.[1])).toEqual(["one.example", "two.example"]);
});

test.each(["127.0.0.1", "localhost", "[::1]"])("a server on %s is reached", async (host) => {
  const server = http.createServer((_request, response) => response.end("here")).listen(0);
  await once(server, "listening");
  const answer = await fetch(`http://${host}:${(server.address() as AddressInfo).port}/`);
  expect(await answer.text()).toBe("here");
  server.closeAllConnections();
  server.close();
});

describe("what is allowed", () => {
  // Port 1 of this machine refuses, so a connection that leaves ends in ECONNREFUSED.
  const lookup: http.RequestOptions["lookup"] = (_host, options, done) => {
    if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
    else done(null, "127.0.0.1", 4);
  };
  const codeFor = async (url: string): Promise<string | undefined> =>
    ((await errorOf(http.get(url, { lookup }))) as NodeJS.ErrnoException).code;

  test.each([
    ["an origin", "http://allowed.example:1"],
    ["a URL with a path, which covers its host", "http://allowed.example:1/path"],
    ["an expression over the origin", /^http:\/\/allowed\.example:1\//],
  ])("leaves by %s", async (_how, entry) => {
    using _ = blockNetwork({ allow: [entry] });
    expect(await codeFor("http://allowed.example:1/")).toBe("ECONNREFUSED");
    expect(await codeFor("http://allowed.example:2/")).toBe("UNEXPECTED_REQUEST");
  });

  test("no longer leaves when its block is closed", async () => {
    blockNetwork({ allow: ["http://closed.example:1"] }).close();
    expect(await codeFor("http://closed.example:1/")).toBe("UNEXPECTED_REQUEST");
  });

  test("leaves by the option allow of a running interception", async () => {
    await using sim = createSimulator();
    intercept(sim, { allow: ["http://maps.example:1"] });
    expect(await codeFor("http://maps.example:1/")).toBe("ECONNREFUSED");
    await sim.close();
    expect(await codeFor("http://maps.example:1/")).toBe("UNEXPECTED_REQUEST");
  });

  test.each(["elsewhere.example", "localhost:1"])("is not %s, which has no scheme", (entry) => {
    expect(() => blockNetwork({ allow: [entry] })).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        message: `blockNetwork(): "${entry}" in "allow" is not a URL. Write the scheme too, as in "https://other.example", or use a regular expression.`,
      }),
    );
  });

  test("has no other option", () => {
    expect(() => blockNetwork({ alow: [] } as BlockNetworkOptions)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });
});

describe("a simulator", () => {
  test("answers, drops and refuses as without the block", async () => {
    await using sim = createSimulator({ baseUrl: "https://api.pay.example" });
    intercept(sim, { drop: ["https://telemetry.example"] });
    expect((await fetch("https://api.pay.example/.well-known/jwks.json")).status).toBe(200);
    expect((await fetch("https://telemetry.example/v1")).status).toBe(204);
    await expect(fetch(elsewhere)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("intercept(sim, {") as string },
    });
    expect(lookUp).not.toHaveBeenCalled();
  });

  test("names the test whose poller calls it after its end, and the run fails", async () => {
    let poll: () => Promise<Error> = unexpected;
    await simulated({ name: "a shop that polls" }, ({ network }) => {
      const after = Promise.withResolvers<Error>();
      const url = `${network.baseUrl}/api/transactions`;
      const inTest = Promise.withResolvers<void>();
      void inTest.promise.then(() => fetch(url).then(unexpected, ({ cause }: Error) => after.resolve(cause as Error)));
      poll = () => {
        inTest.resolve();
        return after.promise;
      };
    })();
    const error = await poll();
    expect(error.message).toContain('the test "a shop that polls" left running');
    await turn();
    expect(thrown).toEqual([error]);
    expect(lookUp).not.toHaveBeenCalled();
  });

  test("names the test whose poller calls another host after its end", async () => {
    const after = Promise.withResolvers<Error>();
    const inTest = Promise.withResolvers<void>();
    await simulated({ name: "a shop that sends mail" }, ({ network }) => {
      void network;
      void inTest.promise.then(() =>
        fetch("https://mail.example").then(unexpected, ({ cause }: Error) => after.resolve(cause as Error)),
      );
    })();
    inTest.resolve();
    expect((await after.promise).message).toContain(
      'It comes from code that the test "a shop that sends mail" left running: stop its timers',
    );
  });

  test("names its world for a call of other code after its end", async () => {
    const sim = createSimulator({ baseUrl: "https://ended.pay.example", seed: "ended" });
    intercept(sim);
    await sim.close();
    // In the turn in which it ends, any call there may be one of its own.
    await turn();
    expect((await failing["node:https"]?.("https://ended.pay.example/"))?.message).toContain(
      'It goes to an address of the simulator with the seed "ended", which has ended',
    );
  });
});

describe("a mock that starts later", () => {
  const server = setupServer(mockHttp.get("https://mocked.example/", () => HttpResponse.text("mocked")));

  test.each(["fetch", "node:https"])("answers %s, and what it lets through is refused", async (client) => {
    server.listen({ onUnhandledFrame: "bypass" });
    expect(await (await fetch("https://mocked.example/")).text()).toBe("mocked");
    const error = await failing[client]?.("https://bypassed.example/");
    expect(error?.message).toContain("centavo/no-network");
    expect(lookUp).not.toHaveBeenCalled();
    server.close();
  });

  test("answers beside an interception, too", async () => {
    await using sim = createSimulator({ baseUrl: "https://api.pay.example" });
    server.listen({ onUnhandledFrame: "bypass" });
    intercept(sim);
    expect(await (await fetch("https://mocked.example/")).text()).toBe("mocked");
    expect((await fetch("https://api.pay.example/.well-known/jwks.json")).status).toBe(200);
    expect((await failing["node:https"]?.("https://passed.example/"))?.message).toContain("centavo/no-network");
    server.close();
  });
});
