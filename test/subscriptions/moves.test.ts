import { describe, expect, test } from "vitest";
import { Engine } from "../../src/engine/engine.ts";
import { LifecycleRows } from "../../src/engine/lifecycle-rows.ts";
import { invoiceLifecycle } from "../../src/service/subscriptions/billing.ts";
import { subscriptionLifecycle } from "../../src/service/subscriptions/commands.ts";
import type { Plan } from "../../src/service/subscriptions/plan.ts";
import { invoiceStatusOf, statusOf } from "../../src/service/subscriptions/schema.ts";
import type { PaymentMethod } from "../../src/service/payment-methods/commands.ts";

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const method: PaymentMethod = { id: "pm_card_approved", kind: "card", behaviour: "pm_card_approved" };
const plan: Plan = {
  id: "plan_1",
  merchantId: "mer_1",
  name: "Coffee club",
  amount: 100,
  currency: "PHP",
  interval: "day",
  intervalCount: 1,
  createdAt: START,
};

/** How each situation is reached, and all that moves it from there, with the fact that each move announces. */
type Situations = Readonly<
  Record<
    string,
    { readonly path: readonly string[]; readonly moves: Readonly<Record<string, readonly [to: string, fact?: string]>> }
  >
>;

const subscriptionInputs = {
  startFirstPayment: { type: "first_payment_started" },
  reachTheMark: { type: "first_payment_due" },
  activate: { type: "activate" },
  renew: { type: "renew" },
  fail: { type: "payment_failed" },
  giveUp: { type: "give_up" },
  recover: { type: "recover" },
  changePlan: { type: "change_plan", plan: { ...plan, id: "plan_2" } },
  changeMethod: { type: "change_method", method },
  cancel: { type: "cancel", reason: undefined },
} as const;

const billed = (state: string): Readonly<Record<string, readonly [string, string?]>> => ({
  renew: [state, "subscription.renewed"],
  changePlan: [state],
  changeMethod: [state],
  cancel: ["cancelled", "subscription.cancelled"],
});
const unfinished = {
  startFirstPayment: ["incomplete"],
  activate: ["active", "subscription.activated"],
  changeMethod: ["incomplete"],
  cancel: ["cancelled", "subscription.cancelled"],
} as const;
const lapsed = ["incomplete_cancelled", "subscription.cancelled"] as const;

const subscriptionSituations: Situations = {
  incomplete: { path: [], moves: { ...unfinished, reachTheMark: lapsed, fail: ["incomplete"] } },
  "incomplete, its first payment in processing": {
    path: ["startFirstPayment"],
    moves: { ...unfinished, reachTheMark: ["incomplete"], fail: ["incomplete"] },
  },
  "incomplete, its first payment in processing at the mark": {
    path: ["startFirstPayment", "reachTheMark"],
    moves: { ...unfinished, reachTheMark: ["incomplete"], fail: lapsed },
  },
  "incomplete, its first payment failed": {
    path: ["startFirstPayment", "fail"],
    moves: { ...unfinished, reachTheMark: lapsed, fail: ["incomplete"] },
  },
  active: { path: ["activate"], moves: { ...billed("active"), fail: ["past_due", "subscription.past_due"] } },
  past_due: {
    path: ["activate", "fail"],
    moves: {
      ...billed("past_due"),
      fail: ["past_due"],
      giveUp: ["unpaid", "subscription.unpaid"],
      recover: ["active", "subscription.activated"],
    },
  },
  unpaid: {
    path: ["activate", "fail", "giveUp"],
    moves: { ...billed("unpaid"), fail: ["unpaid"], recover: ["active", "subscription.activated"] },
  },
  incomplete_cancelled: { path: ["reachTheMark"], moves: {} },
  cancelled: { path: ["activate", "cancel"], moves: {} },
};

const period = { start: START, end: START + DAY };
const invoiceInputs = {
  charge: { type: "attempt", intentId: "pi_2", automatic: true },
  payByHand: { type: "attempt", intentId: "pi_2", automatic: false },
  replaceIntent: { type: "replace_intent", intentId: "pi_2" },
  succeed: { type: "attempt_succeeded", period },
  fail: { type: "attempt_failed" },
  cancelAttempt: { type: "attempt_canceled" },
  fallDue: { type: "retry_due" },
  void: { type: "void" },
  voidUnlessPaid: { type: "void_unless_paid" },
  keep: { type: "keep" },
} as const;

const open = {
  charge: ["charging"],
  payByHand: ["charging"],
  replaceIntent: ["open"],
  fallDue: ["open", "subscription.invoice.retry_due"],
  void: ["void"],
  keep: ["open"],
} as const;
const charging = {
  succeed: ["paid", "subscription.invoice.paid"],
  fail: ["open", "subscription.invoice.payment_failed"],
  cancelAttempt: ["open"],
  void: ["void"],
  voidUnlessPaid: ["charging"],
  keep: ["charging"],
} as const;

const invoiceSituations: Situations = {
  open: { path: [], moves: open },
  "open after a failure": { path: ["charge", "fail"], moves: open },
  "open and kept": { path: ["keep"], moves: open },
  charging: { path: ["charge"], moves: charging },
  "charging, the customer being present": { path: ["payByHand"], moves: charging },
  "charging, void unless paid": {
    path: ["charge", "voidUnlessPaid"],
    moves: { ...charging, fail: ["void", "subscription.invoice.payment_failed"] },
  },
  paid: { path: ["charge", "succeed"], moves: {} },
  void: { path: ["void"], moves: {} },
};

type Step = (id: string, input: never) => { readonly state: string };

/** A world with one resource that has gone a path. */
function worldAfter(kind: "subscription" | "invoice", path: readonly string[]) {
  const engine = new Engine({ seed: "1", now: START });
  const inputs: Readonly<Record<string, object>> = kind === "subscription" ? subscriptionInputs : invoiceInputs;
  const resources =
    kind === "subscription"
      ? new LifecycleRows(engine, subscriptionLifecycle)
      : new LifecycleRows(engine, invoiceLifecycle);
  const step = (name: string): string =>
    (resources.step.bind(resources) as unknown as Step)("id_1", inputs[name] as never).state;
  engine.unit(() => {
    if (kind === "subscription") {
      const contact = { name: "Ana Reyes", email: "ana@example.com" };
      const terms = { merchantId: "mer_1", sessionToken: "token", plan, contact, firstPaymentDue: START + DAY };
      (resources.create.bind(resources) as unknown as (id: string, terms: object) => void)("id_1", terms);
    } else {
      const terms = {
        merchantId: "mer_1",
        subscriptionId: "sub_1",
        number: "INV-000001",
        amount: 100,
        currency: "PHP",
      };
      const rest = { period, intentId: "pi_1", dunning: true };
      (resources.create.bind(resources) as unknown as (id: string, terms: object) => void)("id_1", {
        ...terms,
        ...rest,
      });
    }
    for (const name of path) step(name);
  });
  return { engine, step };
}

describe.each([
  ["subscription", subscriptionSituations, Object.keys(subscriptionInputs)],
  ["invoice", invoiceSituations, Object.keys(invoiceInputs)],
] as const)("a %s", (kind, situations, inputs) => {
  const cases = Object.entries(situations).flatMap(([situation, { path, moves }]) =>
    inputs.map((input) => ({ situation, input, path, move: moves[input] })),
  );

  test.each(cases)("that is $situation takes $input as the table says", ({ path, input, move }) => {
    const { engine, step } = worldAfter(kind, path);
    const facts: string[] = [];
    engine.onFact(({ type }) => facts.push(type));
    if (move === undefined) {
      const before = engine.snapshot();
      expect(() => engine.unit(() => step(input))).toThrow(/does not take the input/);
      expect(engine.snapshot()).toEqual(before);
      return;
    }
    const [to, fact] = move;
    expect(engine.unit(() => step(input))).toBe(to);
    expect(facts).toEqual(fact === undefined ? [] : [fact]);
  });
});

describe("the table covers", () => {
  test.each([
    ["subscription", subscriptionLifecycle.machine, subscriptionSituations, subscriptionInputs, statusOf],
    ["invoice", invoiceLifecycle.machine, invoiceSituations, invoiceInputs, invoiceStatusOf],
  ] as const)(
    "every state and every input of a %s, each state has one word on the wire",
    (_, machine, situations, inputs, wire) => {
      const states = Object.keys(machine.states);
      const named = Object.keys(situations).map((situation) => situation.split(/[, ]/, 1)[0]);
      expect(new Set(named)).toEqual(new Set(states));
      expect(new Set(Object.values<{ readonly type: string }>(inputs).map(({ type }) => type))).toEqual(
        new Set(machine.events),
      );
      expect(Object.keys(wire).toSorted()).toEqual(states.toSorted());
    },
  );
});

test("timers stand only where something is to come", () => {
  const pending = (kind: "subscription" | "invoice", path: readonly string[]): string[] =>
    worldAfter(kind, path)
      .engine.timers.pending()
      .map(({ name }) => name);
  expect(pending("subscription", [])).toEqual(["first-payment"]);
  expect(pending("subscription", ["activate"])).toEqual(["renewal"]);
  expect(pending("subscription", ["activate", "fail", "giveUp"])).toEqual(["renewal"]);
  expect(pending("subscription", ["activate", "cancel"])).toEqual([]);
  expect(pending("invoice", [])).toEqual([]);
  expect(pending("invoice", ["charge", "fail"])).toEqual(["retry"]);
  expect(pending("invoice", ["charge", "fail", "payByHand"])).toEqual([]);
  expect(pending("invoice", ["charge", "fail", "keep"])).toEqual([]);
  expect(pending("invoice", ["charge", "fail", "void"])).toEqual([]);
  expect(pending("invoice", ["charge", "keep", "fail"])).toEqual([]);
});
