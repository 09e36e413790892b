import { onlyWithCustomers } from "../../troubles/in-shake.ts";
import type { StoryRun } from "../playing/story-run.ts";
import { isOfOrders } from "../../troubles/acts.ts";
import type { Acting, Trouble } from "./trouble.ts";

type Made = "payment" | "subscription";

/** The amount of the other system's payment, in centavos. */
const SMALL_AMOUNT = 100;
/** How long that payment takes to be decided, in milliseconds. */
const DECIDED = 60_000;
const CONTACT = { name: "Somebody Else", email: "somebody.else@customer.example", phone: "+639170000000" };

interface Answer {
  readonly access_token?: string;
  readonly data?: { readonly id?: string };
}

/** What another system of the same merchant does. */
export const anotherSystem: readonly Trouble[] = [
  {
    name: "payment of another system",
    at: "act",
    inShake: onlyWithCustomers,
    fits: isOfOrders,
    needsOpenPayment: true,
    isAttack: true,
    onAct: { beforePages: (acting) => useTheSameExternalId(acting, "payment") },
    sentence: (_point, who) =>
      `Before ${who} pays, another system of the same merchant takes ₱1.00 under the same externalId.`,
  },
  {
    name: "subscription of another system",
    at: "act",
    inShake: onlyWithCustomers,
    fits: ({ subject }) => subject === "join",
    onAct: { beforePages: (acting) => useTheSameExternalId(acting, "subscription") },
    sentence: () =>
      "Another system of the same merchant begins a subscription under the same externalId, and cancels it.",
  },
];

/**
 * Makes another system of the same merchant reuse the externalId of a customer's order or membership: it takes a small
 * payment, or begins a subscription and cancels it. The merchant gets genuine, signed events about both.
 */
async function useTheSameExternalId({ run, step }: Acting, makes: Made): Promise<void> {
  const { course, time } = run;
  await course.rest();
  await course.alone(makes === "payment" ? takePayment(run, step.id) : endSubscription(run, step.id));
  await course.passTo(time.now + DECIDED);
  await course.rest();
  await run.readBooks("acted");
}

async function takePayment(run: StoryRun, id: string): Promise<void> {
  const { sim, seen } = run;
  const { intents } = sim.internals.parts;
  const own = sim.intents.list().find((intent) => seen.owners.get(intent.id) === id);
  const row = own && intents.get(own.id);
  if (row === undefined) return;
  const { externalId, returnUrl, webhookUrl } = row.data;
  const call = await callsOf(run);
  const fields = {
    amount: SMALL_AMOUNT,
    description: "A deposit",
    contact: CONTACT,
    externalId,
    returnUrl,
    webhookUrl,
  };
  const payment = await call("POST", "/api/payment-intent", fields);
  if (payment === undefined) return;
  seen.foreign.add(payment);
  await call("POST", `/api/payment-intent/${payment}/confirm`, { paymentMethodId: "pm_card_approved" });
}

async function endSubscription(run: StoryRun, id: string): Promise<void> {
  const { sim, seen } = run;
  const own = sim.subscriptions.list().find((subscription) => seen.owners.get(subscription.id) === id);
  const row = own && sim.internals.parts.subscriptions.get(own.id);
  if (own === undefined || row === undefined) return;
  const { externalId, returnUrl, webhookUrl } = row.data;
  const call = await callsOf(run);
  const fields = { planId: own.plan.id, contact: CONTACT, externalId, returnUrl, webhookUrl };
  const subscription = await call("POST", "/api/subscription/initiate", fields);
  if (subscription === undefined) return;
  seen.foreign.add(subscription);
  await call("DELETE", `/api/subscription/${subscription}`);
}

/** Logs in, and returns a function that calls the service and returns the id in the answer. */
async function callsOf({ sim }: StoryRun) {
  const { clientId, clientSecret } = sim.credentials;
  const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  // The other system gives up when a trouble strikes its own calls.
  const answerOf = async (url: string, init: RequestInit): Promise<Answer> => {
    try {
      return (await (await sim.fetch(url, init)).json()) as Answer;
    } catch {
      return {};
    }
  };
  const { access_token: token } = await answerOf(`${sim.authUrl}/oauth`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return async (method: string, path: string, body?: object): Promise<string | undefined> => {
    const answer = await answerOf(sim.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.data?.id;
  };
}
