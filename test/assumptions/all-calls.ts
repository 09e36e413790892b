import { createSimulator } from "centavo";
import type { AssumptionOverrides, Simulator } from "centavo";
import { createClient } from "centavo/client";
import { operations } from "../../src/client/operations.ts";
import { order, planBody, startOf } from "../merchant/requests.ts";

/** What one call was answered: on the wire, and as the client reads it. */
export interface Answered {
  readonly wire: unknown;
  readonly read: unknown;
}

/** What a new intent has, whatever fields the service requires (`intent.create-fields`). */
export const whole = {
  description: "Shoes",
  contact: { name: "Ana Cruz", phone: "+639170000000" },
  metadata: { size: "42" },
};

/** Makes every call of the typed client once, in a world with these assumptions, and returns the answers by route. */
export async function everyCall(
  assumptions: AssumptionOverrides,
  sim: Simulator = createSimulator({ assumptions }),
): Promise<Readonly<Record<string, Answered>>> {
  const answered: Record<string, Answered> = {};
  let latest: unknown;
  const client = createClient({
    ...sim.credentials,
    assumptions,
    baseUrl: sim.baseUrl,
    async fetch(url, init) {
      const response = await sim.fetch(url, init);
      latest = await response.clone().json();
      return response;
    },
  });
  const called = async <Read>(route: string, call: Promise<Read>): Promise<Read> => {
    const read = await call;
    answered[route] = { wire: latest, read };
    return read;
  };

  const intent = await called(
    "payment-intent.create",
    client.paymentIntents.create({ amount: 49_900, externalId: "order-1", ...whole }),
  );
  await called(
    "payment-intent.confirm",
    client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_challenge" }),
  );
  await called("payment-intent.status", client.paymentIntents.status(intent.id));
  const { sessionToken } = await called("checkout.create", client.checkout.create(order() as never));
  await called("checkout.process", client.checkout.process(sessionToken, { paymentMethodId: "pm_card_approved" }));
  await sim.clock.settle();
  await called("checkout.session", client.checkout.session(sessionToken));
  await called("checkout.polling", client.checkout.poll(sessionToken));
  const plan = await called("subscription-plan.create", client.plans.create(planBody() as never));
  await called("subscription-plan.create", client.plans.create(planBody({ name: "Tea club" }) as never));
  await called("subscription-plan.get", client.plans.get(plan.id));
  await called("subscription-plan.list", client.plans.list({ limit: 1 }));
  const begun = await called("subscription.initiate", client.subscriptions.initiate(startOf(plan.id) as never));
  const payment = { subscriptionId: begun.id, paymentMethodId: "pm_card_approved" };
  await called("subscription.process-payment", client.subscriptions.processPayment(payment));
  await sim.clock.settle();
  await called("subscription.session", client.subscriptions.session(begun.sessionToken));
  await called("subscription.get", client.subscriptions.get(begun.id));
  await called("subscription.list", client.subscriptions.list());
  await called("subscription.change-plan", client.subscriptions.changePlan(begun.id, { planId: plan.id }));
  await called(
    "subscription.change-payment-method",
    client.subscriptions.changePaymentMethod(begun.id, { paymentMethodId: "pm_card_approved" }),
  );
  await called("subscription.cancel", client.subscriptions.cancel(begun.id));
  const page = await called("transaction.list", client.transactions.list({ limit: 1, offset: 1 }));
  await called("transaction.get", client.transactions.get(page.items[0]?.id ?? ""));
  await called("transaction.list-payment-sessions", client.transactions.listPaymentSessions({ limit: 1 }));
  await called("transaction.payment-session", client.transactions.paymentSession(sessionToken));
  return answered;
}

/** The routes of the typed client. */
export const routesOfClient: readonly string[] = Object.values(operations)
  .flatMap((calls) => Object.values(calls))
  .map(({ route }) => route);
