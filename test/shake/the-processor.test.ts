import { expect, test } from "vitest";
import { createClient } from "centavo/client";
import type { TestParts } from "centavo/testing";
import { kindOf } from "../../src/shake/troubles-of-shake.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const url = "https://shop.example";
const webhookUrl = `${url}/hooks`;

/** Connects a shop that charges on POST /pay, and does something at POST /jobs after ten minutes. */
function open({ sim, network }: Pick<TestParts, "sim" | "network">, isImpatient: boolean) {
  const client = createClient({
    ...sim.credentials,
    baseUrl: network.baseUrl,
    authUrl: network.authUrl,
    fetch: network.fetch,
  });
  const order = { status: "pending" };
  const charge = async (): Promise<void> => {
    const { id } = await client.paymentIntents.create({ amount: 49_900, externalId: "order-1", webhookUrl });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  };
  sim.connect(url, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/pay") await charge().catch(() => undefined);
    if (pathname === "/jobs" && isImpatient && order.status === "pending") await charge();
    if (pathname === "/hooks") {
      const { type } = (await request.json()) as { type: string };
      if (type === "payment_intent.succeeded") order.status = "paid";
    }
    return Response.json(order);
  });
  return order;
}

function suiteOf(isImpatient: boolean): Suite {
  return {
    "a customer pays": async ({ sim, network, visit }) => {
      const order = open({ sim, network }, isImpatient);
      await visit("POST", "/pay");
      await sim.clock.advance("10 minutes");
      await visit("POST", "/jobs");
      await sim.clock.advance("1 hour");
      expect(order.status).toBe("paid");
    },
  };
}

/** Shakes a suite by what the processor does. */
function byTheProcessor(suite: Suite) {
  return shakenIn(suite, { isWanted: ({ trouble }) => /declines|late-decisions/.test(kindOf(trouble)) });
}

test("declines, an unavailable processor and a late decision are placed at the call that pays", async () => {
  const { judged, findings } = await byTheProcessor(suiteOf(false));
  expect(judged.map(({ placed: { trouble, point } }) => `${trouble.name} at ${point.subject}`)).toEqual([
    "processor.decline at payment-intent.confirm",
    "processor.decline at once at payment-intent.confirm",
    "processor.late at payment-intent.confirm",
    "processor.unavailable at payment-intent.confirm",
  ]);
  // The shop does not try again, so its own test notices each of them except the late decision. Nobody pays twice.
  expect(judged.map(({ judgement }) => judgement.is)).toEqual(["noticed", "noticed", "borne", "noticed"]);
  expect(findings).toEqual([]);
});

test("a shop that charges again while the first charge is undecided takes the money twice", async () => {
  const { findings } = await byTheProcessor(suiteOf(true));
  expect(findings).toMatchObject([
    {
      kind: "money",
      law: "charged-once",
      sentence: "The customer's payment is decided only after 30 minutes.",
      at: "POST /api/payment-intent/{intentId}/confirm",
      amount: 49_900,
    },
  ]);
});

test("a second payment is declined alone, and a renewal is charged without the customer", async () => {
  const { judged } = await byTheProcessor({
    "two customers pay, and one subscribes": async ({ sim, client }) => {
      for (const externalId of ["order-1", "order-2"]) {
        const { id } = await client.paymentIntents.create({ amount: 10_000, externalId });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      }
      const plan = await client.plans.create({ name: "Reader", amount: 19_900, interval: "month" });
      const { id } = await client.subscriptions.initiate({
        planId: plan.id,
        contact: { name: "Ana Cruz", email: "ana@customer.example" },
      });
      await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });
      await sim.clock.advance("1 month");
      await sim.clock.advance("1 hour");
      const statuses = sim.intents.list().map(({ status }) => status);
      expect(statuses.filter((status) => status === "succeeded")).toHaveLength(4);
    },
  });
  const declines = judged.filter(({ placed }) => placed.trouble.name === "processor.decline");
  expect(
    declines.map(({ placed, shaken }) => [
      placed.point.subject,
      placed.point.occurrence,
      shaken?.payments.map(({ status }) => status),
    ]),
  ).toEqual([
    ["payment-intent.confirm", 1, ["failed", "succeeded", "succeeded", "succeeded"]],
    ["payment-intent.confirm", 2, ["succeeded", "failed", "succeeded", "succeeded"]],
    ["subscription.process-payment", 1, ["succeeded", "succeeded", "failed"]],
    ["renewal", 1, ["succeeded", "succeeded", "succeeded", "failed"]],
  ]);
});
