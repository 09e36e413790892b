import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { ok } from "../merchant/answers.ts";
import { Merchant } from "../merchant.ts";
import { register, tokensOf } from "../merchant/requests.ts";

test("every credential says in its own alphabet that it is fake, and tells by its beginning what it opens", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  const registered = ok(await register(sim, { name: "Second", email: "second@shop.example" }));
  for (const { clientId, clientSecret, webhookSecret } of [sim.credentials, registered]) {
    expect(clientId).toMatch(/^ci_fake_/);
    expect(clientSecret).toMatch(/^csec_fake_/);
    expect(webhookSecret).toMatch(/^whsec_FakeFake/);
    expect(atob(webhookSecret.slice(6))).toHaveLength(32);
  }
  expect(sim.credentials.adminKey).toMatch(/^ak_fake_/);
  expect((await merchant.createIntent()).clientKey).toMatch(/^ck_fake_/);
  const { access, refresh } = await tokensOf(sim);
  expect(refresh).toMatch(/^rt_fake_/);
  expect(decodeJwt(access).jti).toMatch(/^jti_\w{20}Fake$/);
});

test("every id names its kind and ends in Fake, and session tokens alone are UUIDs", async () => {
  const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
  sim.connect("https://shop.example", () => new Response());
  const make = fixtures(sim);
  const merchant = await Merchant.of(sim);
  const intent = await merchant.createIntent();
  const { redirectUrl } = ok(await merchant.confirm(intent.id, "pm_card_challenge"));
  const session = await make.checkout({ status: "completed" });
  const subscription = await make.subscription({ status: "active" });
  const view = await merchant.readSubscription(subscription.id);
  const card = sim.paymentMethods.create({ cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" });
  const ids = {
    pi: intent.id,
    ach: /authenticate\/(\w+)$/.exec(redirectUrl)?.[1],
    cs: session.id,
    sub: subscription.id,
    plan: view.plan.id,
    inv: view.latestInvoice.id,
    txn: sim.transactions.last()?.id,
    evt: sim.webhooks.events()[0]?.id,
    mer: sim.credentials.merchantId,
    pm: card,
  };
  for (const [prefix, id] of Object.entries(ids)) expect(id).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{20}Fake$`));
  expect(session.sessionToken).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
});

test("the id of a session stays readable where a client secret is taken out", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  const { id, sessionToken } = await merchant.createCheckout();
  const { clientSecret } = sim.credentials;
  await merchant.createIntent({ description: `${id} ${clientSecret}` });
  const printed = JSON.stringify(sim.journal.entries);
  expect(printed).toContain(`${id} csec_[redacted]`);
  expect([clientSecret.slice(-12), sessionToken].filter((secret) => printed.includes(secret))).toEqual([]);
});
