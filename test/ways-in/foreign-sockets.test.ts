import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { intercept, type Network } from "centavo/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

let network: Network;
const servers: net.Server[] = [];
const sockets: net.Socket[] = [];

beforeEach(() => {
  network = intercept(echoService(), { allow: ["http://allowed.example"] });
});

afterEach(() => {
  network.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: net.Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return (server.address() as AddressInfo).port;
}

/** Every name leads to this machine, so that a test needs no network to play a remote one. */
const lookup: net.LookupFunction = (_host, options, done) => {
  if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
  else done(null, "127.0.0.1", 4);
};

function connect(host: string, port: number): net.Socket {
  const socket = net.connect({ host, port, lookup }).setEncoding("utf8");
  sockets.push(socket);
  return socket;
}

function firstData(socket: net.Socket): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.once("data", resolve);
    socket.once("error", reject);
  });
}

describe.each(["127.0.0.1", "localhost", "database.example"])("a database at %s", (host) => {
  test("that greets its clients is reached", async () => {
    const port = await listening(net.createServer((socket) => socket.write("5.7.0 ready")));
    expect(await firstData(connect(host, port))).toBe("5.7.0 ready");
  });

  test("that waits for a start-up message is reached", async () => {
    const port = await listening(
      net.createServer((socket) => socket.on("data", (bytes) => socket.write(`got ${bytes.length}`))),
    );
    const socket = connect(host, port);
    socket.once("connect", () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
    expect(await firstData(socket)).toBe("got 8");
  });

  test("that is down is reported down", async () => {
    const port = await listening(net.createServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await expect(firstData(connect(host, port))).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("an HTTP/2 client", () => {
  function get(session: http2.ClientHttp2Session): Promise<unknown> {
    return new Promise((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": "/" });
      stream.on("error", () => undefined);
      stream
        .setEncoding("utf8")
        .on("data", resolve)
        .on("close", () => session.close());
    });
  }

  test("reaches a server on a loopback address", async () => {
    const port = await listening(http2.createServer((_request, response) => response.end("h2")));
    expect(await get(http2.connect(`http://127.0.0.1:${port}`))).toBe("h2");
  });

  test("reaches a server that is allowed", async () => {
    network.close();
    const port = await listening(http2.createServer((_request, response) => response.end("h2")));
    network = intercept(echoService(), { allow: [`http://allowed.example:${port}`] });
    expect(await get(http2.connect(`http://allowed.example:${port}`, { lookup } as http2.ClientSessionOptions))).toBe(
      "h2",
    );
  });

  test.each(["https://elsewhere.example", "http://elsewhere.example"])("is refused %s", async (origin) => {
    await expect(get(http2.connect(origin))).rejects.toMatchObject({ code: "UNEXPECTED_REQUEST" });
  });

  test("is told that the service speaks HTTP/1.1", async () => {
    await expect(get(http2.connect("https://api.pay.example"))).rejects.toThrow("it is answered in HTTP/1.1");
  });
});

test("a kept-alive connection to a loopback server is used again", async () => {
  const port = await listening(http.createServer((_request, response) => response.end("ok")));
  const agent = new http.Agent({ keepAlive: true });
  const ports = new Set<number | undefined>();
  for (const path of ["/1", "/2", "/3"]) {
    await new Promise((resolve, reject) => {
      http
        .get({ port, path, agent }, (response) => {
          ports.add(response.socket.localPort);
          response.resume().on("end", resolve);
        })
        .on("error", reject);
    });
  }
  agent.destroy();
  expect(ports.size).toBe(1);
});
