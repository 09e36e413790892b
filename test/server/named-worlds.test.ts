import { once } from "node:events";
import { request } from "node:http";
import { createSimulator } from "centavo";
import { connectSimulator, createClient } from "centavo/client";
import { serve } from "centavo/server";
import type { SimulatorServer } from "centavo/server";
import { describe, expect, test } from "vitest";
import { turns, woundTime } from "../clock-drivers/wound-time.ts";
import { errorOf, open, served, worlds } from "./served.ts";
import type { Opened } from "./served.ts";
import { newStateFile } from "./state/state-files.ts";

test("a world answers at its own address, with its own credentials and control API", async () => {
  const server = await served();
  const world = await open(server, "checkout", { now: "2026-05-01T00:00:00Z" });
  expect(world).toMatchObject({
    name: "checkout",
    baseUrl: `${server.url}/worlds/checkout`,
    controlUrl: `${server.url}/worlds/checkout/_centavo/api/v1`,
    now: "2026-05-01T00:00:00.000Z",
  });
  expect(world.authUrl).toBe(world.baseUrl);
  const client = createClient({ ...world.credentials, baseUrl: world.baseUrl });
  const intent = await client.paymentIntents.create({ amount: 10_000 });
  expect((await client.paymentIntents.status(intent.id)).status).toBe("requires_payment_method");
  const remote = connectSimulator(world.baseUrl, { token: server.token });
  await remote.clock.advance("1 hour");
  expect(await remote.clock.now()).toBe("2026-05-01T01:00:00.000Z");
});

test("the metadata of a world's issuer stands where RFC 8414 puts it, and names the world", async () => {
  const server = await served();
  const { baseUrl } = await open(server, "a");
  for (const path of [
    "/worlds/a/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/worlds/a",
    "/.well-known/openid-configuration/worlds/a",
  ])
    expect(await (await fetch(server.url + path)).json()).toMatchObject({ issuer: baseUrl });
});

test("a world names the address of a proxy in its answers", async () => {
  const server = await served({ baseUrl: "https://pay.example/sandbox/" }, { baseUrl: "https://pay.example/sandbox" });
  const { baseUrl } = await open(server, "a");
  expect(baseUrl).toBe("https://pay.example/sandbox/worlds/a");
  const answer = await fetch(`${server.url}/worlds/a/.well-known/oauth-authorization-server`);
  expect(await answer.json()).toMatchObject({ issuer: baseUrl });
});

test("a fork is named after the first world of its family, so that a proxy finds them in one place", async () => {
  const server = await served();
  const { baseUrl } = await open(server, "checkout");
  const fork = await connectSimulator(baseUrl, { token: server.token }).fork();
  expect(await fork.baseUrl).toBe(`${server.url}/worlds/checkout.fork-1`);
  expect(await (await fork.fork()).baseUrl).toBe(`${server.url}/worlds/checkout.fork-2`);
  const ofDefault = await connectSimulator(server.url, { token: server.token }).fork();
  expect(await ofDefault.baseUrl).toBe(`${server.url}/worlds/default.fork-3`);
});

test.each(["a b", ".hidden", "../b", "a/b", "a".repeat(65), ""])("a fork is not named %j", async (name) => {
  const server = await served();
  const sim = connectSimulator(server.url, { token: server.token });
  await expect(sim.fork({ name })).rejects.toThrow(/The name of a world has 1 to 64 letters/);
});

test("opening it again with the same options answers the same world", async () => {
  const server = await served();
  const options = { seed: 7, assumptions: { "checkout.lifetime": "5 minutes" }, faults: [{ kind: "response.lost" }] };
  const first = await worlds(server, "/a", "PUT", options);
  const again = await worlds(server, "/a", "PUT", options);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(await again.json()).toEqual(await first.json());
});

test("opening it again with other options is a conflict that names each difference, and no secret", async () => {
  const server = await served();
  await open(server, "a", {
    seed: 7,
    credentials: { clientSecret: "first-of-them" },
    assumptions: { "http.cors": "any" },
  });
  const refused = await worlds(server, "/a", "PUT", {
    seed: 8,
    clock: "auto",
    credentials: { clientSecret: "second-of-them" },
    assumptions: { "http.cors": "none" },
    faults: [{ kind: "response.lost" }],
  });
  const { status, message } = await errorOf(refused);
  expect(status).toBe(409);
  expect(message).toContain(
    'with other options: seed is 7 there, and 8 here; assumptions.http.cors differs; credentials.clientSecret differs; clock is absent there, and "auto" here; faults[0] differs.',
  );
  expect(message).not.toMatch(/of-them/);
});

test("a name gives the same secrets under the same seed of the server, and no two names share one", async () => {
  const [one, same, other] = [await served(), await served(), await served({}, { seed: 2 })];
  const secretsOf = async (server: SimulatorServer, name: string, options = {}) => {
    const { merchantId: _, ...secrets } = (await open(server, name, options)).credentials;
    return Object.values(secrets);
  };
  const first = await secretsOf(one, "a");
  expect(await secretsOf(same, "a")).toEqual(first);
  const further = [
    ...(await secretsOf(other, "a")),
    ...(await secretsOf(one, "b")),
    ...(await secretsOf(one, "c", { seed: 42 })),
    ...(await secretsOf(one, "d", { seed: 42 })),
  ];
  expect(new Set([...first, ...further]).size).toBe(first.length + further.length);
});

test("two worlds with one seed make the same ids", async () => {
  const server = await served();
  const idIn = async (name: string): Promise<string> => {
    const { baseUrl, credentials } = await open(server, name, { seed: 42 });
    const client = createClient({ ...credentials, baseUrl });
    return (await client.paymentIntents.create({ amount: 10_000 })).id;
  };
  expect(await idIn("a")).toBe(await idIn("b"));
});

test("faults are planned from the beginning, and a wrong one opens no world", async () => {
  const server = await served();
  const { baseUrl, credentials } = await open(server, "a", { faults: [{ kind: "request.status", status: 503 }] });
  const client = createClient({ ...credentials, baseUrl });
  await expect(client.paymentIntents.create({ amount: 10_000 })).rejects.toMatchObject({ status: 503 });
  const refused = await errorOf(await worlds(server, "/b", "PUT", { faults: [{ kind: "request.statuss" }] }));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_FAULT" });
  expect((await worlds(server, "/b", "GET")).status).toBe(404);
});

test.each([
  ["no JSON", "{", "The body is not valid JSON"],
  ["an option that does not exist", { sed: 1 }, '"sed" is unknown; the nearest is "seed"'],
  ["a seed that is a list", { seed: [1] }, "seed"],
  ["a clock that does not exist", { clock: "fast" }, 'the option clock is "fast"'],
  ["a time that does not exist", { now: "yesterday" }, 'the option now is "yesterday"'],
  ["an assumption that does not exist", { assumptions: { "http.corse": "none" } }, "http.corse"],
  ["credentials that do not exist", { credentials: { secret: "s" } }, "credentials.secret does not exist"],
  ["nesting without end", "[".repeat(100_000), "nested deeper than 32 levels"],
  ["a prototype", '{"__proto__":{"seed":1}}', '"__proto__" is unknown'],
])("a body with %s is refused by name", async (_what, body, words) => {
  const server = await served();
  const { status, message } = await errorOf(await worlds(server, "/a", "PUT", body));
  expect(status).toBe(400);
  expect(message).toContain(words);
  expect((await worlds(server, "/a", "GET")).status).toBe(404);
});

test("a body of more than a mebibyte is refused", async () => {
  const server = await served();
  const refused = await errorOf(await worlds(server, "/a", "PUT", `{"seed":"${"a".repeat(1024 * 1024)}"}`));
  expect(refused).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
});

test("a world ends by DELETE, and its name is free again", async () => {
  const server = await served();
  const { baseUrl } = await open(server, "a", { seed: 1 });
  expect((await worlds(server, "/a", "DELETE")).status).toBe(204);
  expect(await errorOf(await fetch(`${baseUrl}/api/transactions`))).toMatchObject({ status: 404, code: "NOT_FOUND" });
  expect((await worlds(server, "/a", "DELETE")).status).toBe(404);
  await open(server, "a", { seed: 2 });
});

test("the list has each world that is open", async () => {
  const server = await served();
  for (const name of ["a", "b"]) await open(server, name);
  const listed = (await (await worlds(server, "", "GET")).json()) as { worlds: Opened[] };
  expect(listed.worlds.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("there are as many worlds as the option says, and each that ends makes room", async () => {
  const server = await served({ worlds: { most: 2 } });
  for (const name of ["a", "b"]) await open(server, name);
  const refused = await errorOf(await worlds(server, "/c", "PUT", {}));
  expect(refused).toMatchObject({ status: 503, code: "TOO_MANY_WORLDS" });
  expect(refused.message).toContain("has 2 worlds, which is its limit");
  await worlds(server, "/a", "DELETE");
  await open(server, "c");
});

test("a full world refuses what could make it larger, until it is reset", async () => {
  const server = await served({ worlds: { rows: 20 } });
  const { baseUrl, credentials } = await open(server, "a");
  const client = createClient({ ...credentials, baseUrl });
  const made: string[] = [];
  const fill = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) made.push((await client.paymentIntents.create({ amount: 10_000 })).id);
  };
  await expect(fill()).rejects.toMatchObject({ status: 507 });
  expect(made.length).toBeGreaterThan(5);
  expect((await client.paymentIntents.status(made[0] as string)).id).toBe(made[0]);
  expect((await fetch(`${baseUrl}/api/payment-intent`, { method: "OPTIONS" })).status).toBe(204);
  const remote = connectSimulator(baseUrl, { token: server.token });
  const card = { cardNumber: "4242424242424242", expMonth: "12", expYear: "2030", cvc: "123" };
  await expect(remote.make.intent()).rejects.toThrow(/WORLD_FULL/);
  await expect(remote.make.event("payment_intent.succeeded")).rejects.toThrow(/WORLD_FULL/);
  await expect(remote.paymentMethods.create(card)).rejects.toThrow(/WORLD_FULL/);
  await remote.reset();
  await remote.make.intent();
  const other = await open(server, "b");
  await createClient({ ...other.credentials, baseUrl: other.baseUrl }).paymentIntents.create({ amount: 10_000 });
});

describe("a full world", () => {
  /** Fills a world by a fixture, and returns how a client of the control API reaches it. */
  async function full(rows: number) {
    const server = await served({ worlds: { rows } });
    const remote = connectSimulator((await open(server, "a")).baseUrl, { token: server.token });
    await expect(remote.make.transactions({ months: 120, perDay: 50 })).rejects.toThrow(
      `WORLD_FULL. The world "a" has ${rows} rows, which is the limit of this server. Reset or end it`,
    );
    return { server, remote };
  }

  test("ends the fixture that fills it", async () => {
    const { remote } = await full(200);
    const made = (await remote.transactions.list()).length;
    expect(made).toBeGreaterThan(10);
    expect(made).toBeLessThan(200);
  });

  test("refuses control calls that could make it larger, and takes the others", async () => {
    const { server, remote } = await full(100);
    await expect(remote.clock.advance("1 day")).rejects.toThrow("WORLD_FULL");
    await expect(remote.fork()).rejects.toThrow("WORLD_FULL");
    expect(await remote.clock.pending()).toBeDefined();
    const snapshot = await remote.snapshot();
    await remote.reset();
    await remote.make.intent();
    await remote.restore(snapshot);
    await expect(remote.make.intent()).rejects.toThrow("WORLD_FULL");
    await remote.close();
    expect((await worlds(server, "/a", "GET")).status).toBe(404);
  });

  test("the default world has no limit", async () => {
    const server = await served({ worlds: { rows: 1 } });
    const remote = connectSimulator(server.url, { token: server.token });
    await remote.make.intent();
    expect((await remote.make.intent()).id).toBeDefined();
  });
});

test("a world ends once nobody has used it for 30 minutes, and a request or a control call counts as use", async () => {
  const time = woundTime();
  const server = await served();
  const worldOf = async (name: string) => connectSimulator((await open(server, name)).baseUrl, { token: server.token });
  const [controlled, called] = [await worldOf("controlled"), await worldOf("called"), await worldOf("idle")];
  const isThere = async (name: string) => (await worlds(server, `/${name}`, "GET")).status === 200;
  await time.pass(29 * 60_000);
  await controlled.clock.now();
  await fetch(`${server.url}/worlds/called/.well-known/jwks.json`);
  await time.pass(60_000);
  expect([await isThere("controlled"), await isThere("called"), await isThere("idle")]).toEqual([true, true, false]);
  await time.pass(29 * 60_000);
  expect([await isThere("controlled"), await isThere("called")]).toEqual([false, false]);
  await expect(called.clock.now()).rejects.toThrow(/no world named "called", or it has expired/);
});

test("looking at the list or at a world does not count as use", async () => {
  const time = woundTime();
  const server = await served({ worlds: { idle: "1 minute" } });
  await open(server, "a");
  await time.pass(59_000);
  await worlds(server, "", "GET");
  await worlds(server, "/a", "GET");
  await time.pass(1000);
  expect((await worlds(server, "/a", "GET")).status).toBe(404);
});

test("opening a world again counts as use", async () => {
  const time = woundTime();
  const server = await served({ worlds: { idle: "1 minute" } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    statuses.push((await worlds(server, "/a", "PUT", { seed: 1 })).status);
    await time.pass(59_000);
  }
  expect(statuses).toEqual([201, 200, 200]);
});

test("a call that hangs keeps its world, however long it takes", async () => {
  const time = woundTime();
  const server = await served({ worlds: { idle: "1 minute" } });
  const { baseUrl } = await open(server, "a", { faults: [{ kind: "request.hang" }] });
  const hanging = request(`${baseUrl}/api/transactions`, { method: "POST", headers: { expect: "100-continue" } });
  hanging.on("error", () => undefined).flushHeaders();
  await once(hanging, "continue");
  hanging.end();
  // Another client comes and goes.
  await connectSimulator(baseUrl, { token: server.token }).clock.now();
  await time.pass(3_600_000);
  expect((await worlds(server, "/a", "GET")).status).toBe(200);
  hanging.destroy();
});

test("a stream of the journal keeps its world until the client leaves", async () => {
  const time = woundTime();
  const server = await served({ worlds: { idle: "1 minute" } });
  const { controlUrl } = await open(server, "a");
  const client = new AbortController();
  const headers = { authorization: `Bearer ${server.token}`, accept: "text/event-stream" };
  const stream = await fetch(`${controlUrl}/journal`, { headers, signal: client.signal });
  expect(stream.status).toBe(200);
  await time.pass(3_600_000);
  expect((await worlds(server, "/a", "GET")).status).toBe(200);
  client.abort();
  while (time.timers.size === 0) await turns(1);
  await time.pass(60_000);
  expect((await worlds(server, "/a", "GET")).status).toBe(404);
});

test("a world that expires leaves the state file", async () => {
  const time = woundTime();
  const state = newStateFile();
  const server = await served({ state, worlds: { idle: "1 minute" } });
  await open(server, "a");
  await time.pass(30_000);
  await open(server, "b");
  await time.pass(30_000);
  await server.close();
  const again = await served({ state });
  const listed = (await (await worlds(again, "", "GET")).json()) as { worlds: Opened[] };
  expect(listed.worlds.map(({ name }) => name)).toEqual(["b"]);
});

test.each([
  ["a call that waits for a fault", { method: "POST", path: "/faults/added/1/struck" }],
  ["a look at the head of the journal's stream", { method: "HEAD", path: "/journal" }],
])("once its client has left, %s keeps no world", async (_what, { method, path }) => {
  const time = woundTime();
  const server = await served({ worlds: { idle: "1 minute" } });
  const { controlUrl } = await open(server, "a");
  const headers = { authorization: `Bearer ${server.token}`, accept: "text/event-stream" };
  await fetch(`${controlUrl}/faults`, { method: "POST", headers, body: '{"kind":"response.lost"}' });
  const call = request(`${controlUrl}${path}`, { method, headers: { ...headers, expect: "100-continue" } });
  call.on("error", () => undefined).flushHeaders();
  await once(call, "continue");
  call.end();
  await fetch(`${controlUrl}/faults`, { headers });
  call.destroy();
  const statusAfterAnHour = async (): Promise<number> => {
    await time.pass(3_600_000);
    return (await worlds(server, "/a", "GET")).status;
  };
  await expect.poll(statusAfterAnHour).toBe(404);
});

test.each([
  [{ idle: "never" }, /worlds.idle is "never". It takes a time of up to 24 days/],
  [{ idle: null }, /worlds.idle is null/],
  [{ idle: "30 days" }, /worlds.idle is "30 days"/],
  [{ most: 0 }, /worlds.most is 0/],
  [{ rows: 1.5 }, /worlds.rows is 1.5/],
  [{ keep: "many" }, /worlds.keep is "many"/],
  [{ mosst: 1 }, /no option "mosst"/],
])("limits that are none are refused: %j", async (limits, message) => {
  await expect(serve(createSimulator(), { worlds: limits as never })).rejects.toThrow(message);
});
