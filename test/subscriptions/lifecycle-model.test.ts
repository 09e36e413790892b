import { createSimulator, type Simulator, type Snapshot, testMethods } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { holds, LEGAL_MOVES, movesSeen } from "./invariants.ts";
import { DAY } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import type { Invoice, Plan } from "../merchant/answers.ts";
import { SHOP } from "../merchant/requests.ts";

/** What the test itself remembers: what it made, and where customers were sent. */
interface Model {
  readonly plans: Plan[];
  readonly subscriptions: string[];
  readonly challenges: string[];
}

type Act = (merchant: Merchant, model: Model, pick: number) => Promise<unknown>;

class Do implements fc.AsyncCommand<Model, Merchant> {
  readonly #name: string;
  readonly #pick: number;
  readonly #act: Act;
  constructor(name: string, pick: number, act: Act) {
    this.#name = name;
    this.#pick = pick;
    this.#act = act;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, merchant: Merchant): Promise<void> {
    await this.#act(merchant, model, this.#pick);
    holds(merchant.sim);
  }
  toString(): string {
    return `${this.#name}(#${this.#pick})`;
  }
}

function one<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}

const initiate: Act = async (merchant, { plans, subscriptions }, pick) => {
  const plan = one(plans, pick);
  if (plan !== undefined) subscriptions.push((await merchant.initiate(plan.id)).id);
};
const onSubscription =
  (act: (merchant: Merchant, id: string, model: Model, pick: number) => Promise<unknown>): Act =>
  async (merchant, model, pick) => {
    const id = one(model.subscriptions, pick);
    if (id !== undefined) await act(merchant, id, model, pick);
  };
const remember = (
  { challenges }: Model,
  { body }: { body: { redirectUrl?: string; data?: { redirectUrl?: string } } },
): void => {
  const redirectUrl = body.data?.redirectUrl ?? body.redirectUrl;
  if (redirectUrl !== undefined) challenges.push(redirectUrl);
};
const process = (method: string): Act =>
  onSubscription(async (merchant, id, model) => remember(model, await merchant.processPayment(id, method)));
const changeMethod = (method: string): Act =>
  onSubscription(async (merchant, id, model) => {
    const { invoice } = (await merchant.changeMethod(id, method)).body.data ?? {};
    if (invoice?.paymentIntent.redirectUrl !== undefined) model.challenges.push(invoice.paymentIntent.redirectUrl);
  });
const changePlan: Act = onSubscription(async (merchant, id, { plans }, pick) =>
  merchant.changePlan(id, one(plans, pick + 1)?.id ?? ""),
);
const cancel: Act = onSubscription(async (merchant, id) => merchant.cancelSubscription(id));
const openInvoices = ({ sim }: Merchant): Invoice[] => sim.invoices.list().filter(({ status }) => status === "open");
const confirm =
  (method: string): Act =>
  async (merchant, model, pick) => {
    const invoice = one(openInvoices(merchant), pick);
    if (invoice !== undefined) remember(model, await merchant.confirmByKey(invoice.paymentIntent, method));
  };
const cancelIntent: Act = async (merchant, _, pick) => {
  const invoice = one(
    openInvoices(merchant).filter(({ paymentIntent }) => paymentIntent.status.startsWith("requires_")),
    pick,
  );
  if (invoice !== undefined) merchant.sim.intents.cancel(invoice.paymentIntent.id);
};
const onChallenge =
  (act: "authenticate" | "failAuthentication"): Act =>
  async ({ sim }, { challenges }, pick) => {
    const challenge = one(challenges.toReversed(), pick);
    if (challenge !== undefined) await sim.customer[act](challenge);
  };
const asJson = (sim: Simulator): Snapshot => JSON.parse(JSON.stringify(sim.snapshot())) as Snapshot;
const passThroughJson: Act = async ({ sim }) => sim.restore(asJson(sim));

const pick = fc.nat(5);
const named = (name: string, act: Act): fc.Arbitrary<Do> => pick.map((index) => new Do(name, index, act));
const withMethod = (name: string, act: (method: string) => Act): fc.Arbitrary<Do> =>
  fc
    .tuple(pick, fc.constantFrom(...testMethods.map(({ id }) => id), "pm_card_approved", "pm_card_declines_renewals"))
    .map(([index, method]) => new Do(`${name} ${method}`, index, act(method)));
const advance = fc
  .tuple(fc.constantFrom(0, 1, 3_600_000, DAY - 1, DAY, 3 * DAY, 7 * DAY, 31 * DAY), fc.nat(3_600_000))
  .map(([base, extra]) => {
    const milliseconds = base + (base > 1 ? extra : 0);
    return new Do(`advance ${milliseconds} ms`, 0, async ({ sim }) => sim.clock.advance({ milliseconds }));
  });

const PLANS = [{ interval: "day" }, { interval: "week" }, { interval: "month" }, { interval: "day", intervalCount: 3 }];

test("under any acts of merchants, customers and time, subscriptions make only legal moves and every centavo is accounted for", async () => {
  const commands = fc.commands(
    [
      named("initiate", initiate),
      withMethod("process", process),
      named("process pm_card_approved", process("pm_card_approved")),
      withMethod("change method", changeMethod),
      named("change method to one whose processor is down", changeMethod("pm_card_processor_unavailable")),
      withMethod("confirm", confirm),
      named("change plan", changePlan),
      named("cancel", cancel),
      named("cancel intent", cancelIntent),
      named("authenticate", onChallenge("authenticate")),
      named("fail", onChallenge("failAuthentication")),
      named("restore", passThroughJson),
      advance,
      advance,
      advance,
    ],
    { maxCommands: 40, size: "max" },
  );
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(commands, fc.constantFrom("0 seconds", "2 seconds", "30 hours"), async (cmds, processingTime) => {
      const options = { assumptions: { "intent.processing-time": processingTime } };
      const merchant = await Merchant.open(options);
      const plans: Plan[] = [];
      for (const [index, plan] of PLANS.entries())
        plans.push(await merchant.createPlan({ amount: 1000 + index, ...plan }));
      const model: Model = { plans, subscriptions: [], challenges: [] };
      for (const plan of plans.slice(0, 2)) {
        const { id } = await merchant.initiate(plan.id);
        await merchant.processPayment(id, "pm_card_declines_renewals");
        model.subscriptions.push(id);
      }
      await fc.asyncModelRun(() => ({ model, real: merchant }), cmds);

      const twin = createSimulator({ webhookUrl: `${SHOP}/hooks`, ...options });
      twin.connect(SHOP, () => new Response());
      twin.restore(asJson(merchant.sim));
      for (const { clock } of [merchant.sim, twin]) await clock.advance("9 days");
      expect(twin.journal.digest()).toBe(merchant.sim.journal.digest());
      holds(twin);
      for (const move of movesSeen(twin)) seen.add(move);
    }),
    { numRuns: 50, seed: 20_260_131 },
  );
  expect(LEGAL_MOVES.filter((move) => !seen.has(move))).toEqual([]);
}, 60_000);
