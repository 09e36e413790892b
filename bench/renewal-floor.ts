import { signWebhook } from "centavo/webhooks";
import { paymentIntentMachine } from "../src/service/payment-intents/machine.ts";
import { invoiceMachine } from "../src/service/subscriptions/invoice-machine.ts";
import { subscriptionMachine } from "../src/service/subscriptions/machine.ts";
import { RECEIVER, receive, subscribedWorld } from "./subscribed-world.ts";
import { XStateSteps } from "./xstate-steps.ts";

const HOUR = 3_600_000;
const MONTH = 31 * 24 * HOUR;

/**
 * The minimum work of one renewal: its eight machine steps and, if there is a receiver, a signature for each event and a call of the
 * handler with a Request. It makes no ids, rows, timers, journal entries or JSON. The steps are XState's own, as whoever runs the machines
 * without Centavo takes them; Centavo's are faster.
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

  const subscriptions = new XStateSteps(subscriptionMachine);
  const invoices = new XStateSteps(invoiceMachine);
  const intents = new XStateSteps(paymentIntentMachine);
  let at = Date.parse(sim.clock.now());
  return async () => {
    at += MONTH;
    subscriptions.step("active", subscription, { type: "renew", at });
    const issued = invoices.start({ ...terms, at });
    const opened = intents.start({ ...intentTerms, at });
    const charged = invoices.step(issued.state, issued.data, input("attempt", at, { intentId, automatic: true }));
    const attached = intents.step(opened.state, opened.data, input("attach_method", at, { method }));
    const confirmed = intents.step(attached.state, attached.data, input("confirm", at, { outcome }));
    intents.step(confirmed.state, confirmed.data, input("decide", at, {}));
    invoices.step(charged.state, charged.data, input("attempt_succeeded", at, { period }));
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
