/** Prints the microseconds of a subscription's monthly renewal in a world of so many subscriptions, every webhook delivered in the process. */
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { tokenOf } from "./flow.ts";
import { microsecondsEach } from "./measure.ts";

const RENEWALS = 10_000;

async function subscribedWorld(subscriptions: number): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
  sim.connect("https://shop.example", async (request: Request) => {
    await request.json();
    return new Response(null, { status: 204 });
  });
  const headers = { authorization: `Bearer ${await tokenOf(sim)}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<string> => {
    const response = await sim.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  const planId = await post("/api/subscription/plans", { name: "Gym membership", amount: 149_900, interval: "month" });
  const contact = { name: "Maria Santos", email: "maria@mail.example" };
  for (let index = 0; index < subscriptions; index += 1) {
    const subscriptionId = await post("/api/subscription/initiate", { planId, contact });
    await post("/api/subscription/process-payment", { subscriptionId, paymentMethodId: "pm_card_approved" });
  }
  await sim.clock.advance("1 day");
  return sim;
}

/** Returns the microseconds of each renewal, over so many months that all of them are renewed often enough. */
async function renew(subscriptions: number): Promise<number> {
  const months = RENEWALS / subscriptions;
  const sim = await subscribedWorld(subscriptions);
  const last = sim.subscriptions.last();
  globalThis.gc?.();
  const each = await microsecondsEach(Math.ceil(months), () => sim.clock.advance("1 month"));
  const now = last && sim.subscriptions.get(last.id);
  if (now?.status !== "active" || now.latestInvoice.id === last?.latestInvoice.id)
    throw new Error("The last subscription was not renewed.");
  return each / subscriptions;
}

await renew(1000);
console.log(await renew(Number(process.argv[2])));
