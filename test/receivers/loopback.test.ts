import { describe, expect, test } from "vitest";
import { listen, type NodeListener } from "../../src/kit/base/runtime/http.ts";
import { loopbackReceiver } from "../../src/kit/receivers/receiver.ts";

const listener: NodeListener = (req, res) => void res.end(`${req.method} ${req.url} at ${req.headers.host}`);

describe("a receiver that is not connected", () => {
  test("is reached by real HTTP on this machine", async () => {
    const server = await listen(listener);
    const { port } = new URL(server.url);
    for (const host of ["127.0.0.1", "localhost"]) {
      const request = new Request(`http://${host}:${port}/hooks?try=1`, { method: "POST", body: "{}" });
      expect(await loopbackReceiver().send(request)).toEqual({
        kind: "answered",
        status: 200,
        bodyExcerpt: `POST /hooks?try=1 at ${host}:${port}`,
      });
    }
    await server.close();
  });

  test("has refused the connection when nothing listens there", async () => {
    const server = await listen(listener);
    await server.close();
    expect(await loopbackReceiver().send(new Request(`${server.url}/hooks`, { method: "POST" }))).toMatchObject({
      reason: "refused",
      message: expect.stringContaining(
        `nothing listens there. Start it first, or connect the app with sim.connect("${server.url}", app)`,
      ) as unknown,
    });
  });

  test.each(["127.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "shop.localhost"])("is looked for at %s", async (host) => {
    const outcome = await loopbackReceiver().send(new Request(`http://${host}:1/hooks`, { method: "POST" }));
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.not.stringMatching("not-connected") as unknown });
  });

  test("is given up when it does not answer in time", async () => {
    const server = await listen((req) => void req.resume());
    expect(await loopbackReceiver({ receiverTimeout: 50 }).send(new Request(server.url))).toMatchObject({
      reason: "timeout",
    });
    await server.close();
  });

  test.each([
    "https://shop.example",
    "http://host.docker.internal:3000",
    "http://shop:3000",
    "http://localhost.shop.example:3000",
    "http://192.168.0.1",
    "http://128.0.0.1",
  ])("is not reached at %s, and the message says what to connect", async (origin) => {
    expect(await loopbackReceiver().send(new Request(`${origin}/hooks`, { method: "POST" }))).toEqual({
      kind: "failed",
      reason: "not-connected",
      message:
        `No app is connected at ${origin}, so POST ${origin}/hooks was not sent. Connect the merchant's app with ` +
        `sim.connect("${origin}", app), or use the loopback URL of a server that this test runs. Of an app in a container, ` +
        "give the loopback address of its published port as webhookUrl; to send to any other host, connect { fetch: (request) => fetch(request) }.",
    });
  });
});
