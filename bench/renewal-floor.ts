import { signWebhook } from "centavo/webhooks";
import { Lifecycle } from "../src/engine/lifecycle.ts";
import { paymentIntentMachine } from "../src/service/payment-intents/machine.ts";
import { invoiceMachine } from "../src/service/subscriptions/invoice-machine.ts";
import { subscriptionMachine } from "../src/service/subscriptions/machine.ts";
import { RECEIVER, receive, subscribedWorld } from "./subscribed-world.ts";

const HOUR = 3_600_000;
const MONTH = 31 * 24 * HOUR;

/**
 * The minimum work of one renewal: its eight machine steps and, if there is a receiver, a signature for each event and a call of the
 * handler with a Request. It makes no ids, rows, timers, journal entries or JSON. It steps the machines with Centavo's own function, which
 * is the fastest.
 */
export async function renewalFloor(delivered: boolean): Promise<() => Promise<void>> {
  const sim = await subscribedWorld({ subscriptions: 1, delivered });
  await sim.clock.advance("40 days");
  const { tables } = sim.snapshot().world;
  const rowsOf = (table: string): unknown[] => (tables[table] ?? []).map(([, row]) => row);
  const dataOf = (table: string): object => (rowsOf(table).at(-1) as { data: object }).data;
  const subscription = dataOf("subscription");
  const { merchantId, subscriptionId, number, amount, currency, period, intentId, dunning } = dataOf("invoice") as {
    [name: string]: unknown;
  };
  const terms = { merchantId, subscriptionId, number, amount, currency, period, intentId, dunning };
  const { method, outcome, ...intentTerms } = dataOf("payment_intent") as { [name: string]: unknown };
  const events = rowsOf("webhook-events").slice(-EVENTS) as { id: string; body: string }[];
  const secret = sim.credentials.webhookSecret;

  const subscriptions = new Lifecycle("subscription", subscriptionMachine);
  const invoices = new Lifecycle("invoice", invoiceMachine);
  const intents = new Lifecycle("payment_intent", paymentIntentMachine);
  let at = Date.parse(sim.clock.now());
  return async () => {
    at += MONTH;
    stepped(subscriptions.step("active", subscription, { type: "renew", at }));
    const issued = invoices.start({ ...terms, at } as unknown as Parameters<typeof invoices.start>[0]);
    const opened = intents.start({ ...intentTerms, at } as unknown as Parameters<typeof intents.start>[0]);
    const charged = stepped(
      invoices.step(issued.state, issued.data, input("attempt", at, { intentId, automatic: true })),
    );
    const attached = stepped(intents.step(opened.state, opened.data, input("attach_method", at, { method })));
    const confirmed = stepped(intents.step(attached.state, attached.data, input("confirm", at, { outcome })));
    stepped(intents.step(confirmed.state, confirmed.data, input("decide", at, {})));
    stepped(invoices.step(charged.state, charged.data, input("attempt_succeeded", at, { period })));
    if (!delivered) return;
    for (const { id, body } of events) {
      const signature = signWebhook({ scheme: "paymongo", secret, body, eventId: id, timestamp: at });
      const headers = { ...signature, "content-type": "application/json" };
      await receive(new Request(RECEIVER, { method: "POST", headers, body }));
    }
  };
}

const EVENTS = 3;

function input(type: string, at: number, more: object): { type: string; at: number } {
  return { type, at, ...more };
}

function stepped<Step>(step: Step | undefined): Step {
  if (step === undefined) throw new Error("The floor asked a machine for a step that it does not take.");
  return step;
}
