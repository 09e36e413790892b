import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { connectSimulator } from "centavo/client";
import { expect, onTestFinished, test } from "vitest";
import { served, serveProcess } from "./served.ts";
import type { ServeProcess } from "./served.ts";

/** A receiver of webhooks that answers when the test says so. */
async function slowHooks(): Promise<{
  url: string;
  arrived: Promise<void>;
  answer: () => void;
  answered: () => number;
}> {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let count = 0;
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    incoming.resume();
    arrived.resolve();
    await answer.promise;
    count += 1;
    outgoing.end();
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, arrived: arrived.promise, answer: answer.resolve, answered: () => count };
}

test.for(["SIGTERM", "SIGINT"] as const)("%s delivers what is due, and exits with 0", async (signal) => {
  const hooks = await slowHooks();
  const { child, client, ended, errors } = await serveProcess("--webhook-url", hooks.url);
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" });
  await hooks.arrived;
  child.kill(signal);
  hooks.answer();
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(hooks.answered()).toBe(1);
  expect(errors()).toBe("");
});

test("a request that came before is answered, on a connection that then ends, and those after are refused", async () => {
  const { child, greeting, ended } = await serveProcess();
  const { hostname, port } = new URL(greeting.url);
  const idle = connect(Number(port), hostname);
  await once(idle, "connect");
  const body = "grant_type=client_credentials&client_id=nobody&client_secret=none";
  const headers = { "content-type": "application/x-www-form-urlencoded", expect: "100-continue" };
  const call = request({
    hostname,
    port,
    path: "/oauth",
    method: "POST",
    headers,
    agent: new Agent({ keepAlive: true }),
  });
  call.flushHeaders();
  await once(call, "continue");
  child.kill("SIGTERM");
  await stopping(greeting.url);
  const refused = await fetch(`${greeting.url}/.well-known/jwks.json`);
  expect([refused.status, refused.headers.get("connection")]).toEqual([503, "close"]);
  expect(await refused.json()).toMatchObject({
    error: { code: "STOPPING", message: expect.stringContaining("This server is stopping") as string },
  });
  expect((await fetch(`${greeting.url}/_centavo/health`)).status).toBe(200);
  const answered = once(call, "response");
  call.end(body);
  const [answer] = (await answered) as [IncomingMessage];
  answer.resume();
  expect([answer.statusCode, answer.headers.connection]).toEqual([401, "close"]);
  expect(await ended).toEqual({ code: 0, signal: null });
});

/** Resolves when a server says that it stops. */
async function stopping(url: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/_centavo/ready`);
    if (status === 503) return;
    expect(status).toBe(200);
  }
}

/** Starts a server, and calls it. It has the call, and never answers. */
async function withACallThatHangs(): Promise<ServeProcess & { readonly broken: Promise<void> }> {
  const running = await serveProcess();
  const { client, greeting } = running;
  const fault = await connectSimulator(greeting.url, { token: greeting.controlToken }).faults.add({
    kind: "request.hang",
    route: "subscription-plan.list",
  });
  const broken = expect(client.plans.list()).rejects.toThrow();
  await fault.struck();
  return { ...running, broken };
}

test("a second signal ends it at once, with 128 and its number", async () => {
  const { child, ended, greeting, broken } = await withACallThatHangs();
  child.kill("SIGINT");
  await stopping(greeting.url);
  child.kill("SIGINT");
  expect(await ended).toEqual({ code: 130, signal: null });
  await broken;
});

test("what takes too long is left, and told", async () => {
  const { server } = await served({ faults: [{ kind: "request.hang", method: "POST" }] });
  const { hostname, port } = new URL(server.url);
  const call = request({ hostname, port, path: "/oauth", method: "POST", headers: { expect: "100-continue" } });
  const broken = once(call, "error");
  call.flushHeaders();
  await once(call, "continue");
  call.end();
  expect(await server.stop(50)).toBe("Stopped, but some requests were not answered.");
  await broken;
});

test("events that take too long are left, and told", async () => {
  const hooks = await slowHooks();
  const { server, client } = await served({ webhookUrl: hooks.url });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" });
  await hooks.arrived;
  expect(await server.stop(50)).toBe("Stopped, but some events were not delivered.");
});

test("ten seconds later it leaves what goes on, says so, and exits with 3", async () => {
  const { child, ended, errors, broken } = await withACallThatHangs();
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 3, signal: null });
  expect(errors()).toBe("Stopped, but some requests were not answered.\n");
  await broken;
});

test("a server whose output nobody reads any more goes on, and stops as ever", async () => {
  const { child, client, ended, errors } = await serveProcess();
  child.stdout?.destroy();
  for (let count = 0; count < 3; count += 1) await client.paymentIntents.create({ amount: 10_000 });
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(errors()).toBe("");
});
