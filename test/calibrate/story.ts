import { createClient } from "centavo/client";
import type { AssumptionOverrides } from "centavo";
import { RECEIVER } from "./recorded.ts";
import type { Recorded } from "./recorded.ts";

const contact = { name: "Ana Cruz", email: "ana@customer.example" };
/** A service may require any of these. */
const whole = {
  description: "Shoes",
  contact: { ...contact, phone: "+639170000000" },
  metadata: { size: "42" },
  returnUrl: "https://shop.example/thanks",
  webhookUrl: RECEIVER,
};

/** A merchant's day: a paid checkout, an intent with a challenge, declines, errors of the merchant's own, and a subscription. */
export async function day({ sim, fetch }: Recorded, assumptions: AssumptionOverrides): Promise<void> {
  const client = createClient({ baseUrl: sim.baseUrl, fetch, ...sim.credentials, assumptions });
  const refused = async (call: Promise<unknown>): Promise<void> => void (await call.catch(() => undefined));
  const session = await client.checkout.create({
    externalId: "order-1",
    amount: 25_000,
    description: "Shoes",
    webhookUrl: RECEIVER,
    returnUrl: "https://shop.example/thanks",
    contact,
  });
  await refused(client.paymentIntents.create({ amount: 0, returnUrl: "nowhere" }));
  await sim.customer.pay(session.checkoutUrl, "pm_card_approved");
  await sim.clock.settle();
  await client.checkout.poll(session.sessionToken);
  await refused(client.checkout.poll("nothing"));
  await refused(client.paymentIntents.status("pi_nothing"));
  const challenged = await client.paymentIntents.create({ ...whole, amount: 10_000, externalId: "order-2" });
  const { redirectUrl } = await client.paymentIntents.confirm(challenged.id, { paymentMethodId: "pm_card_challenge" });
  await refused(client.paymentIntents.confirm(challenged.id, { paymentMethodId: "pm_card_challenge" }));
  await sim.customer.authenticate(redirectUrl);
  await sim.clock.settle();
  await client.paymentIntents.status(challenged.id);
  const poor = await client.paymentIntents.create({ ...whole, amount: 12_300, externalId: "order-3" });
  await refused(client.paymentIntents.confirm(poor.id, { paymentMethodId: "pm_card_insufficient_funds" }));
  await sim.clock.settle();
  const plan = await client.plans.create({ name: "Gold", amount: 50_000, interval: "month" });
  const { id } = await client.subscriptions.initiate({ planId: plan.id, contact });
  await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
  await client.subscriptions.get(id);
  await client.transactions.list();
}
