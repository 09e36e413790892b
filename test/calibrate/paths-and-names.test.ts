import type { AssumptionOverrides } from "centavo";
import { calibrate } from "centavo/calibrate";
import { createClient } from "centavo/client";
import { describe, expect, test } from "vitest";
import { contradictions } from "../contract/contradictions.ts";
import { RECEIVER, recorded } from "./recorded.ts";
import type { Recorded } from "./recorded.ts";

contradictions.isPaused = true;

type Client = ReturnType<typeof createClient>;

/** Records what a client does that is told of the assumptions, and finds them again. */
async function foundIn(assumptions: AssumptionOverrides, act: (client: Client, world: Recorded) => Promise<unknown>) {
  const exchanges = await recorded(assumptions, async (world) => {
    const { sim, fetch } = world;
    await act(createClient({ baseUrl: sim.baseUrl, fetch, ...sim.credentials, assumptions }), world);
  });
  return calibrate(exchanges);
}

const order = {
  externalId: "order-1",
  amount: 25_000,
  description: "Shoes",
  webhookUrl: RECEIVER,
  returnUrl: "https://shop.example/thanks",
  contact: { name: "Ana Cruz", email: "ana@customer.example" },
};

describe("a recording that calls other paths", () => {
  test("gives the paths of the endpoints, with the exchanges that call them", async () => {
    const assumptions = {
      "http.endpoints": {
        "payment-intent.create": "/v1/payment_intents",
        "payment-intent.status": "/v1/payment_intents/{intentId}",
      },
    };
    const { rows, drift, ...found } = await foundIn(assumptions, async (client) => {
      const { id } = await client.paymentIntents.create({ amount: 10_000 });
      await client.paymentIntents.status(id);
    });
    expect(found.assumptions).toEqual(assumptions);
    expect(drift).toEqual([]);
    expect(rows.find(({ id }) => id === "http.endpoints")?.exchanges).toEqual([
      "recorded.har, entry 2",
      "recorded.har, entry 3",
    ]);
  });

  test("gives the paths of the token service", async () => {
    const assumptions = { "auth.paths": { token: "/v1/token" } };
    const found = await foundIn(assumptions, async (client) => client.transactions.list());
    expect(found.assumptions).toEqual(assumptions);
    expect(found.drift).toEqual([]);
  });

  test("gives the path of a subscription's session", async () => {
    const assumptions = { "subscription.session": "/v1/subscriptions/{sessionToken}/session" };
    const found = await foundIn(assumptions, async (client) => {
      const { id: planId } = await client.plans.create({ name: "Gold", amount: 50_000, interval: "month" });
      const { sessionToken } = await client.subscriptions.initiate({ planId, contact: order.contact });
      await client.subscriptions.session(sessionToken);
    });
    expect(found.assumptions).toEqual(assumptions);
    expect(found.drift).toEqual([]);
  });

  test("gives the path of the hosted page, which stands in an answer", async () => {
    const assumptions = { "checkout.url": { session: "/c/pay/{sessionToken}" } };
    const { rows, ...found } = await foundIn(assumptions, async (client) => client.checkout.create(order));
    expect(found.assumptions).toEqual(assumptions);
    expect(rows.find(({ id }) => id === "checkout.url")?.exchanges).toEqual(["recorded.har, entry 2"]);
  });
});

describe("a recording whose token calls are written otherwise", () => {
  test.for<AssumptionOverrides>([
    { "auth.token-request": { names: { client_id: "merchant", client_secret: "merchant_secret" } } },
    { "auth.token-response": { data: { token: "{access_token}", ends: "{expires_at}", renew: "{refresh_token}" } } },
  ])("gives %j", async (assumptions) => {
    const found = await foundIn(assumptions, async (client) => client.transactions.list());
    expect(found.assumptions).toEqual(assumptions);
    expect(found.drift).toEqual([]);
  });
});

test("a recording of deliveries gives how they are written, and who sends them", async () => {
  const assumptions = { "webhook.body": "spaced", "webhook.user-agent": "Webhooks/1.0" } as const;
  const found = await foundIn(assumptions, async (client, { sim }) => {
    const { id } = await client.paymentIntents.create({ amount: 10_000, webhookUrl: RECEIVER });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
  });
  expect(found.assumptions).toEqual(assumptions);
  expect(found.drift).toEqual([]);
});

test("two values are found together when one shows only under the other", async () => {
  const assumptions = {
    "http.endpoints": { "payment-intent.create": "/v1/payment_intents" },
    "http.envelope": { object: "{data}" },
    "http.success-status": 201,
  } as const;
  const found = await foundIn(assumptions, async (client) => client.paymentIntents.create({ amount: 10_000 }));
  expect(found.drift).toEqual([]);
  expect(found.assumptions["http.endpoints"]).toEqual(assumptions["http.endpoints"]);
  expect(found.assumptions["http.envelope"]).toEqual(assumptions["http.envelope"]);
});

test("time goes on before any assumption is tried: a session that is shown as expired has expired", async () => {
  const { assumptions, acts, drift } = await calibrate(
    await recorded({}, async ({ sim, call }) => {
      const { body } = await call("POST", "/api/checkout", order);
      await sim.clock.advance("25 hours");
      const { sessionToken } = (body as { readonly data: { readonly sessionToken: string } }).data;
      await call("GET", `/api/checkout/polling/${sessionToken}`);
    }).then((exchanges) =>
      // Whoever wrote the recording did not note that a day had passed.
      exchanges.map((each) => ({ ...each, startedAt: exchanges[0]?.startedAt ?? each.startedAt })),
    ),
  );
  expect(assumptions).toEqual({});
  expect(acts.map(({ act }) => act)).toEqual([expect.stringContaining("time goes on until something is due")]);
  expect(drift).toEqual([]);
});
