import * as fc from "fast-check";
import { DAY, HOUR } from "./calendar.ts";
import { behaviours } from "./test-methods.ts";
import type { Plan } from "./subscriptions.ts";

/** What is done in one step, about an existing resource: `pick` counts back from the newest. */
export type Step =
  | { readonly do: "create intent" | "create checkout"; readonly amount: number }
  | { readonly do: "confirm"; readonly pick: number; readonly method?: string | undefined }
  | {
      readonly do: "process" | "pay on the page" | "pay the subscription" | "change method";
      readonly pick: number;
      readonly method: string;
    }
  | {
      readonly do: "pass the challenge" | "fail the challenge" | "cancel intent" | "leave the page";
      readonly pick: number;
    }
  | { readonly do: "cancel subscription"; readonly pick: number }
  | { readonly do: "initiate"; readonly plan: number }
  | { readonly do: "change plan"; readonly pick: number; readonly plan: number }
  | { readonly do: "advance"; readonly milliseconds: number }
  /** To when something happens next, or just before or after. */
  | { readonly do: "advance to the next"; readonly off: number };

/** The story of one world: its terms and its steps. */
export interface Story {
  readonly start: string;
  readonly processingTime: "0 seconds" | "2 hours";
  readonly checkoutRetry: number;
  readonly steps: readonly Step[];
}

export const plans: readonly Plan[] = [
  { interval: "day", intervalCount: 1, amount: 9900, currency: "PHP" },
  { interval: "day", intervalCount: 1, amount: 14_900, currency: "PHP" },
  { interval: "week", intervalCount: 1, amount: 20_000, currency: "PHP" },
  { interval: "day", intervalCount: 3, amount: 1, currency: "PHP" },
  { interval: "month", intervalCount: 1, amount: 49_917, currency: "PHP" },
  { interval: "year", intervalCount: 1, amount: 120_000, currency: "USD" },
];

const pick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(5) });
const method = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "pm_card_approved",
      "pm_card_challenge",
      "pm_card_declines_renewals",
      "pm_card_recovers",
      "pm_card_processor_unavailable",
      "pm_card_insufficient_funds",
    ),
  },
  { weight: 5, arbitrary: fc.constantFrom(...Object.keys(behaviours)) },
  { weight: 1, arbitrary: fc.constantFrom("card", "gcash", "grab_pay", "pm_unknownUnknownUnknown000") },
);
const amount = fc.oneof(
  fc.integer({ min: 1, max: 200_000 }),
  fc.constantFrom(1, 1499, 1500, 1554, 1555, 99_999_999_999),
);
const plan = fc.oneof(fc.constantFrom(0, 2), fc.nat(plans.length - 1));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("create intent" as const, "create checkout" as const), amount }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("confirm" as const),
      pick,
      method: fc.option(method, { nil: undefined, freq: 6 }),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "process" as const,
        "pay on the page" as const,
        "pay the subscription" as const,
        "pay the subscription" as const,
        "change method" as const,
      ),
      pick,
      method,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "pass the challenge" as const,
        "pass the challenge" as const,
        "fail the challenge" as const,
        "cancel intent" as const,
        "leave the page" as const,
      ),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel subscription" as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("initiate" as const), plan }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("change plan" as const), pick, plan }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      milliseconds: fc.constantFrom(0, 1, HOUR / 4, HOUR, DAY, DAY, 3 * DAY, 3 * DAY, 8 * DAY, 31 * DAY),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("advance to the next" as const), off: fc.constantFrom(0, 0, 0, -1, 1) }),
  },
);

const waits: fc.Arbitrary<Step> = fc.constant({ do: "advance", milliseconds: 0 });

/** Steps that lead to where most things can happen: a subscription that renews, maybe with another plan. */
const subscribed = fc
  .tuple(
    plan,
    fc.constantFrom("pm_card_approved", "pm_card_declines_renewals", "pm_card_recovers"),
    fc.oneof(waits, fc.record({ do: fc.constant("change plan" as const), pick: fc.constant(0), plan })),
  )
  .map(([index, card, then]): Step[] => [
    { do: "initiate", plan: index },
    { do: "pay the subscription", pick: 0, method: card },
    { do: "advance", milliseconds: 0 },
    then,
    { do: "advance to the next", off: 0 },
  ]);

/** Steps of a customer who comes to the hosted page. */
const visited = fc
  .tuple(
    amount,
    fc.oneof(
      fc.record({ do: fc.constant("leave the page" as const), pick: fc.constant(0) }),
      fc.record({ do: fc.constantFrom("process" as const, "pay on the page" as const), pick: fc.constant(0), method }),
    ),
  )
  .map(([price, act]): Step[] => [{ do: "create checkout", amount: price }, act]);

/** Any story. It shrinks, so that a difference is short enough to read. */
export const randomStory: fc.Arbitrary<Story> = fc.record({
  start: fc.constantFrom("2026-01-01T00:00:00.000Z", "2027-12-31T23:59:59.999Z", "2028-01-30T12:30:00.000Z"),
  processingTime: fc.constantFrom("0 seconds", "2 hours"),
  checkoutRetry: fc.constantFrom(0, 0, 1),
  steps: fc.noBias(
    fc
      .array(
        fc.oneof(
          { weight: 12, arbitrary: fc.tuple(step) },
          { weight: 1, arbitrary: subscribed },
          { weight: 1, arbitrary: visited },
        ),
        {
          maxLength: 40,
          size: "max",
        },
      )
      .map((parts) => parts.flat()),
  ),
});
