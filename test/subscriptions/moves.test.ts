import { invoiceData, subscriptionData } from "../../src/service/subscriptions/rows.ts";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import { LifecycleRows } from "../../src/kit/engine/lifecycle-rows.ts";
import { invoiceLifecycle } from "../../src/service/subscriptions/billing.ts";
import { subscriptionLifecycle } from "../../src/service/subscriptions/commands.ts";
import type { Plan } from "../../src/service/subscriptions/plan.ts";
import { invoiceStatusOf, statusOf } from "../../src/service/subscriptions/status.ts";
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
  activate: { type: "activate", anchor: START },
  renew: { type: "renew" },
  fail: { type: "payment_failed", failedRetries: 0 },
  failRetry: { type: "payment_failed", failedRetries: 1 },
  failSecondRetry: { type: "payment_failed", failedRetries: 2 },
  giveUpEarly: { type: "give_up", failedRetries: 2 },
  giveUp: { type: "give_up", failedRetries: 3 },
  recover: { type: "recover", openInvoices: 0 },
  recoverEarly: { type: "recover", openInvoices: 1 },
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
const unfinished = { changeMethod: ["incomplete"], cancel: ["cancelled", "subscription.cancelled"] } as const;
const inFlight = { ...unfinished, activate: ["active", "subscription.activated"] } as const;
const lapsed = ["incomplete_cancelled", "subscription.cancelled"] as const;
const recovered = ["active", "subscription.activated"] as const;
const start = ["changeMethod", "startFirstPayment"];
const activate = [...start, "activate"];
const fail = [...activate, "renew", "fail"];
const giveUp = [...fail, "failRetry", "failSecondRetry", "giveUp"];

const subscriptionSituations: Situations = {
  incomplete: { path: [], moves: { ...unfinished, reachTheMark: lapsed } },
  "incomplete, its method named": {
    path: ["changeMethod"],
    moves: { ...unfinished, startFirstPayment: ["incomplete"], reachTheMark: lapsed },
  },
  "incomplete, its first payment in processing": {
    path: start,
    moves: { ...inFlight, reachTheMark: ["incomplete"], fail: ["incomplete"] },
  },
  "incomplete, its first payment in processing at the mark": {
    path: [...start, "reachTheMark"],
    moves: { ...inFlight, reachTheMark: ["incomplete"], fail: lapsed },
  },
  "incomplete, its first payment failed": {
    path: [...start, "fail"],
    moves: { ...unfinished, reachTheMark: lapsed },
  },
  active: { path: activate, moves: billed("active") },
  "active, billed again": {
    path: [...activate, "renew"],
    moves: { ...billed("active"), fail: ["past_due", "subscription.past_due"] },
  },
  past_due: { path: fail, moves: { ...billed("past_due"), failRetry: ["past_due"], recover: recovered } },
  "past_due, a method named": {
    path: [...fail, "changeMethod"],
    moves: { ...billed("past_due"), fail: ["past_due"], failRetry: ["past_due"], recover: recovered },
  },
  "past_due, two retries failed": {
    path: [...fail, "failRetry", "failSecondRetry"],
    moves: { ...billed("past_due"), giveUp: ["unpaid", "subscription.unpaid"], recover: recovered },
  },
  "past_due, billed twice": {
    path: [...fail, "renew"],
    moves: { ...billed("past_due"), fail: ["past_due"], failRetry: ["past_due"], recover: recovered },
  },
  "active, recovered": { path: [...fail, "recover"], moves: billed("active") },
  unpaid: { path: giveUp, moves: billed("unpaid") },
  "unpaid, a method named": {
    path: [...giveUp, "changeMethod"],
    moves: { ...billed("unpaid"), recover: recovered },
  },
  "unpaid, billed twice": {
    path: [...giveUp, "renew"],
    moves: {
      ...billed("unpaid"),
      fail: ["unpaid"],
      failRetry: ["unpaid"],
      failSecondRetry: ["unpaid"],
      recover: recovered,
    },
  },
  incomplete_cancelled: { path: ["reachTheMark"], moves: {} },
  cancelled: { path: [...activate, "cancel"], moves: {} },
};

const period = { start: START, end: START + DAY };
const invoiceInputs = {
  charge: { type: "attempt", intentId: "pi_2", automatic: true },
  payByHand: { type: "attempt", intentId: "pi_2", automatic: false },
  openChallenge: { type: "challenge_opened" },
  replaceIntent: { type: "replace_intent", intentId: "pi_2" },
  succeed: { type: "attempt_succeeded", period },
  fail: { type: "attempt_failed", retriesAfter: [DAY, 2 * DAY, 3 * DAY] },
  cancelAttempt: { type: "attempt_canceled" },
  fallDue: { type: "retry_due" },
  void: { type: "void" },
  voidUnlessPaid: { type: "void_unless_paid" },
  keep: { type: "keep" },
} as const;

const open = { payByHand: ["charging"], void: ["void"], keep: ["open"] } as const;
const charging = {
  succeed: ["paid", "subscription.invoice.paid"],
  fail: ["open", "subscription.invoice.payment_failed"],
  voidUnlessPaid: ["charging"],
  keep: ["charging"],
} as const;
const ended = { succeed: charging.succeed, fail: charging.fail } as const;

const invoiceSituations: Situations = {
  open: { path: [], moves: { ...open, charge: ["charging"] } },
  "open after a failure": {
    path: ["charge", "fail"],
    moves: { ...open, replaceIntent: ["open"], fallDue: ["open", "subscription.invoice.retry_due"] },
  },
  "open, its retry due": { path: ["charge", "fail", "fallDue"], moves: { charge: ["charging"] } },
  "open, its retries over": {
    path: ["charge", "fail", "fallDue", "charge", "fail", "fallDue", "charge", "fail", "fallDue", "charge", "fail"],
    moves: { ...open, replaceIntent: ["open"] },
  },
  "open after a canceled attempt": {
    path: ["payByHand", "cancelAttempt"],
    moves: { charge: ["charging"], void: ["void"], keep: ["open"] },
  },
  "open and kept": { path: ["keep"], moves: { payByHand: ["charging"] } },
  "open and kept after a failure": { path: ["charge", "fail", "keep"], moves: {} },
  charging: { path: ["charge"], moves: { ...charging, openChallenge: ["charging"] } },
  "charging, the customer being asked": {
    path: ["charge", "openChallenge"],
    moves: { ...charging, cancelAttempt: ["open"], void: ["void"] },
  },
  "charging, the customer being present": {
    path: ["payByHand"],
    moves: { ...charging, cancelAttempt: ["open"], void: ["void"] },
  },
  "charging, void unless paid": {
    path: ["charge", "voidUnlessPaid"],
    moves: { ...ended, fail: ["void", "subscription.invoice.payment_failed"] },
  },
  "charging and kept": { path: ["charge", "keep"], moves: ended },
  "charging and kept, the customer being present": {
    path: ["payByHand", "keep"],
    moves: { ...ended, cancelAttempt: ["open"] },
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
      ? new LifecycleRows(engine, subscriptionLifecycle, { data: subscriptionData })
      : new LifecycleRows(engine, invoiceLifecycle, { data: invoiceData });
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

test("timers are scheduled only when something is to come", () => {
  const pending = (kind: "subscription" | "invoice", path: readonly string[]): string[] =>
    worldAfter(kind, path)
      .engine.timers.pending()
      .map(({ name }) => name);
  expect(pending("subscription", [])).toEqual(["first-payment"]);
  expect(pending("subscription", activate)).toEqual(["renewal"]);
  expect(pending("subscription", giveUp)).toEqual(["renewal"]);
  expect(pending("subscription", [...activate, "cancel"])).toEqual([]);
  expect(pending("invoice", [])).toEqual([]);
  expect(pending("invoice", ["charge", "fail"])).toEqual(["retry"]);
  expect(pending("invoice", ["charge", "fail", "payByHand"])).toEqual([]);
  expect(pending("invoice", ["charge", "fail", "keep"])).toEqual([]);
  expect(pending("invoice", ["charge", "fail", "void"])).toEqual([]);
  expect(pending("invoice", ["charge", "keep", "fail"])).toEqual([]);
});
