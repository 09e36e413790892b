import { createSimulator, type Simulator, type SimulatorOptions } from "../../src/index.ts";

const SHOP = "https://shop.example";

/** A simulator whose merchant's app answers every third webhook with an error. */
export function simulator(options: SimulatorOptions = {}): Simulator {
  const sim = createSimulator({ seed: 42, ...options });
  let count = 0;
  sim.connect(SHOP, (request) => {
    if (request.method === "POST") count += 1;
    return new Response(null, { status: count % 3 === 0 ? 500 : 200 });
  });
  return sim;
}

/**
 * What a merchant's code, its customers and a test do: payments, a challenge, a session, retries.
 * It also runs in a separate process without vitest, so it logs in without the merchant harness.
 * @param call how the merchant's code reaches the service
 * @param baseUrl the base URL that the merchant's code uses
 */
export async function script(
  sim: Simulator,
  call: typeof fetch = sim.fetch,
  baseUrl = sim.baseUrl,
  authUrl = sim.authUrl,
): Promise<string> {
  const { clientId, clientSecret } = sim.credentials;
  const credentials = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const login = await call(`${authUrl}/oauth`, { method: "POST", body: credentials });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await call(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    return ((await response.json()) as { data: Record<string, string> }).data;
  };

  const webhookUrl = `${SHOP}/hooks`;
  const first = await post("/api/payment-intent", { amount: 10000, webhookUrl, metadata: { order: "1" } });
  await post(`/api/payment-intent/${first["id"]}/confirm`, { paymentMethodId: "pm_card_approved" });
  const second = await post("/api/payment-intent", { amount: 2500, webhookUrl, returnUrl: `${SHOP}/back?from=bank` });
  const { redirectUrl = "" } = await post(`/api/payment-intent/${second["id"]}/confirm`, { paymentMethodId: "gcash" });
  await sim.customer.authenticate(redirectUrl);
  await sim.clock.advance("10 seconds");
  const { checkoutUrl = "" } = await post("/api/checkout", {
    externalId: "order-3",
    amount: 10000,
    description: "Two mangoes",
    webhookUrl,
    returnUrl: `${SHOP}/thanks`,
    contact: { name: "Ana", email: "ana@example.com" },
  });
  await sim.customer.pay(checkoutUrl, "pm_card_declined_after_challenge");
  await call(`${baseUrl}/api/payment-intent/${first["id"]}/status`, { headers });
  await call(`${baseUrl}/api/payment-intent/pi_unknown/status`, { headers });
  await sim.clock.advance("1 day");
  return sim.journal.digest();
}
