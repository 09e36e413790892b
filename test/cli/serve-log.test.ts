import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "centavo/client";
import { expect, onTestFinished, test } from "vitest";
import { woundTime } from "../clock-drivers/wound-time.ts";
import { worlds } from "../server/served.ts";
import { served } from "./served.ts";

const NOW = "2030-05-01T00:00:00Z";

async function hooks(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** Replaces what differs between runs. */
function told(lines: readonly string[]): string[] {
  return lines.map((line) =>
    line
      .replace(/\(\d+ ms\)/, "(… ms)")
      .replaceAll(/\b(pi|wh|evt)_\w+/g, "$1_…")
      .replaceAll(/:\d{4,5}\b/g, ":…"),
  );
}

test("each request and each attempt to deliver has a line with its outcome", async () => {
  const time = woundTime();
  const { client, log } = await served({ now: NOW, webhookUrl: await hooks(500) });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" }).catch(() => undefined);
  await expect.poll(() => log().length).toBe(5);
  await time.pass(2000);
  await expect.poll(() => log().length).toBe(6);
  const lines = told(log());
  expect(lines.filter((line) => line.includes("  request  "))).toEqual([
    "2030-05-01 00:00:00.000Z  request   POST /oauth → 200 (… ms)",
    "2030-05-01 00:00:00.000Z  request   POST /api/payment-intent → 200 (… ms)",
    "2030-05-01 00:00:00.000Z  request   POST /api/payment-intent/pi_…/confirm → 200 (… ms)",
    "2030-05-01 00:00:00.000Z  request   POST /api/payment-intent/pi_…/confirm → 402 3D_SECURE_REQUIRED (… ms)",
  ]);
  const [first, second] = lines.filter((line) => line.includes("  outbox  "));
  expect(first).toMatch(
    /^2030-05-01 00:00:00\.000Z {2}outbox {4}payment_intent\.\w+ \S+ → http:\/\/127\.0\.0\.1:…\/hooks, attempt 1: answered 500, next try 2030-05-01 00:00:02\.000Z$/,
  );
  expect(second).toMatch(/^2030-05-01 00:00:02\.000Z.*attempt 2: answered 500, next try/);
});

test("a request that gets no answer says so", async () => {
  const { client, log } = await served({ faults: [{ kind: "response.lost", route: "payment-intent.create" }] });
  await expect(client.paymentIntents.create({ amount: 10_000 })).rejects.toThrow();
  expect(told(log()).at(-1)).toMatch(/POST \/api\/payment-intent → no answer: ECONNRESET \(… ms\)$/);
});

test("what is no call of a world has its line, too", async () => {
  const { server, log } = await served();
  for (const path of ["/_centavo/health", "/worlds/none/api", "/.well-known/jwks.json"]) await fetch(server.url + path);
  await fetch(`${server.url}/api/transactions`, { method: "OPTIONS", headers: { origin: "https://shop.example" } });
  expect(told(log()).map((line) => line.replace(/^\S+ \S+ {2}/, ""))).toEqual([
    "request   GET /_centavo/health → 200 (… ms)",
    "request   GET /worlds/none/api → 404 NOT_FOUND (… ms)",
    "request   GET /.well-known/jwks.json → 200 (… ms)",
    "request   OPTIONS /api/transactions → 403 FOREIGN_ORIGIN (… ms)",
  ]);
});

test("what the inspector's page follows has no line, and what it is refused has one", async () => {
  const { server, log } = await served();
  const code = new URL(server.inspectorUrl()).hash.replace("#code=", "");
  const signIn = (): Promise<Response> =>
    fetch(`${server.url}/_centavo/inspector/sign-in`, {
      method: "POST",
      headers: { origin: server.url, "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  expect((await signIn()).status).toBe(204);
  const answer = await fetch(`${server.url}/_centavo/inspector/worlds`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
  expect(log()).toEqual([]);
  expect((await signIn()).status).toBe(401);
  expect(told(log()).map((line) => line.replace(/^\S+ \S+ {2}/, ""))).toEqual([
    "request   POST /_centavo/inspector/sign-in → 401 UNAUTHORIZED (… ms)",
  ]);
});

test("a line has the time of the world that its call was for, however the path is written", async () => {
  const { server, log } = await served({ now: NOW });
  await worlds(server, "/a", "PUT", { now: "2031-05-01T00:00:00Z" });
  const document = ".well-known/oauth-authorization-server";
  for (const path of [`/worlds/a/${document}`, `/worlds/%61/${document}`, `/${document}/worlds/a`, `/worlds/%zz/x`])
    await fetch(server.url + path);
  expect(told(log()).map((line) => line.slice(0, 4))).toEqual(["2030", "2031", "2031", "2031", expect.any(String)]);
});

test("no secret is in a line, wherever the request has it, and no line break or escape", async () => {
  const { server, log, printed } = await served({
    faults: [{ kind: "response.lost", route: "checkout.polling", times: 1 }],
  });
  const text = printed.join("\n");
  const secretOf = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(text)?.[1] ?? "";
  const secrets = ["client secret", "admin key", "webhook secret", "control token"].map(secretOf);
  const client = createClient({
    baseUrl: server.url,
    clientId: secretOf("client id"),
    clientSecret: secretOf("client secret"),
  });
  const { sessionToken } = await client.checkout.create({
    externalId: "order-1",
    amount: 10_000,
    description: "Shoes",
    webhookUrl: "http://127.0.0.1:1/hooks?key=sesame",
    returnUrl: "https://shop.example/thanks",
    contact: { name: "Ana Cruz", email: "ana@customer.example" },
  });
  await client.checkout.poll(sessionToken).catch(() => undefined);
  for (const secret of [...secrets, "4242424242424242", sessionToken])
    await fetch(`${server.url}/api/${secret}?token=${secret}&x=%0Aforged`, {
      headers: { authorization: `Bearer ${secret}` },
    });
  await fetch(`${server.url}/api/%0a%1b[31mred\u202e`);
  await expect.poll(() => log().length).toBeGreaterThan(8);
  const lines = log().join("\n");
  for (const secret of [...secrets.slice(0, 3), "4242424242424242", sessionToken, "sesame"])
    expect(lines).not.toContain(secret);
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|\nforged/);
});

test("a very long address is cut", async () => {
  const { server, log } = await served();
  await fetch(`${server.url}/${"a".repeat(10_000)}`);
  expect(log()[0]?.length).toBeLessThan(300);
});

test("--quiet prints no such line, and the greeting all the same", async () => {
  const { client, log, printed } = await served({ quiet: true });
  await client.paymentIntents.create({ amount: 10_000 });
  expect(printed.join("\n")).toContain("Centavo answers at");
  expect(log()).toEqual([]);
});

test("outcomes have colours on a terminal, and none elsewhere", async () => {
  const [onTerminal, elsewhere] = [await served({}, { colours: true }), await served()];
  for (const { server } of [onTerminal, elsewhere])
    for (const path of ["/.well-known/jwks.json", "/nowhere"]) await fetch(server.url + path);
  expect(onTerminal.log()[0]).toContain("\u001b[32m200");
  expect(onTerminal.log()[1]).toContain("\u001b[33m404");
  expect(elsewhere.log().join("")).not.toContain("\u001b");
});

test("a report, for which the run is played again, has no line but that of its request", async () => {
  const { server, client, log } = await served({ now: NOW, clock: "manual", webhookUrl: await hooks(200) });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  const headers = { authorization: `Bearer ${server.token}` };
  await fetch(`${server.controlUrl}/clock/advance`, { method: "POST", headers, body: '{"duration":"1 minute"}' });
  const before = log().length;
  expect(told(log()).filter((line) => line.includes("  outbox  ")).length).toBeGreaterThan(0);
  expect((await fetch(`${server.controlUrl}/report`, { headers })).status).toBe(200);
  expect(told(log().slice(before))).toEqual([
    "2030-05-01 00:01:00.000Z  request   GET /_centavo/api/v1/report → 200 (… ms)",
  ]);
});
