import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import { simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { verifyWebhook } from "centavo/webhooks";
import { expect, test as base } from "vitest";

const test = withSimulator(base, { webhookUrl: "https://shop.example/hooks" });

test("withSimulator pays an order", async ({ sim, client, customer, network, visit }) => {
  const received = [];
  sim.connect("https://shop.example", async (request) => {
    if (request.method === "GET") return new Response("the shop");
    received.push((await verifyWebhook(request, sim.credentials.webhookSecret)).type);
    return new Response();
  });
  const { id } = await client.paymentIntents.create({ amount: 10000, externalId: "order-1" });
  const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
  await customer.authenticate(redirectUrl);
  await sim.clock.settle({ strict: true });
  expect("order-1").toHaveBeenPaidOnce();
  expect(received).toContain("payment_intent.succeeded");
  expect(await (await visit("/")).text()).toBe("the shop");
  expect(new Date().toISOString()).toBe(sim.clock.now());
  expect(network.kind).toBe("fetch");
  expect((await network.fetch(`${sim.baseUrl}/.well-known/jwks.json`)).status).toBe(200);
});

test("a failed test is explained", async ({ client }) => {
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  expect(id).toHaveStatus("succeeded");
});

test("a swallowed error fails its test", async ({ network }) => {
  await network.fetch("https://elsewhere.example/").catch(() => undefined);
});

test("a fetch of the page is explained", async ({ sim, network }) => {
  expect(network.kind).toBe("fetch");
  await fetch(`${sim.baseUrl}/api/transactions`);
});

base(
  "simulated makes a payment",
  simulated(async ({ sim, client }) => {
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    expect(sim.intents.get(id)?.amount).toBe(10000);
  }),
);

base("fixtures, the report and the coverage are made", async () => {
  const sim = createSimulator();
  await fixtures(sim).subscription({ status: "past_due" });
  expect((await sim.report()).slice(0, 15)).toBe("<!doctype html>");
  expect(String(await sim.coverage())).toContain("States");
});

for (const network of ["intercept", "server"])
  withSimulator(base, { network })(`the network ${network} is refused`, ({ network: opened }) => {
    expect(opened).toBeUndefined();
  });
