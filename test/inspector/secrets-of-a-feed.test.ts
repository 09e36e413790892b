import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith, HOOKS, register, SHOP } from "../merchant/requests.ts";
import { Page, until } from "./page.ts";

const CARD = "5555444444444457";
const CREDENTIALS = {
  clientId: "shop-id",
  clientSecret: "open sesame!",
  adminKey: "root-key-1",
  webhookSecret: "whsec_aHVzaGh1c2g=",
};

test("no secret of a run is in what the page follows, whoever chose it", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS, credentials: CREDENTIALS });
  await using server = await serve(sim);
  const page = await Page.of(server);
  const events = page.follow("/_centavo/inspector/run");
  const answers: string[] = [];
  sim.connect(
    SHOP,
    () => new Response(`${CREDENTIALS.webhookSecret} ${CARD} ${CREDENTIALS.adminKey}`, { status: 500 }),
  );
  const merchant = new Merchant(sim, {
    fetch: async (input, init) => {
      const answer = await sim.fetch(input, init);
      answers.push(await answer.clone().text());
      return answer;
    },
  });
  await merchant.logIn();
  const { clientSecret } = ok(await register(sim, { name: "Second", email: "second@example.com" }));
  const { id } = await merchant.createIntent({
    description: "open sesame!",
    metadata: { note: CARD, key: CREDENTIALS.adminKey },
  });
  await merchant.confirm(id, { paymentMethod: "card", creditCardDetails: cardWith(CARD, { cvc: "8317" }) });
  const { checkoutUrl, sessionToken } = await merchant.createCheckout();
  await sim.customer.pay(checkoutUrl, cardWith(CARD, { cvc: "8317" }));
  await sim.clock.advance("1 minute");
  let text = "";
  const last = sim.journal.length;
  await until(events, ({ rows }, event) => {
    text += JSON.stringify(event);
    return event.event === "resources" && rows.length === last;
  });
  await events.return();
  const tokens = answers
    .join("\n")
    .match(/\b(?:csec_fake|rt_fake|whsec|ck_fake)_[\w+/=-]{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]+/g);
  expect(tokens?.length).toBeGreaterThan(1);
  const { clientSecret: chosen, adminKey, webhookSecret } = CREDENTIALS;
  const secrets = [...(tokens ?? []), chosen, adminKey, webhookSecret, CARD, "8317", sessionToken, clientSecret];
  expect(secrets.filter((secret) => text.includes(String(secret)))).toEqual([]);
  expect(text).toContain("[redacted]");
});
