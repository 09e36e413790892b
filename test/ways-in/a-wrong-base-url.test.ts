import https from "node:https";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { intercept } from "centavo/node";
import { simulated } from "centavo/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

type Sent = Promise<{ readonly message: string }>;

const clients: Record<string, (url: string) => Sent> = {
  fetch: async (url) => {
    try {
      throw new Error(`answered ${(await fetch(url)).status}`);
    } catch (error) {
      return (error as Error).cause as Error;
    }
  },
  "node:https": (url) => new Promise((resolve) => https.get(url).on("error", resolve)),
};

const hint = "The service has this path, so the base URL of your app is probably wrong: set it to";
const sim = createSimulator({ baseUrl: "https://api.pay.example/v1", authUrl: "https://auth.pay.example" });
let network: ReturnType<typeof intercept>;

beforeEach(() => {
  network = intercept(sim);
});

afterEach(() => network.close());

describe.for(Object.keys(clients))("%s", (client) => {
  const send = clients[client] as (url: string) => Sent;

  test.for([
    ["https://auth.production.example/oauth", "https://auth.pay.example"],
    ["https://production.example/tenant/oauth", "https://auth.pay.example"],
    ["https://production.example/api/payment-intent", "https://api.pay.example/v1"],
    ["https://production.example/v2/api/payment-intent/pi_1/status?a=b", "https://api.pay.example/v1"],
    ["https://api.pay.example/api/transactions", "https://api.pay.example/v1"],
  ])("to %s is told the base URL %s before how to let credentials out", async ([url = "", baseUrl = ""]) => {
    const { message } = await send(url);
    expect(message).toContain(`${hint} ${baseUrl}. Only if another service has this path too, let the request leave`);
    expect(message.indexOf(hint)).toBeLessThan(message.indexOf("allow:"));
  });

  test.for([
    "https://maps.example/api/geocode",
    "https://maps.example/",
    "https://login.example/.well-known/jwks.json",
    "https://maps.example/apiary",
    "https://login.example/oauth2",
  ])("to %s is told how to allow it alone", async (url) => {
    const { message } = await send(url);
    expect(message).toContain("To let the request leave the test, allow it: intercept(sim, { allow: [");
    expect(message).not.toContain(hint);
  });
});

test("a client with the base URL of another system gets a message that sets it right", async () => {
  const { clientId, clientSecret } = sim.credentials;
  const production = "https://api.production.example";
  const client = createClient({ clientId, clientSecret, baseUrl: production, authUrl: production });
  const { message } = (await client.paymentIntents
    .create({ amount: 100 })
    .catch((error: Error) => error.cause)) as Error;
  const meant = /set it to (\S+)\. /.exec(message)?.[1];
  expect(meant).toBe("https://auth.pay.example");
  const corrected = createClient({ clientId, clientSecret, baseUrl: sim.baseUrl, authUrl: meant as string });
  expect(await corrected.paymentIntents.create({ amount: 100 })).toMatchObject({ status: "pending" });
});

test("network.fetch of a test says the same, and the cause of the failed test is the base URL", async () => {
  const failing = simulated(
    { name: "wrong", network: "fetch", recordings: false },
    async ({ network: { fetch: send } }) => {
      await send("https://production.example/oauth", { method: "POST" }).catch(() => undefined);
    },
  );
  await expect(failing()).rejects.toThrow(new RegExp(`${hint}.*docs/guide/causes.md#wrong-base-url`, "s"));
});
