import { createSimulator, type Simulator } from "centavo";
import { createClient, type Client } from "centavo/client";
import { expect, test } from "vitest";

function open(sim: Simulator): Client {
  return createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
}

/** The grants that were asked for, in order. */
function grants(sim: Simulator): unknown[] {
  return sim.journal.entries
    .filter(({ kind, details }) => kind === "request" && details["route"] === "oauth.token")
    .map(({ details }) => (details["body"] as { grant_type: string }).grant_type);
}

test("one token serves calls that start side by side", async () => {
  const sim = createSimulator();
  const client = open(sim);
  await Promise.all([1, 2, 3].map((amount) => client.paymentIntents.create({ amount })));
  expect(grants(sim)).toEqual(["client_credentials"]);
});

test("an expired token is refreshed once for any number of calls", async () => {
  const sim = createSimulator();
  const client = open(sim);
  await client.paymentIntents.create({ amount: 1 });
  await sim.clock.advance("1 hour");
  await Promise.all([2, 3].map((amount) => client.paymentIntents.create({ amount })));
  expect(grants(sim)).toEqual(["client_credentials", "refresh_token"]);
  expect(sim.intents.list()).toHaveLength(3);
});

test("when the refresh token has expired too, it authenticates again", async () => {
  const sim = createSimulator();
  const client = open(sim);
  await client.paymentIntents.create({ amount: 1 });
  await sim.clock.advance("31 days");
  await client.paymentIntents.create({ amount: 2 });
  expect(grants(sim)).toEqual(["client_credentials", "refresh_token", "client_credentials"]);
});

test("a call is repeated only once", async () => {
  const sim = createSimulator({ assumptions: { "auth.token-lifetime": "0 seconds" } });
  await expect(open(sim).paymentIntents.create({ amount: 1 })).rejects.toMatchObject({
    status: 401,
    code: "UNAUTHORIZED",
  });
  expect(grants(sim)).toEqual(["client_credentials", "refresh_token"]);
});

test("wrong credentials are the service's error, and the next call tries again", async () => {
  const sim = createSimulator();
  const client = createClient({
    baseUrl: sim.baseUrl,
    fetch: sim.fetch,
    clientId: sim.credentials.clientId,
    clientSecret: "csec_fake_wrong",
  });
  const refused = { status: 401, code: "INVALID_CREDENTIALS", call: "POST /oauth" };
  await expect(client.paymentIntents.create({ amount: 1 })).rejects.toMatchObject(refused);
  await expect(client.paymentIntents.create({ amount: 1 })).rejects.toMatchObject(refused);
  expect(grants(sim)).toHaveLength(2);
});

test("a token call is written and read as the service has it", async () => {
  const assumptions = {
    "auth.token-request": { format: "json", client: "basic", names: { grant_type: "grant", refresh_token: "renew" } },
    "auth.token-response": { success: true, data: { token: "{access_token}", renew: "{refresh_token}" } },
  } as const;
  const sim = createSimulator({ assumptions });
  const sent: unknown[] = [];
  const client = createClient({
    ...sim.credentials,
    baseUrl: sim.baseUrl,
    assumptions,
    async fetch(url, init) {
      if (url.endsWith("/oauth"))
        sent.push(JSON.parse(init.body as string), new Headers(init.headers).get("authorization"));
      return sim.fetch(url, init);
    },
  });
  expect(await client.paymentIntents.create({ amount: 1 })).toMatchObject({ amount: 1 });
  await sim.clock.advance("1 hour");
  expect(await client.paymentIntents.create({ amount: 2 })).toMatchObject({ amount: 2 });
  const basic = expect.stringMatching(/^Basic /) as unknown;
  const renewal = { grant: "refresh_token", renew: expect.stringMatching(/^rt_fake_/) as unknown };
  expect(sent).toEqual([{ grant: "client_credentials" }, basic, renewal, basic]);
});
