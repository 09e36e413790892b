import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import { expect, onTestFinished, test } from "vitest";
import { watchDeliveries, watchRequests } from "../../src/cli/request-log.ts";
import { host } from "../../src/server/serve.ts";
import { open, served, worlds } from "../server/served.ts";

const CARD = "4242424242424242";

/** Runs a shop that pays, logs in again, is refused and asks for what is not there. Returns the secrets that it used. */
async function trade(
  url: string,
  credentials: Record<"clientId" | "clientSecret" | "adminKey", string>,
): Promise<string[]> {
  const client = createClient({ ...credentials, baseUrl: url });
  const { id, clientKey } = await client.paymentIntents.create({ amount: 10_000, metadata: { card: CARD } });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  const form = new URLSearchParams({ client_id: credentials.clientId, client_secret: credentials.clientSecret });
  const answer = await fetch(`${url}/oauth`, { method: "POST", body: form });
  const { access_token, refresh_token } = (await answer.json()) as { access_token: string; refresh_token: string };
  const headers = { authorization: `Bearer ${access_token}`, "x-admin-key": credentials.adminKey };
  const secrets = [credentials.clientSecret, credentials.adminKey, access_token, refresh_token, clientKey, CARD];
  for (const secret of secrets) {
    await fetch(`${url}/api/nowhere/${secret}?token=${secret}`, { headers });
    await fetch(`${url}/api/payment-intent/${encodeURIComponent(secret)}/status?secret=${secret}`, { headers });
    await fetch(`${url}/oauth`, { method: "POST", headers: { authorization: `Basic ${btoa(`x:${secret}`)}` } });
    await fetch(`${url}/api/payment-intent`, { method: "POST", headers, body: JSON.stringify({ amount: secret }) });
  }
  return secrets;
}

test("no secret stands in a line of the log or in the journal, of the default world and of named ones", async () => {
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), printError: () => undefined, colours: false };
  const sim = createSimulator({ clock: "auto" });
  const server = await host(() => sim, {}, watchRequests(output));
  const endWatch = watchDeliveries(output, () => [sim, ...server.named()]);
  onTestFinished(async () => {
    endWatch();
    await server.close();
  });
  const { baseUrl, credentials } = await open(server, "a");
  const secrets = [
    server.token,
    credentials.webhookSecret,
    sim.credentials.webhookSecret,
    ...(await trade(server.url, sim.credentials)),
    ...(await trade(baseUrl, credentials)),
  ];
  const [named] = server.named();
  const written = [
    printed.join("\n"),
    ...[sim, named ?? sim].flatMap(({ journal }) => [String(journal), JSON.stringify(journal.entries)]),
  ];
  expect(printed.length).toBeGreaterThan(40);
  for (const text of written) for (const secret of secrets) expect(text).not.toContain(secret);
});

test("no error of a server repeats a secret that the request brought", async () => {
  const server = await served();
  const { baseUrl } = await open(server, "a", { credentials: { clientSecret: "first-secret-of-a" } });
  const texts: string[] = [];
  const ask = async (url: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch(url, init);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    texts.push(await answer.text(), JSON.stringify([...answer.headers]));
  };
  const wrong = { authorization: "Bearer secret-that-is-wrong" };
  await ask(`${server.url}/_centavo/worlds`, { headers: wrong });
  await ask(`${baseUrl}/_centavo/api/v1/clock`, { headers: { authorization: "Basic secret-that-is-wrong" } });
  await ask(`${baseUrl}/api/transactions`, { headers: wrong });
  await ask(`${server.url}/_centavo/secret-that-is-wrong?token=secret-that-is-wrong`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  for (const credentials of [
    { clientSecret: "second-secret" },
    { clientSecret: "ä-secret-that-is-wrong" },
    { webhookSecret: "secret-that-is-wrong" },
    { clientSecret: ["secret-that-is-wrong"] },
    "secret-that-is-wrong",
  ])
    for (const name of ["/a", "/b"]) {
      const answer = await worlds(server, name, "PUT", { credentials });
      texts.push(await answer.text());
      if (answer.ok) texts.pop();
    }
  const [deep, ...rest] = [`{"credentials":{"clientSecret":"secret-that-is-wrong`, `{"secret-that-is-wrong":1`];
  for (const body of [deep, ...rest]) texts.push(await (await worlds(server, "/c", "PUT", body)).text());
  expect(texts.length).toBeGreaterThan(15);
  for (const text of texts) {
    expect(text).not.toMatch(/secret-that-is-wrong|first-secret|second-secret/);
    expect(text).not.toContain(server.token);
  }
});

test("an option of a server that is wrong is named without its secret", async () => {
  const refused = serve(createSimulator(), { token: "a secret with spaces" });
  await expect(refused).rejects.toThrow(/token/);
  await expect(refused).rejects.not.toThrow(/a secret with spaces/);
  const withPassword = serve(createSimulator(), { baseUrl: "https://me:password@pay.example" });
  await expect(withPassword).rejects.toThrow(/baseUrl/);
  await expect(withPassword).rejects.not.toThrow(/password/);
});
