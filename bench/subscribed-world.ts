import { createSimulator } from "centavo";
import type { AdvanceOptions, Simulator } from "centavo";
import { tokenOf } from "./flow.ts";

/** The smallest receiver that reads its events. */
export async function receive(request: Request): Promise<Response> {
  await request.json();
  return new Response(null, { status: 204 });
}

export const RECEIVER = "https://shop.example/hooks";

/** The options of a world of subscriptions. */
export interface SubscribedWorld {
  readonly subscriptions: number;
  /** Whether every webhook is delivered to an app in the process. Otherwise events have no receiver. */
  readonly delivered: boolean;
  /** How many journal entries are kept. */
  readonly keep?: number;
  /** How many finished payments and webhook events are kept. */
  readonly history?: number;
}

/** Creates a world of subscriptions that are paid for their first month. */
export async function subscribedWorld({
  subscriptions,
  delivered,
  keep,
  history,
}: SubscribedWorld): Promise<Simulator> {
  const sim = createSimulator({
    ...(delivered ? { webhookUrl: RECEIVER } : {}),
    ...(keep === undefined ? {} : { journal: { keep } }),
    ...(history === undefined ? {} : { history: { keep: history } }),
  });
  if (delivered) sim.connect(new URL(RECEIVER).origin, receive);
  const headers = { authorization: `Bearer ${await tokenOf(sim)}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<{ data: { id: string } }> => {
    const response = await sim.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { data: { id: string } };
  };
  const plan = await post("/api/subscription/plans", { name: "Gym membership", amount: 149_900, interval: "month" });
  for (let index = 0; index < subscriptions; index += 1) {
    const { data } = await post("/api/subscription/initiate", {
      planId: plan.data.id,
      contact: { name: "Maria Santos", email: "maria@mail.example" },
    });
    await post("/api/subscription/process-payment", { subscriptionId: data.id, paymentMethodId: "pm_card_approved" });
  }
  await sim.clock.advance("1 day");
  return sim;
}

/** Advances the clock month by month, and checks that the last subscription paid for all of them. */
export async function liveMonths(sim: Simulator, months: number, options: AdvanceOptions = {}): Promise<void> {
  const last = sim.subscriptions.last();
  for (let month = 0; month < months; month += 1) await sim.clock.advance("1 month", options);
  const now = last === undefined ? undefined : sim.subscriptions.get(last.id);
  if (
    now?.status !== "active" ||
    now.latestInvoice.status !== "paid" ||
    now.latestInvoice.id === last?.latestInvoice.id
  )
    throw new Error("The last subscription of the world was not renewed.");
}
