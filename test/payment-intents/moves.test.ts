import { intentData } from "../../src/service/payment-intents/rows.ts";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import { LifecycleRows } from "../../src/kit/engine/lifecycle-rows.ts";
import { paymentIntentLifecycle } from "../../src/service/payment-intents/commands.ts";
import type { IntentInput, IntentTerms } from "../../src/service/payment-intents/machine.ts";
import { statusOf } from "../../src/service/payment-intents/status.ts";
import type { PaymentMethod } from "../../src/service/payment-methods/commands.ts";
import { keyOf } from "../../src/kit/engine/timer.ts";

type Unstamped<Stamped> = Stamped extends unknown ? Omit<Stamped, "at"> : never;
type Input = Unstamped<IntentInput>;

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const terms: IntentTerms = {
  merchantId: "mer_1",
  purpose: "payment_intent",
  transactionId: "txn_1",
  sessionToken: "token",
  clientKey: "ck_1",
  amount: 10_000,
  description: "",
  processingTime: 0,
};
const method: PaymentMethod = { id: "pm_card_approved", kind: "card", behaviour: "pm_card_approved" };

const inputs: Readonly<Record<string, Input>> = {
  attach: { type: "attach_method", method, contact: undefined },
  pay: { type: "confirm", outcome: { approved: true }, challenge: undefined },
  payInVain: { type: "confirm", outcome: { approved: false, declineCode: "blocked" }, challenge: undefined },
  payStuck: { type: "confirm", outcome: { approved: true }, challenge: undefined, holdUp: "for good" },
  payLate: { type: "confirm", outcome: { approved: true }, challenge: undefined, holdUp: HOUR },
  meetChallenge: {
    type: "confirm",
    outcome: { approved: true },
    challenge: { id: "ach_1", nextAction: "redirect", expiresAt: START + HOUR },
  },
  lackProcessor: { type: "processor_unavailable" },
  pass: { type: "authenticate", passed: true },
  fail: { type: "authenticate", passed: false },
  letChallengeExpire: { type: "challenge_expired" },
  decide: { type: "decide" },
  cancel: { type: "cancel" },
};

type Moves = Readonly<Record<string, [to: string, fact?: string]>>;

/** What moves an intent that awaits its confirmation, whatever came before. */
const confirmations: Moves = {
  attach: ["requires_confirmation"],
  pay: ["processing", "processing"],
  payInVain: ["processing", "processing"],
  payStuck: ["processing", "processing"],
  payLate: ["processing", "processing"],
  meetChallenge: ["requires_action", "requires_action"],
  cancel: ["canceled", "canceled"],
};

/** How each situation is reached, and all that moves it from there, with the fact that each move announces. */
const situations: Readonly<Record<string, { readonly path: readonly string[]; readonly moves: Moves }>> = {
  requires_payment_method: {
    path: [],
    moves: { attach: ["requires_confirmation"], cancel: ["canceled", "canceled"] },
  },
  requires_confirmation: {
    path: ["attach"],
    moves: { ...confirmations, lackProcessor: ["requires_confirmation"] },
  },
  "requires_confirmation after an outage": {
    path: ["attach", "lackProcessor"],
    moves: confirmations,
  },
  requires_action: {
    path: ["attach", "meetChallenge"],
    moves: {
      pass: ["processing", "processing"],
      fail: ["processing", "processing"],
      letChallengeExpire: ["processing", "processing"],
      cancel: ["canceled", "canceled"],
    },
  },
  "processing, to be approved": { path: ["attach", "pay"], moves: { decide: ["succeeded", "succeeded"] } },
  "processing, to be declined": { path: ["attach", "payInVain"], moves: { decide: ["failed", "failed"] } },
  "processing, and stuck": { path: ["attach", "payStuck"], moves: {} },
  "processing, to be approved later": { path: ["attach", "payLate"], moves: {} },
  "processing after a failed challenge": {
    path: ["attach", "meetChallenge", "fail"],
    moves: { decide: ["failed", "failed"] },
  },
  "processing after a missed challenge": {
    path: ["attach", "meetChallenge", "letChallengeExpire"],
    moves: { decide: ["failed", "failed"] },
  },
  succeeded: { path: ["attach", "pay", "decide"], moves: {} },
  failed: { path: ["attach", "payInVain", "decide"], moves: {} },
  canceled: { path: ["cancel"], moves: {} },
};

function intentAfter(path: readonly string[]): {
  engine: Engine;
  intents: LifecycleRows<typeof paymentIntentLifecycle.machine>;
} {
  const engine = new Engine({ seed: "1", now: START });
  const intents = new LifecycleRows(engine, paymentIntentLifecycle, { data: intentData });
  engine.unit(() => {
    intents.create("pi_1", terms);
    for (const name of path) intents.step("pi_1", inputs[name] as Input);
  });
  return { engine, intents };
}

describe.each(Object.entries(situations))("an intent that is %s", (_, { path, moves }) => {
  test.each(Object.keys(inputs))("takes %s only if the document has the move", (name) => {
    const { engine, intents } = intentAfter(path);
    const facts = engine.journal.entries.length;
    const before = intents.rows.get("pi_1");
    const take = (): unknown => engine.unit(() => intents.step("pi_1", inputs[name] as Input));
    const move = moves[name];
    if (move === undefined) {
      expect(take).toThrow(
        expect.objectContaining({
          code: "INVALID_STATE",
          message: expect.stringContaining(before?.state ?? "") as string,
        }),
      );
      expect(intents.rows.get("pi_1")).toBe(before);
      return;
    }
    const [to, fact] = move;
    take();
    expect(intents.rows.get("pi_1")?.state).toBe(to);
    const announced = engine.journal.entries
      .slice(facts)
      .flatMap(({ kind, details }) => (kind === "fact" ? [details["type"]] : []));
    expect(announced).toEqual(fact === undefined ? [] : [`payment_intent.${fact}`]);
  });

  test("has timers only for what it waits for", () => {
    const { engine, intents } = intentAfter(path);
    const decision = path.includes("payStuck") ? [] : [["decide", path.includes("payLate") ? START + HOUR : START]];
    const waits: Readonly<Record<string, unknown[]>> = {
      requires_action: [["challenge", START + HOUR]],
      processing: decision,
    };
    expect(engine.timers.pending().map((timer) => [keyOf(timer).split("/").at(-1), timer.at])).toEqual(
      waits[intents.rows.get("pi_1")?.state ?? ""] ?? [],
    );
  });
});

test("every state of the machine is in the table above, and has a word on the wire that never changes", () => {
  const states = new Set(Object.keys(paymentIntentLifecycle.machine.states));
  expect(new Set(Object.keys(situations).map((name) => name.split(/[ ,]/)[0]))).toEqual(states);
  expect(new Set(Object.keys(statusOf))).toEqual(states);
  expect(Object.isFrozen(statusOf)).toBe(true);
  expect(statusOf).toStrictEqual({
    requires_payment_method: "requires_payment_method",
    requires_confirmation: "requires_confirmation",
    requires_action: "requires_action",
    processing: "processing",
    succeeded: "succeeded",
    canceled: "canceled",
    failed: "failed",
  });
});
