import { createSimulator, type Reader, type Simulator, type Snapshot, testMethods } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { CONTACT, HOOKS, SHOP, planBody } from "../merchant/requests.ts";
import { transact } from "../transactions/transactions.ts";

const METHODS = testMethods.map(({ id }) => id);
const UNFINISHED = new Set(["open", "pending", "processing", "requires_payment_method", "requires_action"]);

/** One merchant in a world, whose receiver may be down. */
class Side {
  merchant: Merchant;
  readonly arrived: string[] = [];
  isDown = false;

  constructor(keep?: number) {
    const sim = createSimulator({
      webhookUrl: HOOKS,
      assumptions: { "checkout.retry": 1, "intent.processing-time": "2 hours" },
      ...(keep === undefined ? {} : { keep }),
    });
    this.merchant = new Merchant(sim);
    this.connect(this.sim);
  }

  get sim(): Simulator {
    return this.merchant.sim;
  }

  connect(sim: Simulator): void {
    sim.connect(SHOP, async (request) => {
      if (request.method === "POST") this.arrived.push(await request.text());
      return new Response(null, { status: this.isDown ? 500 : 200 });
    });
  }

  unfinished<View extends { readonly status: string }>(reader: Pick<Reader<View>, "list">): View[] {
    return reader.list().filter(({ status }) => UNFINISHED.has(status));
  }
}

type Act = (side: Side, pick: number, method: string) => Promise<unknown>;

/** Picks objects that are unfinished in both worlds, because the bounded one may have forgotten a finished one. */
function one<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}

/** Declines and refusals are part of the random world. */
const tolerate = async (call: Promise<unknown> | undefined): Promise<unknown> => call?.catch(() => {});

const acts: Readonly<Record<string, Act>> = {
  pay: async ({ merchant }, pick, method) => tolerate(transact(merchant, { amount: 1000 + pick }, method)),
  create: async ({ merchant }, pick) => transact(merchant, { amount: 2000 + pick }),
  openSession: async ({ merchant }, pick) => merchant.createCheckout({ externalId: `order-${pick}` }),
  visit: async (side, pick, method) => {
    const session = one(side.unfinished(side.sim.checkouts), pick);
    await tolerate(session && side.sim.customer.pay(session.checkoutUrl, method));
  },
  leave: async (side, pick) => {
    const session = one(side.unfinished(side.sim.checkouts), pick);
    await tolerate(session && side.sim.customer.cancel(session.checkoutUrl));
  },
  confirm: async (side, pick, paymentMethodId) => {
    const intents = side.unfinished(side.sim.intents).filter(({ purpose }) => purpose === "payment_intent");
    const intent = one(intents, pick);
    await tolerate(intent && side.merchant.client.paymentIntents.confirm(intent.id, { paymentMethodId }));
  },
  cancelIntent: async (side, pick) => {
    const intents = side.unfinished(side.sim.intents).filter(({ purpose }) => purpose !== "checkout");
    const intent = one(intents, pick);
    if (intent?.status === "requires_payment_method") side.sim.intents.cancel(intent.id);
  },
  subscribe: async ({ merchant: { client, sim } }, pick, paymentMethodId) => {
    const planId = one(sim.plans.list(), pick)?.id ?? "";
    const { id } = await client.subscriptions.initiate({ planId, contact: CONTACT });
    await tolerate(client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId }));
  },
  payByHand: async ({ merchant: { client, sim } }, pick, paymentMethodId) => {
    const subscriptionId = one(sim.subscriptions.list(), pick)?.id ?? "";
    await tolerate(client.subscriptions.processPayment({ subscriptionId, paymentMethodId }));
  },
  changeMethod: async ({ merchant: { client, sim } }, pick, paymentMethodId) =>
    tolerate(
      client.subscriptions.changePaymentMethod(one(sim.subscriptions.list(), pick)?.id ?? "", { paymentMethodId }),
    ),
  cancel: async ({ merchant: { client, sim } }, pick) =>
    tolerate(client.subscriptions.cancel(one(sim.subscriptions.list(), pick)?.id ?? "")),
  authenticate: async ({ sim }, pick) => {
    const open = sim.subscriptions.list().flatMap(({ latestInvoice }) => latestInvoice.paymentIntent.redirectUrl ?? []);
    const challenge = one(open, pick);
    await tolerate(challenge === undefined ? undefined : sim.customer.authenticate(challenge));
  },
  redeliver: async ({ sim }, pick) => {
    const events = sim.webhooks.events().filter(({ status }) => status === "pending");
    const event = one(events, pick);
    if (event !== undefined) sim.webhooks.redeliver(event.id);
  },
  receiver: async (side) => {
    side.isDown = !side.isDown;
  },
  hour: async ({ sim }, pick) => sim.clock.advance({ milliseconds: pick * HOUR }),
  days: async ({ sim }, pick) => sim.clock.advance({ milliseconds: pick * DAY }),
};

/** Compares a bounded list with the whole one: the same items in the same order, and every unfinished one. */
function compare<View extends { readonly status: string }>(
  whole: readonly View[],
  kept: readonly View[],
  idOf: (view: View) => string,
): void {
  const ids = new Set(kept.map(idOf));
  expect(kept).toEqual(whole.filter((view) => ids.has(idOf(view))));
  expect(whole.filter((view) => UNFINISHED.has(view.status) && !ids.has(idOf(view)))).toEqual([]);
}

function compareWorlds(all: Side, few: Side): void {
  const [whole, bounded] = [all.sim, few.sim];
  expect(bounded.journal.digest()).toBe(whole.journal.digest());
  expect(few.arrived).toEqual(all.arrived);
  expect(bounded.clock.pending()).toEqual(whole.clock.pending());
  expect(bounded.subscriptions.list()).toEqual(whole.subscriptions.list());
  compare(whole.invoices.list(), bounded.invoices.list(), ({ id }) => id);
  compare(whole.intents.list(), bounded.intents.list(), ({ id }) => id);
  compare(whole.checkouts.list(), bounded.checkouts.list(), ({ id }) => id);
  compare(whole.transactions.list(), bounded.transactions.list(), ({ id }) => id);
  compare(whole.webhooks.events(), bounded.webhooks.events(), ({ id }) => id);
  const [ledger, carried] = [whole.ledger(), bounded.ledger()];
  expect([carried.balance, carried.balances]).toEqual([0, ledger.balances]);
}

/** Checks that every remaining row belongs to a remaining one. */
function isWhole({ sim }: Side): void {
  const intents = new Set(sim.intents.list().map(({ id }) => id));
  const events = new Set(sim.webhooks.events().map(({ id }) => id));
  for (const { paymentIntent } of sim.invoices.list()) expect(intents).toContain(paymentIntent.id);
  for (const { intentId } of sim.transactions.list()) if (intentId !== undefined) expect(intents).toContain(intentId);
  for (const { eventId } of sim.webhooks.attempts()) expect(events).toContain(eventId);
  const transactions = new Set(sim.transactions.list().map(({ id }) => id));
  for (const { transactionId } of sim.intents.list()) expect(transactions).toContain(transactionId);
}

const INTERVALS = ["day", "week", "month"];

test("after any commands, a bounded world has the journal of a whole one, and every unfinished object", async () => {
  let forgotten = 0;
  const step = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.nat(9), fc.constantFrom(...METHODS));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 25, size: "max" }),
      fc.constantFrom(1, 7, 40),
      async (steps, keep) => {
        const [all, few] = [new Side(), new Side(keep)];
        for (const { merchant } of [all, few]) {
          for (const interval of INTERVALS) await merchant.client.plans.create(planBody({ interval }) as never);
          const side = merchant === all.merchant ? all : few;
          for (const method of [
            "pm_card_approved",
            "pm_card_declines_renewals",
            "pm_card_recovers",
            "pm_card_approved",
          ])
            await acts["subscribe"]?.(side, 0, method);
          await merchant.sim.clock.advance("20 days");
        }
        for (const [name, pick, method] of steps) for (const side of [all, few]) await acts[name]?.(side, pick, method);
        compareWorlds(all, few);
        for (const { sim } of [all, few]) await sim.clock.advance("20 days");
        compareWorlds(all, few);
        isWhole(few);
        forgotten += all.sim.transactions.list().length - few.sim.transactions.list().length;

        const copy = createSimulator({
          webhookUrl: HOOKS,
          assumptions: { "checkout.retry": 1, "intent.processing-time": "2 hours" },
          keep,
        });
        copy.restore(JSON.parse(JSON.stringify(few.sim.snapshot())) as Snapshot);
        few.connect(copy);
        for (const sim of [few.sim, copy]) await sim.clock.advance("20 days");
        expect(copy.snapshot().world.tables).toEqual(few.sim.snapshot().world.tables);
      },
    ),
    { numRuns: 5, seed: 20_260_401 },
  );
  expect(forgotten).toBeGreaterThan(100);
});
