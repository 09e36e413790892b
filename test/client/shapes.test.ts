import { createSimulator } from "centavo";
import { createClient, type Confirmation, type CreatedIntent } from "centavo/client";
import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { expect, expectTypeOf, test } from "vitest";

const address = { returnUrl: "https://shop.example/return", webhookUrl: "https://shop.example/hooks" };

test("an intent is created, confirmed and read in the document's shapes", async () => {
  const sim = createSimulator();
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
  const intent = await client.paymentIntents.create({ amount: 10_000, description: "A book" });
  expectTypeOf(intent).toEqualTypeOf<CreatedIntent>();
  expect(intent).toMatchObject({ amount: 10_000, status: "pending", paymentMethods: ["gcash", "grab_pay", "card"] });

  const confirmed = await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
  expectTypeOf(confirmed).toEqualTypeOf<Confirmation>();
  expect(confirmed).toMatchObject({ intentId: intent.id, status: "processing", requiresAction: false });

  await sim.clock.settle();
  expect(await client.paymentIntents.status(intent.id)).toMatchObject({
    status: "succeeded",
    paymentMethod: { type: "card" },
  });
});

test("the SDK's form of confirm sends the card itself", async () => {
  const sim = createSimulator();
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
  const intent = await client.paymentIntents.create({ amount: 10_000, returnUrl: address.returnUrl });
  const creditCardDetails = { cardNumber: "4120000000000007", expMonth: "12", expYear: "2030", cvc: "123" };
  const confirmed = await client.paymentIntents.confirm(intent.id, {
    paymentMethod: "card",
    creditCardDetails,
    contact: { name: "Ana Cruz", email: "ana@customer.example" },
  });
  expect(confirmed).toMatchObject({ requiresAction: true, nextAction: { type: "redirect" } });
  expect(confirmed.nextAction?.redirectUrl).toBe(confirmed.redirectUrl);
});

test("a checkout session is created, processed, polled, and read with the admin key", async () => {
  const sim = createSimulator();
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
  const { sessionToken } = await client.checkout.create({
    externalId: "order-1",
    amount: 10_000,
    description: "A book",
    contact: { name: "Ana Cruz", email: "ana@customer.example" },
    ...address,
  });
  const processed = await client.checkout.process(sessionToken, { paymentMethodId: "pm_card_approved" });
  expect(processed).toMatchObject({ sessionToken, status: "processing", requiresAction: false });
  await sim.clock.settle();
  expect(await client.checkout.poll(sessionToken)).toMatchObject({ sessionToken, status: "completed" });
  expect(await client.checkout.session(sessionToken)).toMatchObject({ externalId: "order-1", status: "completed" });
});

test("without the admin key, reading a session says where to find the key", async () => {
  const sim = createSimulator();
  const { clientId, clientSecret } = sim.credentials;
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, clientId, clientSecret });
  await expect(client.checkout.session("unknown")).rejects.toThrow(
    /pass the option adminKey to createClient\. A simulator has it as sim\.credentials\.adminKey/,
  );
});

test("a call with an idempotency key that is repeated gets the first answer", async () => {
  const sim = createSimulator();
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
  const first = await client.paymentIntents.create({ amount: 10_000 }, { idempotencyKey: "order-1" });
  const second = await client.paymentIntents.create({ amount: 10_000 }, { idempotencyKey: "order-1" });
  expect(second).toEqual(first);
  expect(sim.intents.list()).toHaveLength(1);
});

test("it finds the service through an interception that starts later, and over a socket", async () => {
  const sim = createSimulator();
  const intercepted = createClient({ baseUrl: sim.baseUrl, ...sim.credentials });
  const network = intercept(sim);
  await intercepted.paymentIntents.create({ amount: 10_000 });
  network.close();

  const server = await serve(sim);
  await createClient({ baseUrl: server.url, ...sim.credentials }).paymentIntents.create({ amount: 20_000 });
  await server.close();
  expect(sim.intents.list().map(({ amount }) => amount)).toEqual([10_000, 20_000]);
});

test("a signal gives a call up", async () => {
  const sim = createSimulator();
  const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
  const signal = AbortSignal.abort(new Error("changed my mind"));
  await expect(client.paymentIntents.create({ amount: 10_000 }, { signal })).rejects.toThrow("changed my mind");
  expect(sim.intents.list()).toEqual([]);
});
