import net from "node:net";
import { once } from "node:events";
import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import type { SimulatorServer } from "centavo/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { served } from "../server/served.ts";

/** Sends the beginning at once and then a byte whenever the event loop has turned, until the server ends the connection. */
async function trickle({ url }: SimulatorServer, beginning: string, byte: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  socket.on("error", () => undefined);
  socket.write(beginning);
  const drip = setInterval(() => socket.write(byte), 5);
  await once(socket, "close");
  clearInterval(drip);
  return received;
}

describe("a client that never comes to the end of its request is cut off", () => {
  test.each([
    ["that says nothing", "", ""],
    ["of whose first line a byte comes at a time", "GET /", "a"],
    ["of whose headers a byte comes at a time", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "a"],
    [
      "of whose body a byte comes at a time",
      "POST /oauth HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
      "a",
    ],
    [
      "of whose chunks one byte comes at a time",
      "POST /oauth HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
      "1\r\na\r\n",
    ],
  ])("%s", async (_what, beginning, byte) => {
    const server = await served({ requestTimeout: 100 });
    expect(await trickle(server, beginning, byte)).toMatch(/^HTTP\/1.1 408 /);
    expect((await fetch(`${server.url}/_centavo/health`)).status).toBe(200);
  });

  test("a hundred of them hold up nobody", async () => {
    const server = await served({ requestTimeout: 100 });
    const slow = Array.from({ length: 100 }, () => trickle(server, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "a"));
    expect((await fetch(`${server.url}/.well-known/jwks.json`)).status).toBe(200);
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });
});

test("a call that the service answers late is not cut off, nor a connection that waits for its next request", async () => {
  const sim = createSimulator({ clock: "manual" });
  sim.faults.add({ kind: "request.latency", delay: "1 hour", times: 1 });
  const server = await serve(sim, { requestTimeout: 100 });
  onTestFinished(() => server.close());
  const { port, hostname } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  const next = async (): Promise<string> => String((await once(socket, "data"))[0]).slice(0, 12);
  const ask = (): boolean => socket.write("GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ask();
  const first = next();
  // Others are cut off meanwhile.
  await trickle(server, "GET /", "a");
  await trickle(server, "GET /", "a");
  await sim.clock.advance("1 hour");
  expect(await first).toBe("HTTP/1.1 200");
  await trickle(server, "GET /", "a");
  await trickle(server, "GET /", "a");
  ask();
  expect(await next()).toBe("HTTP/1.1 200");
  socket.destroy();
});

test.each([0, -1, 1.5, Number.NaN, "1 second"])("a patience of %s is refused", async (requestTimeout) => {
  await expect(serve(createSimulator(), { requestTimeout: requestTimeout as number })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining("requestTimeout") as string,
  });
});
