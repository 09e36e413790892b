import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";

const HOOKS = "https://shop.example/hooks";

/** The body and the headers of a delivery, as the shop gets them. */
async function delivered(assumptions: object) {
  const sim = createSimulator({ webhookUrl: HOOKS, assumptions, now: new Date() });
  const got: Request[] = [];
  sim.connect("https://shop.example", (request: Request) => {
    got.push(request.clone());
    return new Response();
  });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
  const [first] = got;
  if (first === undefined) throw new Error("Nothing was delivered.");
  const secret = sim.credentials.webhookSecret;
  expect(secret).toMatch(/^whsec_FakeFake/);
  return { body: await first.text(), headers: Object.fromEntries(first.headers), secret };
}

test("Stripe's own package verifies a delivery with the fake secret", async () => {
  const { body, headers, secret } = await delivered({ "webhook.signature": "stripe" });
  const { webhooks } = new Stripe("sk_test_unused");
  const event: unknown = webhooks.constructEvent(body, headers["stripe-signature"] ?? "", secret);
  expect(event).toEqual(JSON.parse(body));
  expect(() => webhooks.constructEvent(`${body} `, headers["stripe-signature"] ?? "", secret)).toThrow(/signature/i);
});

test("Svix's own package verifies a delivery with the fake secret", async () => {
  const { body, headers, secret } = await delivered({
    "webhook.signature": { scheme: "standard-webhooks", header: "svix-signature" },
  });
  expect(new SvixWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new SvixWebhook(secret).verify(`${body} `, headers)).toThrow(/signature/i);
});

test("the package of Standard Webhooks verifies a delivery with the fake secret", async () => {
  const { body, headers, secret } = await delivered({ "webhook.signature": "standard-webhooks" });
  expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow(/signature/i);
});
