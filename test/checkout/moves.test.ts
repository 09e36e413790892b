import { checkoutData } from "../../src/service/checkout/rows.ts";
import { describe, expect, test } from "vitest";
import { checkoutLifecycle } from "../../src/service/checkout/commands.ts";
import type { CheckoutInput, CheckoutTerms } from "../../src/service/checkout/machine.ts";
import { statusOf } from "../../src/service/checkout/status.ts";
import { Engine } from "../../src/kit/engine/engine.ts";
import { LifecycleRows } from "../../src/kit/engine/lifecycle-rows.ts";
import { keyOf } from "../../src/kit/engine/timer.ts";

type Unstamped<Stamped> = Stamped extends unknown ? Omit<Stamped, "at"> : never;
type Input = Unstamped<CheckoutInput>;

const START = Date.UTC(2026, 0, 1);
const EXPIRES = START + 86_400_000;
const terms: CheckoutTerms = {
  merchantId: "mer_1",
  sessionToken: "token",
  transactionId: "txn_1",
  intentId: "pi_1",
  externalId: "order-1",
  amount: 10_000,
  description: "Two coffees",
  webhookUrl: "https://shop.example/hooks",
  returnUrl: "https://shop.example/thanks",
  contact: { name: "Ana", email: "ana@example.com" },
  isThirdParty: true,
  expiresAt: EXPIRES,
  triesLeft: 1,
};

const inputs: Readonly<Record<string, Input>> = {
  process: { type: "process", challengeOpen: false },
  meetChallenge: { type: "process", challengeOpen: true },
  closeChallenge: { type: "challenge_closed" },
  complete: { type: "complete" },
  decline: { type: "decline", nextIntentId: undefined },
  declineOnce: { type: "decline", nextIntentId: "pi_2" },
  cancel: { type: "cancel" },
  expire: { type: "expire" },
};

/** How each situation is reached, and all that moves it from there, with the fact that each move announces. */
const situations: Readonly<
  Record<
    string,
    { readonly path: readonly string[]; readonly moves: Readonly<Record<string, [to: string, fact?: string]>> }
  >
> = {
  pending: {
    path: [],
    moves: {
      process: ["processing", "processing"],
      meetChallenge: ["processing", "processing"],
      cancel: ["cancelled", "cancelled"],
      expire: ["expired", "expired"],
    },
  },
  processing: {
    path: ["process"],
    moves: { complete: ["completed", "completed"], declineOnce: ["pending"], expire: ["processing"] },
  },
  "processing with an open challenge": {
    path: ["meetChallenge"],
    moves: { closeChallenge: ["processing"], expire: ["expired", "expired"] },
  },
  "processing after a challenge": {
    path: ["meetChallenge", "closeChallenge"],
    moves: { complete: ["completed", "completed"], declineOnce: ["pending"], expire: ["processing"] },
  },
  "processing the last try": {
    path: ["process", "declineOnce", "process"],
    moves: { complete: ["completed", "completed"], decline: ["failed", "failed"], expire: ["processing"] },
  },
  completed: { path: ["process", "complete"], moves: {} },
  failed: { path: ["process", "declineOnce", "process", "decline"], moves: {} },
  cancelled: { path: ["cancel"], moves: {} },
  expired: { path: ["expire"], moves: {} },
};

function sessionAfter(path: readonly string[]): {
  engine: Engine;
  sessions: LifecycleRows<typeof checkoutLifecycle.machine>;
} {
  const engine = new Engine({ seed: "1", now: START });
  const sessions = new LifecycleRows(engine, checkoutLifecycle, { data: checkoutData });
  engine.unit(() => {
    sessions.create("cs_1", terms);
    for (const name of path) sessions.step("cs_1", inputs[name] as Input);
  });
  return { engine, sessions };
}

describe.each(Object.entries(situations))("a session that is %s", (_, { path, moves }) => {
  test.each(Object.keys(inputs))("takes %s only if checkout.moves has it", (name) => {
    const { engine, sessions } = sessionAfter(path);
    const known = engine.journal.entries.length;
    const before = sessions.rows.get("cs_1");
    const take = (): unknown => engine.unit(() => sessions.step("cs_1", inputs[name] as Input));
    const move = moves[name];
    if (move === undefined) {
      expect(take).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
      expect(sessions.rows.get("cs_1")).toBe(before);
      return;
    }
    const [to, fact] = move;
    take();
    expect(sessions.rows.get("cs_1")?.state).toBe(to);
    const announced = engine.journal.entries
      .slice(known)
      .flatMap(({ kind, details }) => (kind === "fact" ? [details["type"]] : []));
    expect(announced).toEqual(fact === undefined ? [] : [`checkout.${fact}`]);
  });

  test("has its deadline on the clock until it has ended", () => {
    const { engine } = sessionAfter(path);
    const waits = Object.keys(moves).length > 0;
    expect(engine.timers.pending().map((timer) => [keyOf(timer), timer.at])).toEqual(
      waits ? [["checkout/cs_1/expiry", EXPIRES]] : [],
    );
  });
});

test("every state of the machine is in the table above, and has a word on the wire that never changes", () => {
  const states = new Set(Object.keys(checkoutLifecycle.machine.states));
  expect(new Set(Object.keys(situations).map((name) => name.split(" ")[0]))).toEqual(states);
  expect(Object.isFrozen(statusOf)).toBe(true);
  expect(statusOf).toStrictEqual({
    pending: "pending",
    processing: "processing",
    completed: "completed",
    failed: "failed",
    cancelled: "cancelled",
    expired: "expired",
  });
});
