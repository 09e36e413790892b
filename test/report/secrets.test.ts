import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith, HOOKS, register, SHOP } from "../merchant/requests.ts";

const CARD = "5555444444444457";

/** Every secret that was sent or answered in a run, as it stands in what was sent. */
function secretsIn(sim: Simulator, answers: string): Set<string> {
  const sent = JSON.stringify(sim.recording().inputs) + answers;
  const { clientSecret, adminKey, webhookSecret } = sim.credentials;
  const shaped =
    sent.match(/\b(?:csec_fake|ak_fake|rt_fake|whsec|ck_fake)_[\w+/=-]{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? [];
  return new Set([clientSecret, adminKey, webhookSecret, ...shaped]);
}

test("no secret of a run is in its report: tokens, keys, cards, of any merchant", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS });
  const answers: string[] = [];
  sim.connect(SHOP, async (request: Request) => {
    answers.push(await request.clone().text());
    return new Response(`${sim.credentials.webhookSecret} ${CARD}`, { status: 500 });
  });
  const merchant = new Merchant(sim, {
    fetch: async (input, init) => {
      const answer = await sim.fetch(input, init);
      answers.push(await answer.clone().text());
      return answer;
    },
  });
  await merchant.logIn();
  const { clientSecret } = ok(await register(sim, { name: "Second", email: "second@example.com" }));
  const { id } = await merchant.createIntent({ metadata: { note: CARD, key: sim.credentials.adminKey } });
  await merchant.confirm(id, { paymentMethod: "card", creditCardDetails: cardWith(CARD, { cvc: "8317" }) });
  const { checkoutUrl, sessionToken } = await merchant.createCheckout();
  await sim.customer.pay(checkoutUrl, cardWith(CARD, { cvc: "8317" }));
  await sim.clock.advance("1 minute");
  const html = await sim.report();
  const secrets = secretsIn(sim, answers.join("\n"));
  expect(secrets.size).toBeGreaterThan(5);
  expect(
    [...secrets, CARD, "8317", sessionToken ?? "", clientSecret ?? ""].filter((secret) => html.includes(secret)),
  ).toEqual([]);
});

test("secrets that a test chose are taken out, too", async () => {
  const credentials = {
    clientId: "shop-id",
    clientSecret: "open sesame!",
    adminKey: "root-key-1",
    webhookSecret: "whsec_aHVzaGh1c2g=",
  };
  const sim = createSimulator({ webhookUrl: HOOKS, credentials });
  sim.connect(SHOP, () => new Response("the secret is whsec_aHVzaGh1c2g=, not root-key-1", { status: 500 }));
  const merchant = await Merchant.of(sim);
  await merchant.pay({ description: "open sesame!" });
  await sim.clock.settle();
  const html = await sim.report();
  expect(["open sesame!", "root-key-1", "whsec_aHVzaGh1c2g="].filter((secret) => html.includes(secret))).toEqual([]);
  expect(html).toContain("[redacted]");
});

test("a secret that a test chose leaves nothing of itself where a long text is cut", async () => {
  const credentials = {
    clientId: "shop-id",
    clientSecret: "open sesame, said Ali Baba",
    adminKey: "root-key-that-a-person-chose",
  };
  const { clientSecret, adminKey } = credentials;
  const sim = createSimulator({ credentials });
  const merchant = await Merchant.of(sim);
  // A header is cut at 2000 characters and a body at 12 000: both have the secret across the cut.
  const body = { description: `${"-".repeat(11_970)}${adminKey}` };
  await merchant.call("POST", "/api/payment-intent", body, {
    "idempotency-key": `${"-".repeat(1980)}${clientSecret}`,
  });
  const html = await sim.report();
  expect(["root-key", "open sesame"].filter((beginning) => html.includes(beginning))).toEqual([]);
});
