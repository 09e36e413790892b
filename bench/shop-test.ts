import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { intercept } from "centavo/node";

/** The address of the shop in tests. */
export const SHOP = "https://shop.example";

/** Creates and confirms an intent that asks for 3-D Secure, through the global `fetch`, and returns where the customer has to go. */
export async function pay(options: Parameters<typeof createClient>[0]): Promise<{ id: string; redirectUrl: string }> {
  const client = createClient(options);
  const { id } = await client.paymentIntents.create({ amount: 10_000, returnUrl: `${SHOP}/thanks` });
  const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_challenge" });
  return { id, redirectUrl: redirectUrl ?? "" };
}

/** Runs a whole test of a shop: a simulator of its own, a payment with 3-D Secure, its webhooks, the end. */
export async function runShopTest(): Promise<void> {
  let delivered = 0;
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks` });
  intercept(sim);
  sim.connect(SHOP, () => {
    delivered += 1;
    return new Response();
  });
  const { id, redirectUrl } = await pay({ ...sim.credentials, baseUrl: sim.baseUrl });
  await sim.customer.authenticate(redirectUrl);
  await sim.clock.settle();
  if (sim.intents.get(id)?.status !== "succeeded" || delivered === 0) throw new Error("The payment did not succeed.");
  await sim.close();
}
