import type { Client } from "../../client/calls.ts";
import { createClient } from "../../client/client.ts";
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
  const { paymentIntents } = clientOf(run);
  const fields = {
    amount: SMALL_AMOUNT,
    description: "A deposit",
    contact: CONTACT,
    externalId,
    returnUrl,
    webhookUrl,
  };
  const payment = await unlessStruck(paymentIntents.create(fields));
  if (payment === undefined) return;
  seen.foreign.add(payment.id);
  await unlessStruck(paymentIntents.confirm(payment.id, { paymentMethodId: "pm_card_approved" }));
}

async function endSubscription(run: StoryRun, id: string): Promise<void> {
  const { sim, seen } = run;
  const own = sim.subscriptions.list().find((subscription) => seen.owners.get(subscription.id) === id);
  const row = own && sim.internals.parts.subscriptions.get(own.id);
  if (own === undefined || row === undefined) return;
  const { externalId, returnUrl, webhookUrl } = row.data;
  const { subscriptions } = clientOf(run);
  const fields = { planId: own.plan.id, contact: CONTACT, externalId, returnUrl, webhookUrl };
  const subscription = await unlessStruck(subscriptions.initiate(fields));
  if (subscription === undefined) return;
  seen.foreign.add(subscription.id);
  await unlessStruck(subscriptions.cancel(subscription.id));
}

function clientOf({ sim: { baseUrl, authUrl, fetch, credentials, internals } }: StoryRun): Client {
  return createClient({ ...credentials, baseUrl, authUrl, fetch, assumptions: internals.parts.assumptions.overrides });
}

/** The other system gives up when a trouble strikes its own calls. */
async function unlessStruck<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch {
    return undefined;
  }
}
