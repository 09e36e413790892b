import { createSimulator } from "centavo";
import { createClient, ServiceError } from "centavo/client";
import { verifyWebhook, type WebhookEvent } from "centavo/webhooks";
import { describe, expect, test } from "vitest";
import { whole } from "./all-calls.ts";
import { sets } from "./sets.ts";

const RECEIVER = "https://shop.example/hooks";

/** A shop that reads its events by `verifyWebhook`, and calls by the typed client, both told of the assumptions. */
function open(assumptions: (typeof sets)[keyof typeof sets]) {
  const sim = createSimulator({ assumptions, webhookUrl: RECEIVER });
  const events: WebhookEvent[] = [];
  sim.connect("https://shop.example", async (request) => {
    events.push(await verifyWebhook(request, sim.credentials.webhookSecret, { assumptions }));
    return new Response();
  });
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials, assumptions });
  return { sim, client, events };
}

async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error(`This is not an error of the service: ${String(error)}`);
}

describe.each(Object.entries(sets))("under the %s set of values", (_name, assumptions) => {
  test("the typed client gives what it gives without it", async () => {
    const usual = createSimulator();
    const plain = createClient({ baseUrl: usual.baseUrl, fetch: usual.fetch, ...usual.credentials });
    const { sim, client } = open(assumptions);
    const [intent, same] = [
      await client.paymentIntents.create({ amount: 10_000, externalId: "order-1", ...whole }),
      await plain.paymentIntents.create({ amount: 10_000, externalId: "order-1", ...whole }),
    ];
    const paymentMethods = assumptions["intent.payment-methods"];
    expect(intent).toEqual({ ...same, paymentMethods });
    const confirmed = await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_challenge" });
    const usuallyConfirmed = await plain.paymentIntents.confirm(same.id, { paymentMethodId: "pm_card_challenge" });
    const { redirectUrl } = usuallyConfirmed;
    // Each has the page of its challenge at an address of its own.
    const { redirectUrl: page = "" } = confirmed;
    expect(JSON.parse(JSON.stringify(confirmed).replaceAll(page, String(redirectUrl)))).toEqual(usuallyConfirmed);
    expect((await sim.fetch(page)).status).toBe(200);
    // A list may keep to itself how many there are, and how many it was asked for.
    const { total, limit, ...rest } = await plain.transactions.list();
    expect(Object.assign({ total, limit }, await client.transactions.list())).toEqual({ total, limit, ...rest });
  });

  test("each error has its code, its fields and its address", async () => {
    const { client } = open(assumptions);
    const invalid = await refusalOf(
      client.paymentIntents.create({ amount: 0, returnUrl: "nowhere", externalId: "order-1", ...whole }),
    );
    expect(invalid).toMatchObject({ code: "VALIDATION_ERROR", requiresAction: false });
    const told = assumptions["http.order"].fields === "first" ? ["amount"] : ["amount", "returnUrl"];
    expect(invalid.errors.map(({ path }) => path)).toEqual(told);
    expect((await refusalOf(client.paymentIntents.status("pi_nothing"))).code).toBe("INTENT_NOT_FOUND");
    expect((await refusalOf(client.checkout.poll("nothing"))).code).toBe("SESSION_NOT_FOUND");

    const { id } = await client.paymentIntents.create({ amount: 10_000, externalId: "order-1", ...whole });
    const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
    const open3ds = await refusalOf(client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" }));
    expect(open3ds).toMatchObject({ code: "3D_SECURE_REQUIRED", requiresAction: true, redirectUrl });
    const poor = await client.paymentIntents.create({ amount: 10_000, externalId: "order-1", ...whole });
    const declined = client.paymentIntents.confirm(poor.id, { paymentMethodId: "pm_card_insufficient_funds" });
    expect((await refusalOf(declined)).code).toBe("INSUFFICIENT_FUNDS");
  });

  test("every call of the client finds its path, and no address of the document that has moved answers", async () => {
    const { sim, client } = open(assumptions);
    const order = {
      externalId: "order-1",
      amount: 25_000,
      description: "Shoes",
      webhookUrl: RECEIVER,
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    };
    const { sessionToken } = await client.checkout.create(order);
    const { id: planId } = await client.plans.create({ name: "Gold", amount: 50_000, interval: "month" });
    const { id, sessionToken: token } = await client.subscriptions.initiate({ planId, contact: order.contact });
    const paid = await client.checkout.process(sessionToken, { paymentMethodId: "pm_card_challenge" });
    expect((await sim.customer.authenticate(String(paid.redirectUrl))).status).toBe("processing");
    await sim.clock.settle();
    expect((await client.checkout.poll(sessionToken)).status).toBe("completed");
    const [transaction] = (await client.transactions.list()).items;
    expect(await client.transactions.get(transaction?.id ?? "")).toEqual(transaction);
    expect((await client.transactions.listPaymentSessions()).items).toHaveLength(1);
    const session = await client.checkout.session(sessionToken);
    expect(session).toEqual(await client.transactions.paymentSession(sessionToken));
    expect(session).toEqual(expect.objectContaining({ status: "completed" }));
    expect((await client.plans.list()).items).toEqual([await client.plans.get(planId)]);
    expect((await client.subscriptions.session(token)).id).toBe(id);
    await client.subscriptions.changePlan(id, { planId }).catch(() => undefined);
    expect((await client.subscriptions.cancel(id)).status).toBe("cancelled");
    expect((await client.subscriptions.get(id)).status).toBe("cancelled");
    expect((await client.subscriptions.list()).items).toHaveLength(1);
    expect(sim.assumptions.used().find(({ id: row }) => row === "http.endpoints")?.departsFrom).toBe("4");

    const { paths } = await sim.openapi();
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations).filter((each) => each !== "get")) {
        const { status } = await sim.fetch(path.replaceAll(/\{\w+\}/g, "x"), { method: method.toUpperCase() });
        expect(status, `${method} ${path}`).not.toBe(405);
      }
    }
  });

  test("a client whose token has expired gets another, and a wrong secret is told", async () => {
    const { sim, client } = open(assumptions);
    await client.transactions.list();
    await sim.clock.advance("2 hours");
    expect((await client.transactions.list()).items).toEqual([]);
    const stranger = createClient({
      baseUrl: sim.baseUrl,
      fetch: sim.fetch,
      clientId: sim.credentials.clientId,
      clientSecret: "wrong",
      assumptions,
    });
    expect((await refusalOf(stranger.transactions.list())).code).toBe("INVALID_CREDENTIALS");
  });

  test("verifyWebhook and the readers give each event as the service document has it", async () => {
    const { sim, client, events } = open(assumptions);
    const { checkoutUrl } = await client.checkout.create({
      externalId: "order-1",
      amount: 25_000,
      description: "Shoes",
      webhookUrl: RECEIVER,
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
    const { id } = await client.paymentIntents.create({ amount: 10_000, externalId: "order-2", ...whole });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    const plan = await client.plans.create({ name: "Gold", amount: 50_000, interval: "month" });
    const contact = { name: "Ana Cruz", email: "ana@customer.example" };
    const subscription = await client.subscriptions.initiate({ planId: plan.id, contact });
    await client.subscriptions.processPayment({ subscriptionId: subscription.id, paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();

    expect(events).toEqual(sim.webhooks.events().map(({ body }) => body));
    expect(events.map(({ type }) => type)).toEqual(sim.webhooks.events().map(({ type }) => type));
    expect(events.find(({ type }) => type === "checkout.completed")).toMatchObject({ status: "completed" });
    expect(events.find(({ type }) => type === "payment_intent.succeeded")).toMatchObject({
      data: { id, type: "payment_intent", attributes: { amount: 10_000, externalId: "order-2", status: "succeeded" } },
    });
    expect(events.find(({ type }) => type === "subscription.activated")).toMatchObject({
      data: { type: "subscription", attributes: { status: "active" } },
    });
  });
});
