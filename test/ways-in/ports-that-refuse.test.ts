import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { intercept, type Network } from "centavo/node";
import { Client } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

let network: Network;

beforeEach(() => {
  network = intercept(echoService());
});

afterEach(() => network.close());

/** Every name leads to this machine, so that a test needs no network to play a remote one. */
const lookup: net.LookupFunction = (_host, options, done) => {
  if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
  else done(null, "127.0.0.1", 4);
};

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The events of a socket until it closes. */
function eventsOf(socket: net.Socket): Promise<unknown[]> {
  const events: unknown[] = [];
  for (const event of ["connect", "ready", "secureConnect"]) socket.on(event, () => events.push(event));
  socket.on("error", (error: NodeJS.ErrnoException) => events.push(error.code));
  return new Promise((resolve) => socket.on("close", () => resolve(events)));
}

/** A server that sends back what it gets and counts who connects, on a port of its own. */
async function openPort(): Promise<{ port: number; connections: () => number; close: () => Promise<void> }> {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe("a closed port of another machine", () => {
  test("is refused to an HTTP client before anything was connected", async () => {
    const request = http.get(`http://elsewhere.example:${await closedPort()}/`, { lookup });
    const error = await new Promise((resolve) => request.on("error", resolve).on("response", resolve));
    expect(error).toMatchObject({ code: "UNEXPECTED_REQUEST" });
  });
});

describe("an open port of another machine", () => {
  const texts = (socket: net.Socket): Promise<string> =>
    new Promise((resolve, reject) => {
      socket.once("data", (data) => resolve(data.toString()));
      socket.on("error", reject);
    });

  test("is open to a raw socket, which writes once it is connected", async () => {
    const server = await openPort();
    const socket = net.connect({ host: "database.example", port: server.port, lookup }, () => socket.write("hi"));
    expect(await texts(socket)).toBe("hi");
    socket.destroy();
    await server.close();
  });

  test("is open to a raw socket, which writes while it connects", async () => {
    const server = await openPort();
    const socket = net.connect({ host: "database.example", port: server.port, lookup });
    socket.on("connectionAttempt", () => setImmediate(() => setImmediate(() => socket.write("hi"))));
    expect(await texts(socket)).toBe("hi");
    socket.destroy();
    await server.close();
  });

  test("is left alone when the socket is given up at once", async () => {
    const server = await openPort();
    const socket = net.connect({ host: "database.example", port: server.port, lookup });
    socket.destroy();
    expect(await eventsOf(socket)).toEqual([]);
    await server.close();
    expect(server.connections()).toBe(0);
  });

  test.each<[string, (port: number) => Promise<unknown>]>([
    ["http", (port) => failure(http.get(`http://elsewhere.example:${port}/`, { lookup }))],
    ["https", (port) => failure(https.get(`https://elsewhere.example:${port}/`, { lookup }))],
    [
      "undici",
      async (port) => {
        const dispatcher = new Client(`http://elsewhere.example:${port}`, { connect: { lookup } });
        const error = await dispatcher.request({ path: "/", method: "GET" }).catch((thrown: unknown) => thrown);
        await dispatcher.destroy();
        return error;
      },
    ],
  ])("hears nothing of a request that is refused over %s", async (_, request) => {
    const server = await openPort();
    expect(await request(server.port)).toMatchObject({ code: "UNEXPECTED_REQUEST" });
    await server.close();
    expect(server.connections()).toBe(0);
  });
});

function failure(request: http.ClientRequest): Promise<unknown> {
  return new Promise((resolve) => request.on("error", resolve).on("response", resolve));
}
