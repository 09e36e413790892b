import * as fc from "fast-check";
import { testMethods, type AssumptionOverrides, type Fault } from "../../src/index.ts";
import { randomFault } from "./random-faults.ts";

/** What the merchant does about a call that a fault holds back. */
export type Patience = "waits" | "gives up" | "goes on without";

/** The calls that a merchant's code makes. */
export const callNames = [
  "create intent",
  "confirm intent",
  "confirm with client key",
  "confirm with card",
  "intent status",
  "create checkout",
  "process checkout",
  "poll checkout",
  "create plan",
  "initiate",
  "process payment",
  "change plan",
  "change card",
  "cancel subscription",
  "read subscription",
  "list subscriptions",
  "list transactions",
  "list payment sessions",
  "refresh token",
  "nonsense",
] as const;

/** A call to the API by one of two merchants, about an existing object. */
export interface ApiCall {
  readonly do: "call";
  readonly call: (typeof callNames)[number];
  readonly merchant: 0 | 1;
  /** Which existing object. */
  readonly pick: number;
  readonly method: string;
  readonly amount: number;
  readonly patience: Patience;
  /** A small number, so that keys are used again. */
  readonly idempotencyKey?: number | undefined;
}

/** One thing that is done in a random world. */
export type Command =
  | ApiCall
  | { readonly do: "repeat"; readonly pick: number; readonly patience: Patience }
  | {
      readonly do: "pay" | "authenticate" | "fail authentication" | "cancel checkout" | "abandon";
      readonly pick: number;
      readonly method: string;
    }
  | { readonly do: "advance"; readonly milliseconds: number }
  | { readonly do: "add fault"; readonly fault: Fault }
  | { readonly do: "cancel intent" | "redeliver" | "remove fault" | "mint card"; readonly pick: number }
  | { readonly do: "settle" | "clear faults" | "fork" | "keep" | "go back" | "pass through JSON" | "reset" };

/** What a merchant's app does with a webhook. */
export type Behaviour =
  | { readonly answer: number; readonly retryAfter?: number; readonly turns?: number }
  | { readonly answer: "throws" | "returns no response" }
  | { readonly answer: "calls back"; readonly call: ApiCall };

/** A whole random world as plain data: run it twice, and the same happens twice. */
export interface Script {
  readonly seed: number;
  readonly assumptions: AssumptionOverrides;
  /** What the merchants' apps do, delivery by delivery, and from the front again. */
  readonly receiver: readonly Behaviour[];
  readonly commands: readonly Command[];
  /** The number of commands after which the world is kept and forked. */
  readonly cut: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** 0 is the newest. */
const pick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(5) });
const method = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      "pm_card_approved",
      "pm_card_challenge",
      "pm_card_declines_renewals",
      "pm_card_recovers",
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(...testMethods.map(({ id }) => id)) },
  { weight: 1, arbitrary: fc.constantFrom("minted", "pm_unknownUnknownUnknown000", "gcash") },
);
const patience = fc.constantFrom<Patience>("waits", "gives up", "goes on without");

const amount = fc.oneof(
  { weight: 15, arbitrary: fc.integer({ min: 1, max: 1_000_000 }) },
  { weight: 1, arbitrary: fc.constant(0) },
);
const merchant = fc.oneof(
  { weight: 11, arbitrary: fc.constant<0 | 1>(0) },
  { weight: 1, arbitrary: fc.constant<0 | 1>(1) },
);

const idempotencyKey = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(2) });

function callOf(call: fc.Arbitrary<ApiCall["call"]>): fc.Arbitrary<ApiCall> {
  return fc.record(
    { do: fc.constant("call"), call, merchant, pick, method, amount, patience, idempotencyKey },
    { requiredKeys: ["do", "call", "merchant", "pick", "method", "amount", "patience"] },
  );
}

const apiCall = callOf(
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("create intent", "confirm intent", "create checkout", "process payment") },
    { weight: 3, arbitrary: fc.constantFrom(...callNames) },
  ),
);

/** Some calls by one merchant about what it has just made. */
function purchase(names: readonly ApiCall["call"][], end: fc.Arbitrary<Command>): fc.Arbitrary<Command[]> {
  return fc.tuple(callOf(fc.constant("create intent")), end).map(([call, last]) => {
    const calls = names.map((name): Command => Object.assign(structuredClone(call), { pick: 0, call: name }));
    return calls.concat(last);
  });
}

const customerAct: fc.Arbitrary<Command> = fc.record({
  do: fc.constantFrom("pay", "authenticate", "fail authentication", "cancel checkout", "abandon"),
  pick,
  method,
});
const pays = fc.record({ do: fc.constant("pay"), pick: fc.constant(0), method });
const authenticates = fc.record({ do: fc.constant("authenticate"), pick: fc.constant(0), method });
const waits: fc.Arbitrary<Command> = fc.record({
  do: fc.constant("advance"),
  milliseconds: fc.constantFrom(DAY + 1, 3 * DAY, 5 * DAY, 9 * DAY),
});
const settles: fc.Arbitrary<Command> = fc.record({ do: fc.constant("settle") });

const single: fc.Arbitrary<Command> = fc.oneof(
  { weight: 24, arbitrary: apiCall },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("repeat"), pick, patience }) },
  { weight: 8, arbitrary: customerAct },
  {
    weight: 14,
    arbitrary: fc
      .tuple(
        fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom(0, 1, 2 * SECOND, 90 * SECOND, HOUR, DAY - 1, DAY) },
          { weight: 3, arbitrary: fc.constantFrom(3 * DAY, 8 * DAY, 31 * DAY) },
        ),
        fc.nat(5000),
      )
      .map(([base, extra]): Command => ({ do: "advance", milliseconds: base + (extra % 3 === 0 ? 0 : extra) })),
  },
  { weight: 6, arbitrary: settles },
  { weight: 16, arbitrary: randomFault.map((fault): Command => ({ do: "add fault", fault })) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("cancel intent", "redeliver", "mint card"), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove fault"), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("fork", "keep", "go back", "pass through JSON") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("clear faults", "reset") }) },
);

/** Commands come alone or in meaningful sequences, so that worlds reach late states. */
const commands: fc.Arbitrary<Command[]> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.tuple(single) },
      { weight: 1, arbitrary: purchase(["create intent", "confirm intent"], settles) },
      { weight: 1, arbitrary: purchase(["create intent", "confirm intent"], authenticates) },
      { weight: 1, arbitrary: purchase(["create checkout"], pays) },
      { weight: 1, arbitrary: purchase(["create checkout"], customerAct) },
      { weight: 1, arbitrary: purchase(["create checkout", "process checkout"], settles) },
      { weight: 1, arbitrary: purchase(["create plan", "initiate", "process payment"], settles) },
      { weight: 1, arbitrary: purchase(["create plan", "initiate", "process payment"], waits) },
    ),
    { maxLength: 14, size: "max" },
  )
  .map((parts) => parts.flat());

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ answer: 200 }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        answer: fc.constantFrom(204, 302, 400, 410, 429, 500, 503),
        retryAfter: fc.constantFrom(0, 5, 100_000),
        turns: fc.nat(3),
      },
      { requiredKeys: ["answer"] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ answer: fc.constantFrom("throws", "returns no response") }) },
  { weight: 2, arbitrary: fc.record({ answer: fc.constant("calls back"), call: apiCall }) },
);

const assumptions: fc.Arbitrary<AssumptionOverrides> = fc.record(
  {
    "intent.processing-time": fc.constantFrom("0 seconds", "2 seconds", "30 hours"),
    "checkout.lifetime": fc.constantFrom("30 minutes", "24 hours"),
    "checkout.retry": fc.constantFrom(0, 1, 3),
    "webhook.retries": fc.constantFrom(0, 1, 12, ["5 seconds", "3 days"]),
    "webhook.stamp": fc.constantFrom("virtual", "receiver"),
    "webhook.signature": fc.constantFrom("paymongo", "stripe", "standard-webhooks"),
    "webhook.body": fc.constantFrom("compact", "spaced"),
    "webhook.order": fc.constantFrom("sequential", "concurrent"),
    "webhook.timeout": fc.constantFrom("1 second", "30 seconds"),
    "http.idempotency-key": fc.constantFrom("off", "1 hour", "24 hours"),
    "http.rate-limit": fc.constantFrom("none" as const, { requests: 20, per: "1 minute" }),
    "http.external-id": fc.constantFrom("note", "refuse"),
    "http.success-status": fc.constantFrom(200, 201),
    "auth.token-lifetime": fc.constantFrom("1 minute", "1 hour"),
    "subscription.cancel": fc.constantFrom("void", "keep"),
    "subscription.wallets": fc.constantFrom("refuse", "allow"),
  },
  { requiredKeys: [] },
);

/** Any world. It shrinks, so that a failing one is short enough to read. */
export const randomScript: fc.Arbitrary<Script> = fc.record({
  seed: fc.nat(1000),
  assumptions: fc.oneof(
    { weight: 1, arbitrary: fc.constant({ "webhook.stamp": "virtual" } as const) },
    { weight: 2, arbitrary: assumptions },
  ),
  receiver: fc.array(behaviour, { minLength: 1, maxLength: 5 }),
  // Without a bias towards the shortest.
  commands: fc.noBias(commands),
  cut: fc.noBias(fc.nat(24)),
});
