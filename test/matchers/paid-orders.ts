import { createSimulator, type Simulator, type SimulatorOptions } from "centavo";
import { createClient, type Client } from "centavo/client";

const SHOP = "https://shop.example";

/** A simulator with a client, and an app that takes every webhook. */
export interface Shop {
  readonly sim: Simulator;
  readonly client: Client;
}

export function openShop(options: SimulatorOptions = {}, status: () => number = () => 200): Shop {
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks`, ...options });
  sim.connect(SHOP, () => new Response(null, { status: status() }));
  const { baseUrl, authUrl, fetch, credentials } = sim;
  return { sim, client: createClient({ baseUrl, authUrl, fetch, ...credentials }) };
}

/** Pays an intent, and returns its id. */
export async function pay({ sim, client }: Shop, externalId = "order-1", amount = 10000): Promise<string> {
  const { id } = await client.paymentIntents.create({ amount, externalId });
  await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
  await sim.clock.advance("1 minute");
  return id;
}

/** Creates a session for an order, and returns its id. */
export async function openSession({ client }: Shop, externalId = "order-1"): Promise<string> {
  const { id } = await client.checkout.create({
    externalId,
    amount: 10000,
    description: "An order",
    webhookUrl: `${SHOP}/hooks`,
    returnUrl: SHOP,
    contact: { name: "Ana Cruz", email: "ana@customer.example" },
  });
  return id;
}

/** Returns the message with which an assertion fails, without the colours of a terminal. */
export function messageOf(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    // eslint-disable-next-line no-control-regex -- these are what colours begin with
    return (error as Error).message.replaceAll(/\u001B\[\d+m/g, "");
  }
  throw new Error("The assertion did not fail.");
}
