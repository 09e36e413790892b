import dns from "node:dns";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import tls from "node:tls";
import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { beforeEach, describe, expect, test, vi } from "vitest";

const host = "api.pay.example";
const lookUp = vi.spyOn(dns, "lookup");

beforeEach(() => void lookUp.mockClear());

async function errorOf(emitter: NodeJS.EventEmitter): Promise<unknown> {
  const [error] = (await once(emitter, "error")) as [unknown];
  return error;
}

/** What the client of each sends is no request of HTTP. */
const broken: Readonly<Record<string, () => NodeJS.EventEmitter>> = {
  "a body that is longer than its Content-Length, by node:http": () => {
    const agent = new http.Agent({ keepAlive: true });
    const request = http.request(`http://${host}/oauth`, { agent, method: "POST", headers: { "content-length": 4 } });
    const connected = new net.Socket();
    request.on("socket", (socket: net.Socket) => socket.on("error", (error) => connected.emit("error", error)));
    request.on("error", () => undefined).end("client_secret=secret");
    return connected;
  },
  "a line that is no header": () => {
    const socket = net.connect(80, host);
    socket.write("GET /api/transactions HTTP/1.1\r\nno header\r\n\r\n");
    return socket;
  },
  "another protocol": () => {
    const socket = net.connect(80, host);
    socket.write("HELO shop.example\r\n");
    return socket;
  },
  "another protocol over TLS": () => {
    const socket = tls.connect({ host, port: 443 });
    socket.write("HELO shop.example\r\n");
    return socket;
  },
};

describe.for(Object.keys(broken))("%s", (name) => {
  test.for([
    ["of the service", { baseUrl: `http://${host}`, authUrl: `https://${host}` }],
    ["of an app", { baseUrl: "https://service.example" }],
  ] as const)("does not leave for the address %s, and is noticed", async ([, options]) => {
    await using sim = createSimulator(options);
    sim.connect("http://api.pay.example", () => new Response());
    sim.connect("https://api.pay.example", () => new Response());
    intercept(sim);
    // Over TLS, the library tells the client only that the socket is closed.
    await errorOf((broken[name] as () => NodeJS.EventEmitter)());
    expect(lookUp).not.toHaveBeenCalled();
    expect(sim.journal.entries.filter(({ kind }) => kind === "refused")).toMatchObject([
      { volatile: { reason: expect.stringContaining("it carries something else than a request of HTTP") as string } },
    ]);
  });
});

test("another protocol still reaches a host that is allowed", async () => {
  const server = net.createServer((socket) => socket.on("data", () => socket.end("welcome"))).listen(0);
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  await using sim = createSimulator({ baseUrl: `http://${host}/v1` });
  intercept(sim, { allow: [`http://mail.example:${port}`] });
  const lookup: net.LookupFunction = (_host, options, done) => {
    if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
    else done(null, "127.0.0.1", 4);
  };
  const socket = net.connect({ port, host: "mail.example", lookup });
  socket.write("HELO shop.example\r\n");
  expect(String((await once(socket, "data"))[0])).toBe("welcome");
  server.close();
});
