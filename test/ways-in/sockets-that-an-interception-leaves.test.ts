import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { intercept } from "centavo/node";
import * as undici from "undici";
import { describe, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

type Send = (url: string) => Promise<unknown>;

function overNode(agentOptions: http.AgentOptions): Send {
  return (url) =>
    new Promise((resolve, reject) => {
      const module = url.startsWith("https:") ? https : http;
      const agent = new module.Agent(agentOptions);
      module
        .get(url, { agent }, (response) => {
          response.resume().on("end", () => {
            agent.destroy();
            resolve(undefined);
          });
        })
        .on("error", reject);
    });
}

async function overUndici(url: string): Promise<void> {
  const dispatcher = new undici.Agent();
  const { body } = await undici.request(url, { dispatcher });
  await body.dump();
  await dispatcher.close();
}

const clients: readonly (readonly [name: string, send: Send])[] = [
  ["node without keep-alive", overNode({ keepAlive: false })],
  ["node with keep-alive", overNode({ keepAlive: true })],
  ["undici", overUndici],
];

/** How many handles of sockets the process holds open. */
function openHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
}

/** Lets sockets that are closing close. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(["http://api.pay.example", "https://api.pay.example"])("calls to %s", (base) => {
  test.each(clients)("leave no handle open when they are answered: %s", async (_name, send) => {
    const before = openHandles();
    for (let count = 0; count < 5; count += 1) {
      const network = intercept(echoService(base));
      for (let call = 0; call < 3; call += 1) await send(`${base}/thing`);
      network.close();
    }
    await turns();
    expect(openHandles()).toBe(before);
  });

  test.each(clients)("leave no handle open when they are refused or break off: %s", async (_name, send) => {
    const before = openHandles();
    using _ = intercept(echoService(base));
    await send(`${base}/reset`).catch(() => undefined);
    await send(base.replace("api.pay", "elsewhere")).catch(() => undefined);
    await turns();
    expect(openHandles()).toBe(before);
  });
});

test("a socket is listened to once, however often it is judged", async () => {
  using _ = intercept(echoService("https://api.pay.example"));
  const request = https.get("https://api.pay.example/thing");
  const [socket] = (await once(request, "socket")) as [net.Socket];
  const listeners = socket.listeners("close").filter((listener) => String(listener).includes("_handle"));
  request.on("response", (response: http.IncomingMessage) => response.resume());
  await once(request, "close");
  expect(listeners).toHaveLength(1);
});

test("a connection to a server of this machine closes as it does without an interception", async () => {
  const server = net.createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const before = openHandles();
  using _ = intercept(echoService());
  const socket = net.connect(port, "127.0.0.1").resume();
  await once(socket, "close");
  server.close();
  await once(server, "close");
  await turns();
  expect(openHandles()).toBe(before);
});
