import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import axios from "axios";
import { intercept, type Network } from "centavo/node";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { echoService, type EchoService } from "../../ways-in/echo-service.ts";

/** A proxy as it runs on many machines of developers: it forwards whole URLs, and opens tunnels. */
let proxy: http.Server;
let proxyUrl: string;
/** The real host behind the proxy. */
let real: http.Server;
let realUrl: string;
let forwarded: string[];
let service: EchoService;
let network: Network;

beforeEach(async () => {
  forwarded = [];
  real = http.createServer((_request, response) => response.end("real"));
  proxy = http.createServer((request, response) => {
    forwarded.push(`${request.method} ${request.url}`);
    request.pipe(
      http.request({ port: portOf(real), path: "/", method: request.method }, (answer) => answer.pipe(response)),
    );
  });
  proxy.on("connect", ({ url }, socket) => {
    forwarded.push(`CONNECT ${url}`);
    const far = net.connect(portOf(real));
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    socket.pipe(far).pipe(socket);
    socket.on("error", () => far.destroy());
    far.on("error", () => socket.destroy());
  });
  await Promise.all(
    [real, proxy].map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
  );
  proxyUrl = `http://127.0.0.1:${portOf(proxy)}`;
  realUrl = `http://other.example:${portOf(real)}`;
  service = echoService("http://api.pay.example");
});

afterEach(() => {
  network.close();
  for (const server of [real, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port;
}

/** The messages of an error and of all its causes. */
function messages(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messages(error.cause)}` : "";
}

type Send = (url: string) => Promise<string>;

/** Opens a client, which keeps its connections to the proxy. */
const clientsOfProxies: readonly (readonly [name: string, open: () => Send])[] = [
  [
    "axios",
    () => async (url) => {
      const options = { proxy: { host: "127.0.0.1", port: portOf(proxy) }, responseType: "text" as const };
      return (await axios.get<string>(url, { ...options, transformResponse: (text: string) => text })).data;
    },
  ],
  [
    "node:http with a keep-alive agent",
    () => {
      const agent = new http.Agent({ keepAlive: true });
      return (url) => overNode({ agent, host: "127.0.0.1", port: portOf(proxy), path: url });
    },
  ],
  [
    "node:http with the proxy of its agent",
    () => {
      // Next's types, which this program has too, require NODE_ENV of every environment.
      const agent = new http.Agent({ keepAlive: true, proxyEnv: { NODE_ENV: "test", HTTP_PROXY: proxyUrl } });
      return (url) => overNode({ agent, ...urlParts(url) });
    },
  ],
  ["undici's ProxyAgent", () => overUndici(new undici.ProxyAgent(proxyUrl))],
  [
    "undici's ProxyAgent without tunnels",
    () => overUndici(new undici.ProxyAgent({ uri: proxyUrl, proxyTunnel: false })),
  ],
  ["undici's EnvHttpProxyAgent", () => overUndici(new undici.EnvHttpProxyAgent({ httpProxy: proxyUrl, noProxy: "" }))],
];

function urlParts(url: string): http.RequestOptions {
  const { hostname, port, pathname, search } = new URL(url);
  return { host: hostname, port: port === "" ? 80 : Number(port), path: pathname + search };
}

function overNode(options: http.RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(options, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => (body += text));
        response.on("end", () => resolve(body));
      })
      .on("error", reject);
  });
}

function overUndici(dispatcher: undici.Dispatcher): Send {
  return async (url) => (await undici.request(url, { dispatcher })).body.text();
}

/** Agents of Node have a proxy since 22.21 and 24.5, which brought this flag too. */
const agentsHaveProxies = process.allowedNodeEnvironmentFlags.has("--use-env-proxy");
const clientsOfThisNode = clientsOfProxies.filter(
  ([name]) => agentsHaveProxies || name !== "node:http with the proxy of its agent",
);

describe.each(clientsOfThisNode)("%s", (_name, open) => {
  test("is answered by the interception, and the proxy of this machine sees nothing", async () => {
    network = intercept(service);
    const send = open();
    for (const path of ["/one?token=secret", "/two"])
      expect(await send(`http://api.pay.example${path}`)).toContain('"path":');
    expect(service.seen.map(({ path, query }) => path + query)).toEqual(["/one?token=secret", "/two"]);
    expect(forwarded).toEqual([]);
  });

  test("reaches through the proxy a host that is allowed, before and after an intercepted call", async () => {
    network = intercept(service, { allow: [realUrl] });
    const send = open();
    expect(await send(`${realUrl}/before`)).toBe("real");
    expect(await send("http://api.pay.example/thing")).toContain('"path":"/thing"');
    expect(await send(`${realUrl}/after`)).toBe("real");
    expect(service.seen.map(({ path }) => path)).toEqual(["/thing"]);
    expect(forwarded).toEqual([`GET ${realUrl}/before`, `GET ${realUrl}/after`]);
  });

  test("is refused a host that is not allowed, and the proxy sees nothing", async () => {
    network = intercept(service);
    const failure: unknown = await open()("http://elsewhere.example/path").catch((error: unknown) => error);
    expect(messages(failure)).toContain("Centavo refused GET http://elsewhere.example/path");
    expect(forwarded).toEqual([]);
  });

  test("sends nothing of a call on a connection to the proxy that was opened before", async () => {
    network = intercept(service, { allow: [realUrl] });
    network.close();
    const send = open();
    expect(await send(`${realUrl}/before`)).toBe("real");
    network = intercept(service);
    await send("http://api.pay.example/thing").catch(() => undefined);
    expect(forwarded).toEqual([`GET ${realUrl}/before`]);
  });
});

test.each([
  ["a tunnel of node:http", (target: string) => tunnel(target)],
  ["undici's ProxyAgent", (target: string) => overUndici(new undici.ProxyAgent(proxyUrl))(`https://${target}/`)],
])("%s to an intercepted host is refused by a message that names NO_PROXY", async (_name, send) => {
  network = intercept(echoService("https://api.pay.example"));
  const failure: unknown = await send("api.pay.example:443").catch((error: unknown) => error);
  expect(messages(failure)).toContain(
    "https://api.pay.example cannot be simulated behind a proxy: add its host to NO_PROXY",
  );
  expect(forwarded).toEqual([]);
});

test("a tunnel of plain HTTP to an intercepted host is refused too", async () => {
  network = intercept(service);
  const failure: unknown = await tunnel("api.pay.example:80").catch((error: unknown) => error);
  expect(messages(failure)).toContain("http://api.pay.example cannot be simulated behind a proxy");
  expect(forwarded).toEqual([]);
});

test("a tunnel to a host that is allowed carries what its client sends", async () => {
  network = intercept(service, { allow: ["https://other.example"] });
  expect(await tunnel("other.example:443")).toContain("real");
  expect(forwarded).toEqual(["CONNECT other.example:443"]);
});

test("a connection that a callback of a call opens is not taken for that call", async () => {
  network = intercept(service);
  const greeting = new Promise((resolve, reject) => {
    http
      .get("http://api.pay.example/thing", (response) => {
        response.resume();
        // A database's server speaks first.
        const database = net
          .createServer((socket) => socket.end("hello"))
          .listen(0, () => {
            const { port } = database.address() as AddressInfo;
            net
              .connect(port)
              .setEncoding("utf8")
              .on("data", resolve)
              .on("close", () => database.close());
          });
      })
      .on("error", reject);
  });
  expect(await greeting).toBe("hello");
});

/** Opens a tunnel through the proxy, and asks the far end for a page. */
function tunnel(target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .request({ host: "127.0.0.1", port: portOf(proxy), method: "CONNECT", path: target })
      .on("connect", (_response, socket) => {
        socket.write("GET / HTTP/1.1\r\nhost: other.example\r\nconnection: close\r\n\r\n");
        socket.setEncoding("utf8").on("data", resolve);
      })
      .on("error", reject)
      .end();
  });
}
